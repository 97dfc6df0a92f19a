/** docs/guides/troubleshooting.md quotes what is really printed of each common mistake, and explains every message by its code. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { texts as commandTexts } from "../../provider/dist/cli/messages.js";
import { texts as providerTexts } from "../../provider/dist/messages/catalogue.js";
import { clip } from "../../provider/dist/resources/clip.js";
import { content } from "../../provider/dist/resources/content.js";
import { checkLibrary } from "../../provider/dist/resources/contentLibrary/entries.js";
import { livestream } from "../../provider/dist/resources/livestream.js";
import { serve } from "../support/media.ts";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";
import { readPage, repository } from "./markdown.ts";

const page = readPage("docs/guides/troubleshooting.md");
const texts = { ...providerTexts, ...commandTexts };
const codes = Object.values(texts).map(codeOf);

/** The quoted texts of each section of the page, by its heading. */
const quotes = Map.groupBy(
    page.blocks.filter(({ language }) => language === "text"),
    ({ section }) => section,
);

const film = { title: "Trailer", content: [{ url: "https://media.example.com/trailer.mp4" }] };

describe("The common mistakes", () => {
    const testbed = useTestbed();
    let server: Awaited<ReturnType<typeof serve>>;
    before(async () => {
        server = await serve(({ url }, response) => response.writeHead(url?.includes("?") ? 403 : 401).end());
    });
    after(() => server?.[Symbol.asyncDispose]());
    const untested = new Set(quotes.keys());
    const trailer = (url = testbed.media.video(), name = "trailer") => `new videograph.Content("${name}", {
        title: "Trailer",
        content: [{ url: "${url}" }],
    });\n`;

    /** Makes the mistakes under these headings; what it prints has to hold what the page quotes there. */
    function mistake(headings: string | readonly string[], make: () => Promise<string>): void {
        const all = [headings].flat();
        for (const heading of all) untested.delete(heading);
        it(all.join("; "), async () => {
            const printed = normal(await make());
            for (const heading of all) {
                const expected = quotes.get(heading);
                assert.ok(expected, `The page has no section "${heading}"`);
                // Between two paragraphs other lines may stand.
                const texts = expected.flatMap(({ text }) => text.split("\n\n"));
                for (const quote of texts) assert.match(printed, patternOf(quote));
            }
        });
    }

    /** A mistake in a program, or in the environment of one that has none. */
    function mistakeIn(
        heading: string,
        program: () => string,
        env: Record<string, string | undefined> = {},
        command = "preview",
    ): void {
        mistake(heading, async () => {
            const stack = await testbed.stack(program());
            Object.assign(stack.env, env);
            const { output } = await stack.attempt(command, ...(command === "up" ? ["--yes", "--skip-preview"] : []));
            return output;
        });
    }

    mistakeIn("A wrong access token", trailer, { VIDEOGRAPH_SECRET_KEY: "that-of-another-token" }, "up");
    const none = { VIDEOGRAPH_ACCESS_TOKEN_ID: undefined, VIDEOGRAPH_SECRET_KEY: undefined };
    mistakeIn("No credentials", trailer, none, "up");
    // The discard port.
    mistakeIn("An address where nothing listens", trailer, { VIDEOGRAPH_BASE_URL: "http://127.0.0.1:9" }, "up");
    mistakeIn("A base URL with http", trailer, { VIDEOGRAPH_BASE_URL: "http://api.videograph.ai" });
    // The program itself would end by the second one.
    mistake(["A typo in a property", "A timeout that is no duration"], async () => {
        const typo = trailer().replace("title:", "titel:");
        const timeout = trailer().replace("});", '}, { customTimeouts: { create: "5 minutes" } });');
        const stack = await testbed.stack(`${typo} try { ${timeout} } catch (error) { console.log(String(error)); }`);
        return (await stack.previewFails()).output.replace("Error: Content", "error: Content");
    });
    const odd = { title: "", playback_policy: ["public"], playbackPolicy: ["private"], tags: "launch,2026" };
    const subtitle = ["en", "EN"].map((languageCode) => ({ url: "https://media.example.com/a.vtt", languageCode }));
    const all = { ...film, ...odd, metadata: { managed_by: "me", season: 2 }, subtitle };
    const slash = { "2026/ice": { title: "Ice", content: [] } };
    /** What a resource's check says; how the CLI shows it is seen above. */
    const inInputs: Record<string, { problems: readonly string[] }> = {
        "Values that a property does not take": content.check(all, undefined, {}),
        "No region": livestream.check({ title: "a" }, undefined, {}),
        "A clip that ends before it starts": clip.check({ contentId: "a", startTime: 20, endTime: 10 }, undefined, {}),
        "A slash in the key of a library": checkLibrary({ contents: slash }, undefined, {}),
    };
    for (const [heading, { problems }] of Object.entries(inInputs))
        mistake(heading, async () => problems.map((problem) => `has a problem: ${problem}`).join("\n"));
    const adopting = (contentId: string, name = "trailer") =>
        `new videograph.Content("${name}", { title: "Trailer", importId: "${contentId}" });\n`;
    mistakeIn("Two resources with one importId", () => {
        const { contentId } = testbed.emulator.addContent({ title: "Trailer" });
        return adopting(contentId, "a") + adopting(contentId, "b");
    });

    const source = () => `${server.url}/trailer.mp4`;
    const mark = { key: "managed_by", value: "pulumi:shop/staging/trailer:11111111-22222222-33333333-0123456789ab" };
    const inOneRun: Record<string, () => string> = {
        "A region that does not exist": () =>
            'new videograph.Livestream("mars", { title: "a", region: "us-esat-1" });\n',
        "A page instead of a file": () => trailer(testbed.emulator.url, "page"),
        "The id of a livestream for a content": () =>
            adopting(testbed.emulator.addLivestream({ title: "Stage" }).streamUUID, "stage"),
        "One object in two stacks": () =>
            adopting(testbed.emulator.addContent({ title: "Trailer", metadata: [mark] }).contentId, "theirs"),
        "A presigned URL that has expired": () =>
            trailer(`${source()}?X-Amz-Expires=3600&X-Amz-Signature=0815`, "presigned"),
        "A source that is not public": () => trailer(source()),
    };
    mistake(Object.keys(inOneRun), async () => {
        const programs = Object.values(inOneRun).map((program) => program());
        const stack = await testbed.stack(programs.join(""));
        return (await stack.upOfAllFails()).output;
    });

    mistake("With pnpm: a dependency of a dependency", async () => {
        const stack = await testbed.stack("");
        // As pnpm lays it out: the package beside the library that depends on it, out of the program's reach.
        const modules = join(stack.folder, "node_modules");
        await rm(modules);
        await mkdir(join(modules, "library", "node_modules"), { recursive: true });
        await symlink(join(repository, "node_modules", "@pulumi"), join(modules, "@pulumi"));
        await symlink(join(repository, "provider"), join(modules, "library", "node_modules", "pulumi-videograph"));
        await writeFile(join(modules, "library", "index.js"), 'module.exports = require("pulumi-videograph");\n');
        await writeFile(join(stack.folder, "index.js"), `const videograph = require("library");\n${trailer()}`);
        return (await stack.previewFails()).output;
    });

    mistake("An old Pulumi CLI", async () => {
        const stack = await testbed.stack(trailer());
        const project = "name: e2e\nruntime: nodejs\nrequiredPulumiVersion: '>=99.0.0'\n";
        await writeFile(join(stack.folder, "Pulumi.yaml"), project);
        return (await stack.previewFails()).output;
    });

    mistake("An old Node", async () => {
        const stack = await testbed.stack(trailer());
        // No old Node is at hand: today's pretends to be one.
        const pretend = join(stack.folder, "pretend.cjs");
        await writeFile(pretend, 'Object.defineProperty(process.versions, "node", { value: "20.11.0" });\n');
        stack.env.NODE_OPTIONS = `${stack.environment.NODE_OPTIONS} --require ${pretend}`;
        return (await stack.previewFails()).output;
    });

    mistake("A proxy that does not let the request through", async () => {
        const proxy = createServer();
        proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
        await once(proxy.listen(0, "127.0.0.1"), "listening");
        const { port } = proxy.address() as AddressInfo;
        try {
            const stack = await testbed.stack(trailer());
            for (const name of ["https_proxy", "http_proxy", "no_proxy", "HTTP_PROXY", "NO_PROXY", "grpc_proxy"])
                stack.env[name] = undefined;
            // No request gets there: the proxy lets none through.
            stack.env.VIDEOGRAPH_BASE_URL = "https://api.videograph.ai";
            stack.env.HTTPS_PROXY = `http://127.0.0.1:${port}`;
            const inCapitals = await stack.upFails();
            // The discard port: nothing listens there.
            stack.env.https_proxy = "http://127.0.0.1:9";
            const inSmallLetters = await stack.attempt("preview");
            assert.notEqual(inSmallLetters.code, 0);
            return inCapitals.output + inSmallLetters.output;
        } finally {
            proxy.close();
        }
    });

    mistake("Ctrl-C, twice", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const stack = await testbed.stack(trailer());
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the wait for Ready", () => sent(testbed.emulator).some((one) => /^GET \/contents\/./.test(one)));
        up.interrupt();
        await waitFor("the CLI to notice", () => up.output.includes("cancelling"));
        up.interrupt();
        const interrupted = await up.result;
        const [content] = testbed.emulator.contents();
        assert.ok(content);
        testbed.emulator.setContentStatus(content.contentId, "Ready");
        const next = await stack.up();
        assert.equal(await stack.resourceId("trailer"), content.contentId);
        assert.equal(testbed.emulator.contents().length, 1);
        return interrupted.output + next.output;
    });

    it("of the page are all made here", () => assert.deepEqual([...untested], []));
});

describe("The guide to messages", () => {
    const [own = "", pulumis = ""] = page.text.split("\n## Pulumi's own\n");
    const explained = explanations(own);

    it("has every code once, with an entry or with a line of its own, and no code that is not in the catalogue", () => {
        assert.ok(pulumis.includes("### "));
        assert.equal(new Set(codes).size, codes.length);
        assert.deepEqual(explained.map(({ code }) => code).sort(), codes.sort());
    });

    it("has them in their order, and says of the listed ones no more than fits into a line", () => {
        for (const isLine of [false, true]) {
            const inOrder = explained.filter((one) => one.isLine === isLine).map(({ code }) => code);
            assert.deepEqual(inOrder, inOrder.toSorted(), "In the order of the codes");
        }
        for (const { code, more } of explained) assert.ok(more.length <= 120, `${code} needs a heading`);
    });

    it("explains the codes that begin alike in one section, apart from others", () => {
        const pairs = new Set(explained.map(({ code, section }) => `${code.slice(0, 4)} ${section}`));
        const { size } = new Set(explained.map(({ section }) => section));
        assert.deepEqual([pairs.size, new Set(explained.map(({ code }) => code.slice(0, 4))).size], [size, size]);
    });

    it("quotes each as its text is", () => {
        for (const { code, quote } of explained) {
            const text = Object.values(texts).find((one) => codeOf(one) === code) ?? "";
            assert.match(text, headingPattern(quote), code);
        }
    });
});

describe("The catalogue of messages", () => {
    it("has no message that nobody shows", () => {
        const files = globSync("{provider,cli}/src/**/*.ts", { cwd: repository, exclude: ["**/messages/**"] });
        const all = files.map((file) => readFileSync(join(repository, file), "utf8")).join("\n");
        const unused = Object.keys(texts).filter((name) => !all.includes(`messages.${name}`));
        // The catalogue itself makes one of whatever was thrown.
        assert.deepEqual(unused, ["unexpected"]);
    });
});

/** Anything may stand where the page has a name in angle brackets. */
const patternOf = (quote: string) => new RegExp(literalsOf(normal(quote), /<\w+>/).join(".{1,120}?"));

/** The parts of a text as regular expressions. */
function literalsOf(text: string, between: RegExp): string[] {
    return text.split(between).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}

/** The page breaks lines where it likes. */
function normal(text: string): string {
    return text.replaceAll(/\s+/g, " ").trim();
}

/** A message has one, at its end, or before a list. */
function codeOf(text: string): string {
    return / \[(VG\d{4})\](?:\{list\})?$/.exec(text)?.[1] ?? text;
}

/**
 * Each with the title of the section it is in. A heading is the code alone: its address, such as `#vg1001`, outlives the words. A message that needs
 * no more words than its own is a line of a list; `more`: what stands there beside it.
 */
function explanations(text: string) {
    return text.split(/^## /m).flatMap((part) => {
        const section = part.slice(0, part.indexOf("\n"));
        const found = part.matchAll(/^(?:### (VG\w+)\n\n|- \*\*(VG\w+)\*\* )(`+) ?(.+?) ?\3(?!`)(.*)$/gm);
        return Array.from(found, ([, entry, line, , quote = "", more = ""]) => ({
            ...{ code: entry ?? line ?? "", quote, section, more, isLine: entry === undefined },
        }));
    });
}

/** Matches the text that a heading quotes: `<…>` stands for holes and the words around them. */
const headingPattern = (quote: string) => new RegExp(literalsOf(quote, /<[^>]+>/).join(".*\\{\\w+\\}.*"), "s");
