/** The packed package in projects as users have them: installed by npm and pnpm, in TypeScript, JavaScript and ES modules. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { usePacked } from "./packages.ts";
import { installIn, registryAnswers, run } from "./userProject.ts";

const sdk = "3.270.0";

/** What `pulumi new typescript` writes. */
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

describe("The packed package", function () {
    this.timeout(300_000);
    const packed = usePacked();
    const testbed = useTestbed();

    /** A folder where npm has installed it, for all tests that can share one. */
    let installed: string;

    before("npm install", async function () {
        this.timeout(300_000);
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
        });
    });
    after(async () => {
        if (installed !== undefined) await rm(installed, { recursive: true, force: true });
    });

    /** The program in one of its forms; each form has one more video than the one before. */
    const program = (titles: readonly string[], form: "ts" | "cjs" | "esm") => {
        const imports =
            form === "cjs"
                ? `const videograph = require("pulumi-videograph");\n`
                : `import * as videograph from "pulumi-videograph";\n`;
        const annotation = form === "ts" ? ": videograph.Content" : "";
        const contents = titles.map(
            (title) =>
                `const ${title}${annotation} = new videograph.Content("${title}", { title: "${title}", content: [{ url: "${testbed.media.video()}" }] });\n` +
                (form === "cjs"
                    ? `exports.${title}Url = ${title}.playbackUrl;\n`
                    : `export const ${title}Url = ${title}.playbackUrl;\n`),
        );
        return imports + contents.join("");
    };
    /** Puts the one file of the program in place of the template's. */
    const write = async (stack: TestStack, file: "index.js" | "index.ts", text: string) => {
        for (const other of ["index.js", "index.ts"]) await rm(join(stack.folder, other), { force: true });
        await writeFile(join(stack.folder, file), text);
    };
    const titles = () =>
        testbed.emulator
            .contents()
            .map(({ title }) => title)
            .sort();

    it("installed by npm runs in TypeScript as `pulumi new` sets it up, in JavaScript and as ES module", async () => {
        const stack = await testbed.stack("");
        await rm(join(stack.folder, "node_modules"));
        await symlink(join(installed, "node_modules"), join(stack.folder, "node_modules"));
        await writeFile(join(stack.folder, "tsconfig.json"), JSON.stringify(templateConfig));
        await write(stack, "index.ts", program(["one"], "ts"));
        await stack.up();
        assert.deepEqual(titles(), ["one"]);
        await rm(join(stack.folder, "tsconfig.json"));

        await write(stack, "index.js", program(["one", "two"], "cjs"));
        await stack.up();

        await writeFile(
            join(stack.folder, "package.json"),
            JSON.stringify({ private: true, type: "module", main: "index.js" }),
        );
        await write(stack, "index.js", program(["one", "two", "three"], "esm"));
        const { output } = await stack.up();
        assert.match(output, /threeUrl: "[^"]+\.m3u8/);
        assert.deepEqual(titles(), ["one", "three", "two"]);
        assert.deepEqual(
            sent(testbed.emulator).filter((request) => !request.startsWith("GET ")),
            ["POST /contents", "POST /contents", "POST /contents"],
        );
        await stack.destroy();
        assert.deepEqual(titles(), []);
    });

    it("has types that compile without skipLibCheck in ES modules and CommonJS", async () => {
        const types = await readFile(join(import.meta.dirname, "publicTypes.ts"), "utf8");
        for (const file of ["types.cts", "types.mts"]) await writeFile(join(installed, file), types);
        const options = ["--strict", "--noEmit", "--target", "es2022", "--types", "node", "--module", "nodenext"];
        await run("npx", ["tsc", ...options, "--exactOptionalPropertyTypes", "types.cts", "types.mts"], installed);
    });

    it("and the emulator compile in a project as `pulumi new` sets it up, which includes every @types package", async () => {
        const folder = join(installed, "template");
        await mkdir(folder);
        await writeFile(
            join(folder, "tsconfig.json"),
            JSON.stringify({ ...templateConfig, files: ["index.ts", "types.ts", "emulator.ts"] }),
        );
        await writeFile(join(folder, "index.ts"), program(["one"], "ts"));
        await cp(join(import.meta.dirname, "publicTypes.ts"), join(folder, "types.ts"));
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

    it("has commands that run where npm has put them", async () => {
        const command = (name: string) => join(installed, "node_modules", ".bin", name);
        const { stdout } = await run(command("pulumi-videograph"), ["--help"], installed);
        assert.match(stdout, /^ +adopt +write an import file/m);
        const emulator = spawn(command("videograph-emulator"), ["--port", "0"], {
            cwd: installed,
            stdio: ["ignore", "pipe", "inherit"],
        });
        try {
            const [line] = (await once(createInterface(emulator.stdout), "line")) as [string];
            assert.equal((await fetch(line)).status, 200);
        } finally {
            emulator.kill();
            await once(emulator, "exit");
        }
    });

    it("installed by pnpm runs as a direct dependency", async () => {
        const stack = await testbed.stack("");
        await installIn(stack.folder, "pnpm", {
            "@pulumi/pulumi": sdk,
            "pulumi-videograph": `file:${packed.provider.tarball}`,
        });
        await write(stack, "index.js", program(["one"], "cjs"));
        await stack.up();
        assert.deepEqual(titles(), ["one"]);
    });

    it("installed by pnpm for another package only says where it has to stand, in preview", async () => {
        const stack = await testbed.stack("");
        const component = join(stack.folder, "videos");
        await mkdir(component);
        await writeFile(
            join(component, "package.json"),
            JSON.stringify({
                name: "videos",
                version: "1.0.0",
                dependencies: { "@pulumi/pulumi": sdk, "pulumi-videograph": `file:${packed.provider.tarball}` },
            }),
        );
        await writeFile(join(component, "index.js"), program(["one"], "cjs"));
        await installIn(stack.folder, "pnpm", { "@pulumi/pulumi": sdk, videos: "file:./videos" });
        await write(stack, "index.js", `module.exports = require("videos");\n`);
        await stack.previewFails(/pulumi-videograph cannot be loaded from/, /dependencies/, /package\.json/, /pnpm/);
        assert.deepEqual(testbed.emulator.requests, []);
    });
});
