/** docs/common-mistakes.md quotes what is really printed: each mistake is made, and the output compared with the page. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "../support/media.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";
import { readPage, repository } from "./markdown.ts";

/** The quoted texts of each section of the page, by its heading. */
const quotes = Map.groupBy(
    readPage("docs/common-mistakes.md").blocks.filter(({ language }) => language === "text"),
    ({ section }) => section,
);

describe("The common mistakes", () => {
    const testbed = useTestbed();
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
        headings: string | readonly string[],
        program: () => string,
        env: Record<string, string | undefined> = {},
        command = "preview",
    ): void {
        mistake(headings, async () => {
            const stack = await testbed.stack(program());
            Object.assign(stack.env, env);
            const { output } = await stack.attempt(command, ...(command === "up" ? ["--yes", "--skip-preview"] : []));
            return output;
        });
    }

    mistakeIn("A wrong access token", trailer, { VIDEOGRAPH_SECRET_KEY: "that-of-another-token" }, "up");
    mistakeIn("A typo in a property", () => trailer().replace("title:", "titel:"));
    const none = { VIDEOGRAPH_ACCESS_TOKEN_ID: undefined, VIDEOGRAPH_SECRET_KEY: undefined };
    mistakeIn("No credentials", trailer, none, "up");
    // The discard port.
    mistakeIn("An address where nothing listens", trailer, { VIDEOGRAPH_BASE_URL: "http://127.0.0.1:9" }, "up");
    mistakeIn("A base URL with http", trailer, { VIDEOGRAPH_BASE_URL: "http://api.videograph.ai" });

    mistakeIn(
        [
            "A property as another language spells it",
            "An empty title",
            "Tags as one text",
            "A playback policy that does not exist",
            "A reserved key in the metadata",
            "Two subtitles in one language",
        ],
        () => `
            new videograph.Content("trailer", {
                title: "",
                content: [{ url: "https://media.example.com/trailer.mp4" }],
                playback_policy: ["public"],
                playbackPolicy: ["private"],
                tags: "launch,2026",
                metadata: { managed_by: "me" },
                subtitle: ["en", "EN"].map((languageCode) => ({
                    url: "https://media.example.com/" + languageCode + ".vtt",
                    languageCode,
                })),
            });`,
    );
    // The first resource with an error ends the program.
    mistakeIn(
        "A region that does not exist",
        () => 'new videograph.Livestream("live", { title: "a", region: "mars-1" });',
    );
    mistakeIn(
        "A clip that ends before it starts",
        () => 'new videograph.Clip("teaser", { contentId: "film", startTime: 20, endTime: 10 });',
    );
    mistakeIn(
        "A slash in the key of a library",
        () => 'new videograph.ContentLibrary("films", { contents: { "2026/ice": { title: "Ice", content: [] } } });',
    );

    mistakeIn("A page instead of a file", () => trailer(testbed.emulator.url), {}, "up");

    const adopting = (contentId: string, name = "trailer") =>
        `new videograph.Content("${name}", { title: "Trailer", importId: "${contentId}" });\n`;
    mistakeIn(
        "The id of a livestream for a content",
        () => adopting(testbed.emulator.addLivestream({ title: "Stage" }).streamUUID),
        {},
        "up",
    );
    mistakeIn("Two resources with one importId", () => {
        const { contentId } = testbed.emulator.addContent({ title: "Trailer" });
        return adopting(contentId, "a") + adopting(contentId, "b");
    });
    mistake("One object in two stacks", async () => {
        const value = "pulumi:shop/staging/trailer:11111111-22222222-33333333-0123456789ab";
        const metadata = [{ key: "managed_by", value }];
        const { contentId } = testbed.emulator.addContent({ title: "Trailer", metadata });
        return (await (await testbed.stack(adopting(contentId))).upFails()).output;
    });

    mistake(["A presigned URL that has expired", "A source that is not public"], async () => {
        await using server = await serve((request, response) => {
            response.writeHead(request.url?.includes("?") ? 403 : 401).end();
        });
        const source = `${server.url}/trailer.mp4`;
        const presigned = trailer(`${source}?X-Amz-Expires=3600&X-Amz-Signature=0815`, "presigned");
        return (await (await testbed.stack(presigned + trailer(source))).upFails()).output;
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
        stack.env.NODE_OPTIONS = `--require ${pretend}`;
        return (await stack.previewFails()).output;
    });

    mistake("A proxy that does not let the request through", async () => {
        const proxy = createServer();
        proxy.on("connect", (_request, socket) => {
            socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        });
        await once(proxy.listen(0, "127.0.0.1"), "listening");
        const { port } = proxy.address() as AddressInfo;
        try {
            const stack = await testbed.stack(trailer());
            for (const name of ["https_proxy", "http_proxy", "no_proxy", "HTTP_PROXY", "NO_PROXY", "grpc_proxy"]) {
                stack.env[name] = undefined;
            }
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
        await waitFor("the wait for Ready", () =>
            testbed.emulator.requests.some(({ method, path }) => method === "GET" && /contents\/./.test(path)),
        );
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

/** Anything may stand where the page has a name in angle brackets. */
function patternOf(quote: string): RegExp {
    const literals = normal(quote).split(/<\w+>/);
    return new RegExp(literals.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".{1,120}?"));
}

/** The page breaks lines where it likes. */
function normal(text: string): string {
    return text.replaceAll(/\s+/g, " ").trim();
}
