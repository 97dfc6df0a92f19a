/** The packed packages in projects as users have them: installed by npm and pnpm, in TypeScript, JavaScript and ES modules, under Jest. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pages } from "../docs/markdown.ts";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { repository, usePacked } from "./packages.ts";
import { installIn, registryAnswers, run } from "./userProject.ts";

const sdk = "3.270.0";

/** What `pulumi new typescript` writes: an old module resolution, which knows no `exports`, and every @types package is included. */
const templateConfig = {
    compilerOptions: {
        strict: true,
        outDir: "bin",
        target: "es2020",
        module: "commonjs",
        moduleResolution: "node",
        sourceMap: true,
        experimentalDecorators: true,
        pretty: true,
        noFallthroughCasesInSwitch: true,
        noImplicitReturns: true,
        forceConsistentCasingInFileNames: true,
    },
    files: ["index.ts"],
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

    /** A folder where npm has installed them, for all tests that can share one. */
    let installed: string;

    before("npm install", async function () {
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            this.skip();
        }
        installed = await mkdtemp(join(tmpdir(), "videograph-npm-"));
        await installIn(installed, "npm", {
            "@pulumi/pulumi": sdk,
            "pulumi-videograph": `file:${packed.provider.tarball}`,
            "videograph-emulator": `file:${packed.emulator.tarball}`,
            typescript: "^5.0.0",
            "@types/node": "^22",
            jest: "^30.0.0",
        });
    });
    after(async () => {
        if (installed !== undefined) await rm(installed, { recursive: true, force: true });
    });

    /** A project with what npm has installed, and no program yet. */
    async function project(): Promise<TestStack> {
        const stack = await testbed.stack("");
        // The plugin is not there yet either.
        for (const name of ["index.js", "node_modules", "home/plugins"])
            await rm(join(stack.folder, name), { force: true });
        await symlink(join(installed, "node_modules"), join(stack.folder, "node_modules"));
        return stack;
    }
    const program = (...names: string[]) =>
        names
            .map(
                (name) =>
                    `const ${name} = new videograph.Content("${name}", { title: "${name}", content: [{ url: "${testbed.media.video()}" }] });\n`,
            )
            .join("");
    const required = `const videograph = require("pulumi-videograph");\n`;
    const imported = `import * as videograph from "pulumi-videograph";\n`;
    const titles = () =>
        testbed.emulator
            .contents()
            .map(({ title }) => title)
            .sort();

    it("run the quickstart in TypeScript as `pulumi new` sets it up, with the native types: nothing but npm is needed", async () => {
        const page = pages().find(({ path }) => path === "docs/_index.md");
        const stack = await project();
        await stack.write("index.ts", page?.blocks.find(({ language }) => language === "ts")?.text ?? assert.fail());
        await stack.write("tsconfig.json", JSON.stringify(templateConfig));
        await stack.config("e2e:sourceUrl", `${testbed.media.video()}?signature=presigned-4c1f`, "secret");
        await stack.up();
        const [content] = testbed.emulator.contents();
        const [stream] = testbed.emulator.livestreams();
        const { contentId, streamKey } = await stack.outputs();
        assert.deepEqual([contentId, streamKey], [content?.contentId, stream?.streamKey]);
        const { version } = JSON.parse(await readFile(join(repository, "provider", "package.json"), "utf8"));
        assert.ok(existsSync(join(stack.folder, "home", "plugins", `resource-videograph-v${version}`)));
        await rm(join(stack.folder, "index.ts"));
        await stack.destroy();
        assert.deepEqual([...testbed.emulator.contents(), ...testbed.emulator.livestreams()], []);
    });

    it("run in JavaScript and as ES module", async () => {
        const stack = await project();
        await stack.write("index.js", required + program("one"));
        await stack.up();
        await stack.write("package.json", JSON.stringify({ private: true, type: "module", main: "index.js" }));
        await stack.write("index.js", `${imported}${program("one", "two")}export const url = two.playbackUrl;\n`);
        const { output } = await stack.up();
        assert.match(output, /url: "[^"]+\.m3u8/);
        assert.deepEqual(titles(), ["one", "two"]);
        assert.deepEqual(
            sent(testbed.emulator).filter((request) => !request.startsWith("GET ")),
            ["POST /contents", "POST /contents"],
        );
    });

    it("have types that compile without skipLibCheck in ES modules and CommonJS", async () => {
        const types = await readFile(join(import.meta.dirname, "publicTypes.ts"), "utf8");
        for (const file of ["types.cts", "types.mts"]) await writeFile(join(installed, file), types);
        const options = ["--strict", "--noEmit", "--target", "es2022", "--types", "node", "--module", "nodenext"];
        await run("npx", ["tsc", ...options, "--exactOptionalPropertyTypes", "types.cts", "types.mts"], installed);
    });

    it("compile in a project as `pulumi new` sets it up", async () => {
        const folder = join(installed, "template");
        await mkdir(folder);
        const files = ["types.ts", "nativeTypes.ts", "emulator.ts"];
        await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ ...templateConfig, files }));
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
        await run("npx", ["tsc", "--noEmit"], folder);
    });

    it("have commands that run where npm has put them, the emulator as its image starts it and asks for its health", async () => {
        const command = (name: string) => join(installed, "node_modules", ".bin", name);
        const { stdout } = await run(command("pulumi-videograph"), ["--help"], installed);
        assert.match(stdout, /^ +adopt +Brings existing contents/m);
        const dockerfile = await readFile(join(repository, "emulator", "Dockerfile"), "utf8");
        const words = (instruction: RegExp) => JSON.parse(instruction.exec(dockerfile)?.[1] ?? "null") as string[];
        const options = [...words(/^ENTRYPOINT (.*)/m).slice(1), ...words(/^CMD (.*)/m), "--port", "0"];
        const emulator = spawn(command("videograph-emulator"), options, { stdio: ["ignore", "pipe", "inherit"] });
        const ended = once(emulator, "exit");
        try {
            const [line] = (await once(createInterface(emulator.stdout), "line")) as [string];
            const [node = "", ...check] = words(/^ +CMD (.*)/m);
            await run(
                node,
                check.map((word) => word.replace("4410", new URL(line).port)),
                installed,
            );
        } finally {
            emulator.kill("SIGTERM");
        }
        assert.deepEqual(await ended, [0, null]);
    });

    it("let resources be created in a user's test under Jest, whose module loader differs from Node's in small ways", async () => {
        await writeFile(join(installed, "resources.test.js"), usersTest);
        await run(join(installed, "node_modules", ".bin", "jest"), ["--ci"], installed);
    });

    it("installed by pnpm, run where the program depends on them (without that: tests/docs/troubleshooting.test.ts)", async () => {
        const stack = await testbed.stack("");
        const own = { "@pulumi/pulumi": sdk, "pulumi-videograph": `file:${packed.provider.tarball}` };
        const manifest = { name: "videos", version: "1.0.0", dependencies: own };
        await stack.write("videos/package.json", JSON.stringify(manifest));
        await stack.write("videos/index.js", required + program("one"));
        await stack.write("index.js", `module.exports = require("videos");\n`);
        await installIn(stack.folder, "pnpm", { ...own, videos: "file:./videos" });
        await stack.up();
        assert.deepEqual(titles(), ["one"]);
    });
});
