/**
 * The quickstarts, the pages of examples that no other test runs, unit tests and SKILL.md, typed: from an empty folder with the
 * packed packages and nothing else, each page's blocks are followed in order with the real npm and the real Pulumi CLI. The emulator
 * is the service. The commands of all other pages are checked by codeBlocks.test.ts.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { startsFaster } from "../examples/exampleStack.ts";
import { usePacked } from "../package/packages.ts";
import { registryAnswers } from "../package/userProject.ts";
import { compileCache } from "../support/compileCache.ts";
import { killAll, processesIn } from "../support/processes.ts";
import { sent } from "../support/requests.ts";
import { type CodeBlock, pages, parsePage, readPage, repository } from "./markdown.ts";
import { Typist, type TypistOptions } from "./typist.ts";

/** As they look on the service. The CLI takes such ids for secrets. */
const token = { id: "8f14e45f-ceea-467f-9d3c-5a1b2c3d4e5f", secret: "q3Zr9xT1vW8yB5nM2kL7pJ4hG6fD0sA3" };
const values = {
    "access token id": token.id,
    "secret key": token.secret,
    "new id": token.id,
    "new key": token.secret,
    organization: "organization",
};

describe("What the pages say to type", function () {
    this.timeout(300_000);
    if (process.platform === "win32") return;
    const packed = usePacked();
    /** Where the first page is followed; what it installs serves the other pages too. */
    let home: string;
    let env: Record<string, string>;
    /** In place of the emulator's own port, which may be taken on this machine. */
    let port: number;
    const onThisMachine = (text: string) => ownPackages(text).replaceAll("4410", String(port));
    const cleanUp: (() => Promise<void>)[] = [];

    before("npm install, as the first page says", async function () {
        this.timeout(20 * 60_000);
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            this.skip();
        }
        home = await mkdtemp(join(tmpdir(), "videograph-typed-"));
        port = await freePort();
        const backend = join(home, ".state");
        const pulumiHome = join(home, ".pulumi-home");
        for (const path of [backend, pulumiHome]) await mkdir(path);
        env = {
            ...isolatedEnvironment(await obtainPulumiCli(), { backend, home: pulumiHome, passphrase: "typed" }),
            ...npmSettings(),
            NODE_COMPILE_CACHE: compileCache,
            // A reader answers yes.
            PULUMI_SKIP_CONFIRMATIONS: "true",
            npm_config_prefer_offline: "true",
        };
        const typist = open({ folder: home });
        await typist.follow(files("README.md"));
        await typist.follow(section("README.md", "Quickstart without an account", /^npm install$/));
    });
    afterEach(async () => {
        for (const end of cleanUp.splice(0).reverse()) await end();
    });
    after(async () => {
        if (home === undefined) return;
        killAll(processesIn(home));
        await rm(home, { recursive: true, force: true, maxRetries: 5 });
    });

    function open(options: Pick<TypistOptions, "folder"> & Partial<TypistOptions>): Typist {
        const typist = new Typist({
            env,
            values,
            edit: onThisMachine,
            ...options,
        });
        cleanUp.push(() => typist.close());
        return typist;
    }

    /** The packages are not published: the tarballs are installed in their place. */
    function ownPackages(text: string): string {
        const tarballs = {
            "pulumi-videograph": packed.provider.tarball,
            "videograph-emulator": packed.emulator.tarball,
        };
        let edited = text;
        for (const [name, tarball] of Object.entries(tarballs)) {
            edited = edited.replace(
                new RegExp(`"${name}": "\\^[\\d.]+"`),
                `"${name}": ${JSON.stringify(`file:${tarball}`)}`,
            );
            if (/^npm install /.test(text))
                edited = edited.replace(new RegExp(`(?<= )${name}(@latest)?(?= |$)`), tarball);
        }
        return edited;
    }

    /** A project with a stack of its own, in which the packages are installed, and a service. */
    async function project(name: string, options: EmulatorOptions = {}) {
        const emulator = await startEmulator({
            tokens: [token],
            processingTimeMs: 200,
            fetchSources: false,
            ...options,
        });
        cleanUp.push(() => emulator.close());
        const folder = await mkdtemp(join(tmpdir(), `videograph-${name}-`));
        cleanUp.push(async () => {
            killAll(processesIn(folder));
            await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        });
        await symlink(join(home, "node_modules"), join(folder, "node_modules"));
        await writeFile(join(folder, "package.json"), '{ "private": true }\n');
        await writeFile(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
        const backend = join(folder, ".state");
        await mkdir(backend);
        const own = { ...env, ...emulator.env, PULUMI_BACKEND_URL: `file://${backend}`, ...startsFaster };
        return { emulator, folder, env: own, typist: open({ folder, env: own }) };
    }

    it("first page: a playable video without an account, and with one", async () => {
        const without = "Quickstart without an account";
        const accountValues = { ...values, "URL of an MP4, MOV or M4V file": `http://127.0.0.1:${port}/sample.mp4` };
        let printed = "";
        const typist = open({
            folder: home,
            ownTerminal: (line) =>
                line === "npx videograph-emulator"
                    ? startsEmulator().then((text) => {
                          printed = text;
                      })
                    : undefined,
        });
        await typist.follow(section("README.md", without, /^npx /));
        const output = await typist.follow(section("README.md", without, /^export /));
        for (const line of exportLines("README.md", without)) assert.ok(printed.includes(onThisMachine(line)), printed);
        assert.match(output, /3 created/);
        const [, playbackUrl = ""] = /playbackUrl\s*: "([^"]+)"/.exec(output) ?? [];
        assert.equal((await fetch(playbackUrl)).status, 200);
        assert.match(await typist.follow(section("README.md", without, /^pulumi destroy$/)), /has been removed/);

        // In the folder of the quickstart, whose page has the same lines. Here, the emulator is the service that the account is of.
        const [unset, ...account] = section("examples/quickstart/README.md", "With your account").flatMap(
            linesAsBlocks,
        );
        assert.ok(unset);
        const reader = open({
            folder: await example("quickstart"),
            env: { ...env, ...startsFaster },
            values: accountValues,
            edit: withoutPreview,
        });
        await reader.follow([unset]);
        await reader.line(`export VIDEOGRAPH_BASE_URL=http://127.0.0.1:${port}`);
        assert.match(await reader.follow(account), /3 created/);
    });

    it("first page: its program is the quickstart's", async () => {
        const [program] = files("README.md").filter(({ file }) => file === "index.ts");
        assert.equal(program?.text, await readFile(join(repository, "examples", "quickstart", "index.ts"), "utf8"));
        // Both pages have the same lines; the first page has its own state.
        const lines = (page: string, heading: string) => section(page, heading).flatMap(linesAsBlocks);
        for (const heading of ["without an account", "with your account"]) {
            const first = lines("README.md", `Quickstart ${heading}`);
            const quickstart = lines("examples/quickstart/README.md", heading.replace("w", "W"));
            const shared = first.filter(
                ({ language, text }) => language === "sh" && !text.includes("PULUMI_BACKEND_URL"),
            );
            assert.deepEqual(
                quickstart.filter(({ language }) => language === "sh").map(({ text }) => text),
                shared.map(({ text }) => text),
            );
        }
    });

    it("every `pulumi config set` of every page, with values as they look on the service", async () => {
        const { typist } = await project("config");
        await typist.line("pulumi stack init dev");
        const blocks = pages().flatMap((page) => page.blocks.filter(({ language }) => language === "sh"));
        const settings = blocks
            .flatMap(linesAsBlocks)
            .filter(({ text }) => /^pulumi config set /.test(text))
            .map((block) => ({
                ...block,
                text: block.text.replace(/ && .*/, "").replace(/<(URL|organization)[^>]*>/, "x"),
            }));
        assert.ok(settings.length > 15);
        // Several pages have the same line.
        await typist.follow(settings.filter(({ text }, at) => settings.findIndex((one) => one.text === text) === at));
        const wrong = parsePage(
            "docs/sample.md",
            "```sh\npulumi config set videograph:accessTokenId <access token id>\n```\n",
        );
        await assert.rejects(typist.follow(wrong.blocks), /docs\/sample\.md:2: .*looks like a secret/s);
    });

    it("the page of the example live-event: the key comes to the encoder, and is in plain text nowhere on the way", async () => {
        const { emulator, folder: own, env } = await project("live-event");
        const folder = await example("live-event");
        const typist = open({ folder, env, ownTerminal: installed });
        const [event, encoder, onAir, newKey] = shellBlocks("examples/live-event/README.md");
        assert.ok(event && encoder && onAir && newKey);
        const stream = () => {
            const [livestream, ...more] = emulator.livestreams();
            assert.ok(livestream !== undefined && more.length === 0, "There should be one livestream");
            return livestream;
        };
        const service = async () => {
            const text = await readFile(join(folder, "encoder", "service.json"), "utf8");
            await rm(join(folder, "encoder", "service.json"));
            return (JSON.parse(text) as { settings: object }).settings;
        };
        let shown = await typist.follow([event]);
        assert.match(shown, /streamKey\s*: \[secret\][\s\S]*\.m3u8$/m);
        assert.equal(stream().record, true);
        const { streamKey, streamUUID } = stream();
        const later = open({ folder, env, edit: withoutPreview });
        shown += await later.follow([encoder]);
        assert.match(shown, /obsService\s*: \[secret\]/);
        const [, server] = /ingestUrl\s*: "(rtmps:[^"]+)"/.exec(shown) ?? [];
        assert.deepEqual(await service(), { server, key: streamKey, use_auth: false });

        // On air, it can lose nothing but its title.
        await typist.line('pulumi config set title "Harbour concert, second night"');
        shown += await later.follow([onAir]);
        assert.match(await typist.fails("pulumi destroy --skip-preview"), /protect/);
        assert.deepEqual([stream().streamUUID, stream().title], [streamUUID, "Harbour concert, second night"]);

        shown += await later.follow([newKey]);
        assert.notEqual(stream().streamUUID, streamUUID);
        assert.notEqual(stream().streamKey, streamKey);
        const again = linesAsBlocks(encoder).find(({ text }) => text.includes("service.json"));
        await typist.line(`cd encoder; ${again?.text}`);
        assert.deepEqual(await service(), { server, key: stream().streamKey, use_auth: false });

        const files = [own, folder]
            .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
            .filter((file) => file.isFile() && !file.parentPath.includes("node_modules"))
            .map(({ parentPath, name }) => join(parentPath, name));
        assert.ok(files.some((path) => path.includes("history")));
        for (const text of [shown, ...files.map((path) => readFileSync(path, "utf8"))])
            for (const key of [streamKey, stream().streamKey, token.secret])
                for (const form of [key, Buffer.from(key).toString("base64")]) assert.ok(!text.includes(form), text);
    });

    it("the page of the example multi-environment: nothing gets into the wrong one, also with another key", async () => {
        const other = { id: "5b7e9d1c-20f4-4c8a-9b36-7f1e2d3c4b5a", secret: "p8Vn2bX5kQ7wZ1sL4tR9yC6mH3gJ0dF2" };
        const tokens = [
            { ...token, environmentId: 1 },
            { ...other, environmentId: 2 },
        ];
        const { emulator, env } = await project("multi-environment", { tokens });
        const notice = emulator.addContent({ title: "Notice", tags: ["legal"] }, 2);
        const folder = await example("multi-environment");
        const typist = open({
            folder,
            env: withoutCredentials(env),
            edit: (line) =>
                line.includes(" production:")
                    ? line.replace(token.id, other.id).replace(token.secret, other.secret)
                    : withoutPreview(line),
            ownTerminal: installed,
        });
        await typist.follow(shellBlocks("examples/multi-environment/README.md"));
        const titles = (environment: number) =>
            emulator
                .contents(environment)
                .map(({ title }) => title)
                .sort();
        assert.deepEqual(titles(1), ["A tour of the house", "How it began", "What comes next"]);
        assert.deepEqual(titles(2), ["A tour of the house", "How it began", "Notice"]);
        for (const content of emulator.contents(1))
            assert.deepEqual([content.playbackPolicy, content.testVideo], [["signed"], true]);

        interface Site {
            playbackUrls: Record<string, string>;
            legalNotices: string[];
            signingKeyIds: string[];
        }
        const outputs = await typist.line("pulumi stack output --json");
        const { staging, production } = JSON.parse(outputs) as Record<"staging" | "production", Site>;
        assert.deepEqual([staging.legalNotices, production.legalNotices.length], [[], 1]);
        assert.ok(production.legalNotices[0]?.includes(notice.contentId));
        assert.equal((await fetch(production.playbackUrls.tour ?? "")).status, 200);
        assert.equal((await fetch(staging.playbackUrls.tour ?? "")).status, 403);
        for (const [at, { signingKeyIds }] of [staging, production].entries()) {
            const keys = emulator.signingKeys(at + 1).filter(({ productTypeId }) => productTypeId === 1);
            assert.deepEqual(
                signingKeyIds,
                keys.map(({ signingKeyId }) => signingKeyId),
            );
        }

        // A video is approved, and the token of production is another one.
        const rotated = { id: "e3c1a5d7-48b2-4f6e-8a90-1b2c3d4e5f60", secret: "t6Bw1nK8xM3vQ5zJ7rP2fD9hG4sL0cY1" };
        emulator.addToken({ ...rotated, environmentId: 2 });
        for (const [key, value] of [
            ["accessTokenId", rotated.id],
            ["secretKey", rotated.secret],
        ])
            await typist.line(`pulumi config set --secret production:${key} ${value}`);
        const videos = join(folder, "videos.ts");
        await writeFile(videos, (await readFile(videos, "utf8")).replace("approved: false", "approved: true"));
        emulator.clearRequests();
        await typist.line("pulumi up --skip-preview");
        assert.deepEqual(
            sent(emulator).filter((request) => !request.startsWith("GET ")),
            ["POST /contents"],
        );
        assert.deepEqual(titles(2), ["A tour of the house", "How it began", "Notice", "What comes next"]);
        emulator.revokeToken(other.id);
        await typist.line("pulumi refresh --skip-preview --expect-no-changes");
        await typist.line("pulumi destroy --skip-preview");
        assert.deepEqual([titles(1), titles(2)], [[], ["Notice"]]);
    });

    it("the page of the example video-library: its preview needs no credentials", async () => {
        const { emulator, env } = await project("video-library");
        const typist = open({
            folder: await example("video-library"),
            env: withoutCredentials(env),
            ownTerminal: installed,
        });
        const lines = shellBlocks("examples/video-library/README.md").flatMap(linesAsBlocks);
        const preview = lines.findIndex(({ text }) => text.startsWith("pulumi preview")) + 1;
        assert.match(await typist.follow(lines.slice(0, preview)), /6 to create|\+ \d+ to create/);
        assert.deepEqual(emulator.requests, []);
        const output = await typist.follow(lines.slice(preview));
        assert.match(output, /"lighthouse\/keepers": ?\{/);
        assert.equal(emulator.contents().length, 6);
    });

    it("unit tests: with mocks, and with the emulator", async () => {
        const page = readPage("docs/guides/unit-tests.md");
        const output = await open({ folder: home }).follow(page.blocks);
        assert.equal([...output.matchAll(/1 passing/g)].length, 2);
    });

    it("the ten tasks of the package's SKILL.md, one after the other", async () => {
        const { emulator, env, folder } = await project("skill");
        const skill = readPage("provider/SKILL.md");
        const headings = [...skill.text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
        assert.equal(headings.length, 10);
        const ownTerminal = (line: string) =>
            line === "npx videograph-emulator" ? Promise.resolve() : installed(line);
        const own = { ...env, PULUMI_SKIP_CONFIRMATIONS: "" };
        const typist = open({ folder, env: own, ownTerminal, edit: withoutPreview });
        const task = (number: number) => section("provider/SKILL.md", headings[number - 1] ?? "");
        const [setup] = task(1);
        assert.ok(setup);
        await typist.follow([setup]);
        assert.match(await typist.follow(task(2)), /3 created[\s\S]*\.m3u8/);
        assert.match(await typist.follow(task(3)), /\d+ (checks|ok)|journal/i);

        const [trailer] = emulator.contents();
        emulator.updateContent(trailer?.contentId ?? "", { title: "Changed by hand" });
        const [find, undo] = task(4).flatMap(linesAsBlocks);
        assert.ok(find && undo);
        assert.match(await typist.fails(find.text), /Changed by hand/);
        await typist.follow([undo, find]);
        assert.equal(emulator.contents()[0]?.title, "Trailer");

        const lines = task(5).flatMap(linesAsBlocks);
        await typist.follow(lines.slice(-1));
        const [stage] = emulator.livestreams();
        const [show, replace] = task(6).flatMap(linesAsBlocks);
        assert.ok(show && replace);
        const [urn = ""] = /urn:\S+::stage/.exec(await typist.follow([show])) ?? [];
        const filled = open({ folder, env, values: { urn } });
        await filled.follow([replace]);
        const live = emulator.livestreams().filter(({ status }) => status !== "Deleting");
        assert.deepEqual([live.length, live[0]?.streamKey === stage?.streamKey], [1, false]);

        assert.match(await typist.follow(task(7)), /3 unchanged/);
        assert.match(await typist.follow(task(8)), /No orphans of skill\/dev/);
        emulator.addContent({ title: "Old film", tags: ["old"] });
        assert.match(await typist.follow(task(9)), /= 1 imported/);
        emulator.clearRequests();
        assert.match(await typist.follow(task(10)), /4 unchanged/);
        assert.deepEqual(
            sent(emulator).filter((request) => !request.startsWith("GET ")),
            [],
        );
    });

    it("a command or a file that is wrong is found", async () => {
        const { typist } = await project("wrong");
        const broken = readPage("README.md").text.replace("pulumi stack init dev", "pulumi stack intit dev");
        const lines = parsePage("README.md", broken).blocks.filter(({ text }) => text.includes("intit"));
        assert.equal(lines.length, 1);
        await assert.rejects(typist.follow(lines), /README\.md:\d+: `pulumi stack intit dev` failed/);
        const unknown = parsePage("docs/sample.md", "```sh\npulumi stack init <something>\n```\n");
        await assert.rejects(typist.follow(unknown.blocks), /nobody knows what to type for <something>/);
    });

    /** An example in a folder of its own, with the packages of this repository in place of its `npm install`. */
    async function example(name: string): Promise<string> {
        const folder = await mkdtemp(join(tmpdir(), `videograph-${name}-`));
        cleanUp.push(async () => {
            killAll(processesIn(folder));
            await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        });
        const isOwn = (path: string) => basename(path) !== "node_modules";
        await cp(join(repository, "examples", name), folder, { recursive: true, filter: isOwn });
        await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
        return folder;
    }

    function installed(line: string): Promise<void> | undefined {
        return /^npm install( |$)/.test(line) ? Promise.resolve() : undefined;
    }

    /** `npx videograph-emulator` as the page has it, on a port that is free here. Resolves with what it prints. */
    async function startsEmulator(line = "npx videograph-emulator", cwd = home): Promise<string> {
        const account = ["emulator-token-id:emulator-secret-key", `${token.id}:${token.secret}`];
        const [npx = "", ...given] = line.split(" ");
        const args = [...given, "--port", String(port), ...account.flatMap((text) => ["--token", text])];
        const emulator = spawn(npx, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
        cleanUp.push(() => endGroup(emulator));
        let printed = "";
        for await (const line of createInterface(emulator.stdout)) {
            printed += `${line}\n`;
            if (line.startsWith("A video to try")) break;
        }
        return printed;
    }
});

/** How this machine's npm reaches its registry. */
function npmSettings(): Record<string, string> {
    const settings = Object.entries(process.env).filter(([name]) =>
        /^(npm_config_(registry|userconfig|cache|cafile|\w*proxy)|NODE_EXTRA_CA_CERTS)$/i.test(name),
    );
    return Object.fromEntries(settings.map(([name, value]) => [name, value ?? ""]));
}

/** npx leaves its program behind when it alone is ended. */
async function endGroup(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.pid === undefined) return;
    const ended = once(child, "exit");
    process.kill(-child.pid, "SIGTERM");
    await ended;
}

function withoutCredentials(env: Readonly<Record<string, string>>): Record<string, string> {
    const { VIDEOGRAPH_ACCESS_TOKEN_ID: _, VIDEOGRAPH_SECRET_KEY: __, ...rest } = env;
    return rest;
}

/**
 * A `pulumi up` shows a preview of its own before anything is done. It is typed as it stands where a program is run for the first
 * time.
 */
function withoutPreview(text: string): string {
    return text.replaceAll(/\bpulumi (up|destroy)\b/g, "$& --skip-preview");
}

function shellBlocks(page: string): CodeBlock[] {
    return readPage(page).blocks.filter(({ language }) => language === "sh");
}

function files(page: string): readonly CodeBlock[] {
    return readPage(page).blocks.filter(({ file }) => file !== undefined);
}

/** The blocks of a section; with a pattern, those lines of its shell blocks that belong to the block that has such a line. */
function section(page: string, heading: string, line?: RegExp): readonly CodeBlock[] {
    const blocks = readPage(page).blocks.filter((block) => block.section === heading);
    assert.ok(blocks.length > 0, `${page} has no section "${heading}" with code`);
    if (line === undefined) return blocks;
    const shell = blocks.filter(({ language, text }) => language === "sh" && new RegExp(line, "m").test(text));
    assert.equal(shell.length, 1, `${page}: one block of "${heading}" has a line like ${line}`);
    return shell.flatMap((block) =>
        // The first page installs and starts the emulator in one block: here each has its turn.
        /^npm install\nnpx /.test(block.text) ? linesAsBlocks(block).filter(({ text }) => line.test(text)) : [block],
    );
}

function linesAsBlocks(block: CodeBlock): CodeBlock[] {
    return block.text
        .split("\n")
        .map((text, at) => ({ ...block, line: block.line + at, text }))
        .filter(({ text }) => text !== "");
}

function exportLines(page: string, heading: string): string[] {
    return section(page, heading, /^export /)
        .flatMap(linesAsBlocks)
        .map(({ text }) => text)
        .filter((text) => text.startsWith("export VIDEOGRAPH_"));
}

async function freePort(): Promise<number> {
    const probe: Emulator = await startEmulator();
    await probe.close();
    return Number(new URL(probe.url).port);
}
