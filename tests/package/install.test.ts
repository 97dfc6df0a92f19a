/**
 * The packed packages in projects as users have them: the first page and the guide to unit tests as they say, with the real npm, and
 * what else npm and pnpm install: TypeScript, JavaScript, ES modules, Jest.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import { isolatedEnvironment, nodePath } from "../../tools/pulumiCli/environment.ts";
import { compile } from "../docs/checkPrograms.ts";
import { readPage } from "../docs/markdown.ts";
import { cheaperCommands, runsFaster } from "../examples/exampleStack.ts";
import { PulumiRun } from "../support/pulumiRun.ts";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";
import { bash } from "../support/workflow.ts";
import { repository, usePacked } from "./packages.ts";

const sdk = "3.270.0";

const packing = `npm pack --prefix "$clone" --workspace provider --workspace emulator --pack-destination "$PWD"`;

const shell = (page: string, heading: string) =>
    readPage(page)
        .blocks.filter(({ section, language }) => section === heading && language === "sh")
        .map(({ text }) => text.trim());

type Compiler = typeof import("typescript");
const manifestIn = async (folder: string) => JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

/** What decides in what `pulumi new typescript` writes: an old module resolution, which knows no `exports`. It includes every @types package. */
const templateConfig = {
    ...{ strict: true, target: "es2020", module: "commonjs", moduleResolution: "node", experimentalDecorators: true },
};

const usersTest = `
const pulumi = require("@pulumi/pulumi");
pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name + "-id", state: inputs }), call: () => ({}) });

test("creates resources", async () => {
    const { Content, Livestream } = require("pulumi-videograph");
    const content = new Content("trailer", { title: "Trailer", content: [{ url: "https://media.example/t.mp4" }] });
    const livestream = new Livestream("stage", { title: "Stage", region: "us-east-1" });
    const ids = await new Promise((resolve) => pulumi.all([content.id, livestream.id]).apply(resolve));
    expect(ids).toEqual(["trailer-id", "stage-id"]);
});
`;

describe("The packed packages, installed", () => {
    const packed = usePacked();
    const testbed = useTestbed();
    const guide = readPage("docs/guides/unit-tests.md");
    // Those of other languages: native/sdks.test.ts.
    const typed = guide.blocks.filter(({ language, section = "" }) => language === "sh" && !section.startsWith("In "));
    const commands = typed.map(({ text }) => text);
    /** Where the first page is followed; what it installs serves everything else too. */
    let installed: string;
    /** Of a reader who answers yes. */
    let env: Record<string, string>;

    before("npm install, as the first page says", async function () {
        installed = await mkdtemp(join(tmpdir(), "videograph-npm-"));
        const stacks = { backend: installed, home: join(installed, ".home"), passphrase: "typed" };
        env = await runsFaster(isolatedEnvironment(testbed.cli, stacks));
        env.PULUMI_SKIP_CONFIRMATIONS = "true";
        await writeFiles("README.md");
        const [start = ""] = shell("README.md", "Quickstart without an account");
        const [, ...lines] = start.split("\n");
        // It builds both packages, and tests run against a build. What it makes is there in its place.
        assert.equal(lines.shift(), packing);
        for (const { tarball } of Object.values(packed)) await copyFile(tarball, join(installed, basename(tarball)));
        const [, own = assert.fail()] = /^npm install (.+)$/.exec(lines.shift() ?? "") ?? [];
        // What the guide to unit tests installs, and Jest, by the same run of npm: one more would cost as much again.
        const [, names = assert.fail()] = /^npm install --save-dev (.+)$/.exec(commands.shift()?.trim() ?? "") ?? [];
        const more = names.replace(/ videograph-emulator$/, "").split(" ");
        await install("npm", installed, ...own.split(" "), ...more, "jest@^30").catch((error: Error) => {
            // Without a registry nothing can be installed, and nothing is learned from that.
            if (process.env.CI || !/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT/.test(error.message)) throw error;
            this.skip();
        });
    });
    after(async () => {
        if (installed !== undefined) await rm(installed, { recursive: true, force: true, maxRetries: 5 });
    });

    /** Writes the files that the page's blocks are. */
    async function writeFiles(page: string): Promise<void> {
        for (const { file, text } of readPage(page).blocks)
            if (file !== undefined) await writeFile(join(installed, file), text);
    }

    it("let the first page be followed: a playable video without an account, and without a CLI that was there before", async function () {
        if (process.platform === "win32") return this.skip();
        const { version } = await manifestIn(join(installed, "node_modules", "pulumi"));
        // Where Pulumi's npm package downloads its CLI to. The reader has no other.
        const versions = join(installed, ".home", "versions", version);
        await mkdir(versions, { recursive: true });
        await symlink(testbed.cli.folder, join(versions, "bin"));
        const withoutCli = (env.PATH ?? "").split(delimiter).filter((folder) => !existsSync(join(folder, "pulumi")));
        const [start, trial, end] = shell("README.md", "Quickstart without an account");
        assert.ok(start && trial && end);
        assert.match(start, /\nnpx videograph-emulator$/);
        const emulator = new PulumiRun("npx", ["videograph-emulator", "--port", "0"], installed, env);
        try {
            await waitFor("the emulator", () => emulator.output.includes("\nA video to try"));
            const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(emulator.output) ?? [];
            const atPort = (text: string) => text.replaceAll("4410", port);
            // What the page says that it prints.
            for (const line of trial.match(/^export VIDEOGRAPH_.*$/gm) ?? [])
                assert.ok(emulator.output.includes(atPort(line)), emulator.output);
            const program = join(installed, "index.ts");
            await writeFile(program, atPort(await readFile(program, "utf8")));
            const plays = 'curl --fail --silent --show-error --output played "$(npx pulumi stack output playbackUrl)"';
            // Without types, which another test checks.
            const script = cheaperCommands(atPort([trial, plays, end].join("\n")));
            const output = await bash(script, installed, { ...env, PATH: withoutCli.join(delimiter) });
            assert.match(output, /3 created[\s\S]*has been removed/);
        } finally {
            emulator.interrupt();
            await emulator.result;
        }
    });

    it("installed by pnpm, run in JavaScript where the program depends on them (without that: tests/docs/troubleshooting.test.ts), and as ES module", async () => {
        const required = `const videograph = require("pulumi-videograph");\n`;
        const imported = `import * as videograph from "pulumi-videograph";\n`;
        const program = (name: string) =>
            `const ${name} = new videograph.Content("${name}", { title: "${name}", content: [{ url: "${testbed.media.video()}" }] });\n`;
        const stack = await testbed.stack("");
        const own = { "@pulumi/pulumi": sdk, "pulumi-videograph": `file:${packed.provider.tarball}` };
        const manifest = { name: "videos", version: "1.0.0", dependencies: own };
        await stack.write("videos/package.json", JSON.stringify(manifest));
        await stack.write("videos/index.js", required + program("one"));
        await stack.write("index.js", `module.exports = require("videos");\n`);
        const dependencies = { ...own, videos: "file:./videos" };
        // The SDK with its hundreds of packages is installed already.
        const overrides = { "@pulumi/pulumi": `link:${join(installed, "node_modules", "@pulumi", "pulumi")}` };
        await stack.write("package.json", JSON.stringify({ private: true, dependencies, pnpm: { overrides } }));
        await rm(join(stack.folder, "node_modules"));
        await install("pnpm", stack.folder);
        await stack.up();
        await stack.write("package.json", JSON.stringify({ private: true, type: "module", main: "index.js" }));
        const both = program("one") + program("two");
        await stack.write("index.js", `${imported}${both}export const url = two.playbackUrl;\n`);
        const { output } = await stack.up();
        assert.match(output, /url: "[^"]+\.m3u8/);
        const writes = sent(testbed.emulator).filter((request) => !request.startsWith("GET "));
        assert.deepEqual(writes, ["POST /contents", "POST /contents"]);
    });

    it("run the tests of the guide: with mocks, and with the emulator", async function () {
        if (process.platform === "win32") return this.skip();
        await writeFiles(guide.path);
        // The next test but one checks their types.
        const output = await bash(commands.join("\n"), installed, { ...env, TS_NODE_TRANSPILE_ONLY: "true" });
        assert.equal([...output.matchAll(/1 passing/g)].length, 2);
    });

    const quickstart = () =>
        readPage("docs/_index.md").blocks.find(({ language }) => language === "ts")?.text ?? assert.fail();

    it("run the quickstart in TypeScript with the native types: nothing but npm is needed", async () => {
        const stack = await testbed.stack("");
        // The plugin is not there yet.
        for (const name of ["index.js", "node_modules", "home/plugins"])
            await rm(join(stack.folder, name), { force: true });
        await symlink(join(installed, "node_modules"), join(stack.folder, "node_modules"));
        await stack.write("index.ts", quickstart());
        await stack.write("tsconfig.json", '{ "compilerOptions": { "module": "nodenext", "target": "es2023" } }');
        await stack.config("e2e:sourceUrl", `${testbed.media.video()}?signature=presigned-4c1f`, "secret");
        // The next test but one checks them.
        stack.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
        await stack.up();
        const [content] = testbed.emulator.contents();
        const [stream] = testbed.emulator.livestreams();
        const { contentId, streamKey } = await stack.outputs();
        assert.deepEqual([contentId, streamKey], [content?.contentId, stream?.streamKey]);
        const { version } = await manifestIn(join(repository, "provider"));
        assert.ok(existsSync(join(stack.folder, "home", "plugins", `resource-videograph-v${version}`)));
    });

    it("have types that compile without skipLibCheck in ES modules and CommonJS, with the tests of the guide", async () => {
        await writeFiles(guide.path);
        const types = await readFile(join(import.meta.dirname, "publicTypes.ts"), "utf8");
        for (const file of ["types.cts", "types.mts"]) await writeFile(join(installed, file), types);
        const ofTheGuide = guide.blocks.flatMap(({ file }) => (file?.endsWith(".ts") ? [file] : []));
        assert.ok(ofTheGuide.length >= 3);
        const compilerOptions = {
            ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
            ...{ target: "es2022", module: "nodenext", types: ["node", "mocha"] },
        };
        const files = ["types.cts", "types.mts", ...ofTheGuide];
        const found = await compile(installed, { compilerOptions, files });
        // What others declare is theirs.
        const own = /^(?!node_modules|\.\.)|node_modules\/(pulumi-videograph|videograph-emulator)\//;
        const problems = found.filter(({ file }) => own.test(file));
        assert.deepEqual(problems, []);
    });

    it("compile in a project as `pulumi new` sets it up, with the quickstart", async () => {
        const folder = join(installed, "template");
        await mkdir(folder);
        await writeFile(join(folder, "index.ts"), quickstart());
        await cp(join(import.meta.dirname, "publicTypes.ts"), join(folder, "types.ts"));
        const native = await readFile(join(import.meta.dirname, "nativeTypes.ts"), "utf8");
        await writeFile(join(folder, "nativeTypes.ts"), native.replace("./publicTypes.ts", "./types"));
        await writeFile(
            join(folder, "emulator.ts"),
            `import { startEmulator, type Fault, type Variants } from "videograph-emulator";
            const faults: Fault[] = [{ kind: "lateAcceptance", ms: 1, status: 504 }];
            const variants: Partial<Variants> = { createCode: 200, pastEnd: 404, listedAfterMs: 9 };
            export const titles = startEmulator({ faults, variants, processingTimeMs: (create) => create.title.length })
                .then((emulator) => emulator.contents().map(({ title }) => title));
            // @ts-expect-error: no such value
            export const wrong: Partial<Variants> = { createCode: 202 };`,
        );
        // An older compiler, which attw has.
        const attw = createRequire(import.meta.url).resolve("@arethetypeswrong/core");
        const ts: Compiler = createRequire(attw)("typescript");
        assert.match(ts.version, /^5\./);
        const files = ["index.ts", "types.ts", "nativeTypes.ts", "emulator.ts"];
        const config = { compilerOptions: templateConfig, files };
        const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
        const program = ts.createProgram(fileNames, options);
        // Declarations of our packages too, as without `skipLibCheck`: to check those of others takes twice as long.
        const own = /node_modules\/(pulumi-videograph|videograph-emulator)\//;
        const isChecked = (name: string) => fileNames.includes(name) || own.test(name);
        const checked = program.getSourceFiles().filter(({ fileName }) => isChecked(fileName));
        assert.ok(checked.length > fileNames.length);
        const found = checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
        const problems = [...errors, ...found].map(
            ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
        );
        assert.deepEqual(problems, []);
    });

    it("have commands that run where npm has put them, the emulator as its image starts it and asks for its health", async function () {
        if (process.platform === "win32") return this.skip();
        const help = await bash("node_modules/.bin/pulumi-videograph --help", installed, env);
        assert.match(help, /^ +adopt +Brings existing contents/m);
        const dockerfile = await readFile(join(repository, "emulator", "Dockerfile"), "utf8");
        const words = (instruction: RegExp) => JSON.parse(instruction.exec(dockerfile)?.[1] ?? "null") as string[];
        const options = [...words(/^ENTRYPOINT (.*)/m).slice(1), ...words(/^CMD (.*)/m), "--port", "0"];
        const emulator = new PulumiRun("node_modules/.bin/videograph-emulator", options, installed, env);
        try {
            const [, port = ""] = await waitFor("the emulator", () => /:(\d+)\n/.exec(emulator.output) ?? undefined);
            const [node = "", ...check] = words(/^ +CMD (.*)/m);
            const atPort = check.map((word) => word.replace("4410", port));
            await promisify(execFile)(node, atPort, { env });
        } finally {
            emulator.signal("SIGTERM");
        }
        const { code, output } = await emulator.result;
        assert.equal(code, 0, output);
    });

    it("let resources be created in a user's test under Jest, whose module loader differs from Node's in small ways", async () => {
        await writeFile(join(installed, "resources.test.js"), usersTest);
        const jest = join(installed, "node_modules", "jest", "bin", "jest.js");
        await promisify(execFile)(process.execPath, [jest, "--ci", "resources.test.js"], { cwd: installed, env });
    });
});

/** Installs what the folder's package.json names, and more. The store of pnpm is beside the project: nothing is kept, and files can be linked. */
async function install(manager: "npm" | "pnpm", folder: string, ...more: string[]): Promise<void> {
    const own = {
        npm: ["--no-audit", "--no-fund"],
        pnpm: ["--no-frozen-lockfile", "--store-dir", join(folder, ".pnpm-store")],
    };
    const args = ["install", "--ignore-scripts", "--prefer-offline", ...own[manager], ...more];
    // What `npm test` tells its children of this repository is no business of another project's installation.
    const foreign = /^(PATH|INIT_CWD|NODE_ENV|npm_(package|lifecycle|config_local_prefix)\w*)$/i;
    const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
    const env = { ...Object.fromEntries(kept), PATH: [nodePath, process.env.PATH].join(delimiter) };
    const options = { cwd: folder, env, maxBuffer: 16 * 1024 * 1024, shell: process.platform === "win32" };
    const { stderr } = await promisify(execFile)(manager, args, options).catch(
        ({ message, stdout }: Error & { stdout: string }) => assert.fail(`${message}\n${stdout}`),
    );
    assert.doesNotMatch(stderr, /unmet peer|ERESOLVE/i);
}
