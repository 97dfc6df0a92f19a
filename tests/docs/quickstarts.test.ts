/**
 * The quickstarts, the unit tests and the examples that no other test runs, as their pages say: with the packed packages, the real npm
 * and the real Pulumi CLI. The emulator is the service. The commands of all other pages are checked by codeBlocks.test.ts.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { type EmulatorOptions, startEmulator } from "videograph-emulator";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { copyExample, startsFaster } from "../examples/exampleStack.ts";
import { usePacked } from "../package/packages.ts";
import { registryAnswers } from "../package/userProject.ts";
import { compileCache } from "../support/compileCache.ts";
import { bash } from "../support/workflow.ts";
import { type CodeBlock, readPage, repository } from "./markdown.ts";

/** As they look on the service. The CLI takes such ids for secrets. */
const token = { id: "8f14e45f-ceea-467f-9d3c-5a1b2c3d4e5f", secret: "q3Zr9xT1vW8yB5nM2kL7pJ4hG6fD0sA3" };
/** What a reader types in place of `<access token id>` and the like. */
const values: Record<string, string> = {
    organization: "organization",
    "URL of an MP4, MOV or M4V file": "https://media.example.com/trailer.mp4",
};

describe("What the pages say to type", () => {
    if (process.platform === "win32") return;
    const packed = usePacked();
    /** Where the first page is followed; what it installs serves the other pages too. */
    let home: string;
    let env: Record<string, string>;
    /** The PATH of a reader who has no Pulumi CLI. */
    let withoutCli: string;
    const cleanUp: (() => unknown)[] = [];

    before("npm install, as the first page says", async function () {
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            this.skip();
        }
        home = await mkdtemp(join(tmpdir(), "videograph-first-page-"));
        const stacks = { backend: home, home: join(home, ".home"), passphrase: "typed" };
        const registry = Object.entries(process.env).filter(([name]) =>
            /^npm_config_|^NODE_EXTRA_CA_CERTS$/i.test(name),
        );
        env = {
            ...isolatedEnvironment(await obtainPulumiCli(), stacks),
            ...(Object.fromEntries(registry) as Record<string, string>),
            NODE_COMPILE_CACHE: compileCache,
            // A reader answers yes.
            PULUMI_SKIP_CONFIRMATIONS: "true",
            npm_config_prefer_offline: "true",
        };
        await writeFiles("README.md");
        await bash("npm install", home, env);
        // Where Pulumi's npm package downloads its CLI to.
        const { version } = JSON.parse(await readFile(join(home, "node_modules", "pulumi", "package.json"), "utf8"));
        await mkdir(join(stacks.home, "versions", version), { recursive: true });
        await symlink((await obtainPulumiCli()).folder, join(stacks.home, "versions", version, "bin"));
        // The reader has no other.
        withoutCli = (env.PATH ?? "")
            .split(delimiter)
            .filter((folder) => !existsSync(join(folder, "pulumi")))
            .join(delimiter);
    });
    afterEach(async () => {
        for (const end of cleanUp.splice(0).reverse()) await end();
    });
    after(async () => {
        if (home !== undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
    });

    /** Writes the files that the page's blocks are. The packages are not published: the tarballs are installed in their place. */
    async function writeFiles(page: string): Promise<void> {
        for (const { file, text } of readPage(page).blocks) {
            if (file === undefined) continue;
            const own = text
                .replace(/(?<="pulumi-videograph": )".+"/, `"file:${packed.provider.tarball}"`)
                .replace(/(?<="videograph-emulator": )".+"/, `"file:${packed.emulator.tarball}"`);
            await writeFile(join(home, file), own);
        }
    }

    /** An example in a folder of its own, with the packages of this repository in place of its `npm install`, and a service. */
    async function example(name: string, options: EmulatorOptions = {}) {
        const folder = await mkdtemp(join(tmpdir(), `videograph-${name}-`));
        cleanUp.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
        await copyExample(name, folder);
        await mkdir(join(folder, ".state"));
        const emulator = await startEmulator({
            tokens: [token],
            processingTimeMs: 200,
            fetchSources: false,
            ...options,
        });
        cleanUp.push(() => emulator.close());
        const backend = `file://${join(folder, ".state")}`;
        const { VIDEOGRAPH_BASE_URL } = emulator.env;
        const own = { ...env, VIDEOGRAPH_BASE_URL, PULUMI_BACKEND_URL: backend, ...startsFaster };
        return { emulator, folder, type: (script: string) => bash(script, folder, own) };
    }

    it("first page: a playable video without an account", async () => {
        const [start, trial, end] = shell("README.md", "Quickstart without an account");
        assert.ok(start && trial && end);
        assert.match(start, /^npm install\nnpx videograph-emulator$/);
        const args = ["videograph-emulator", "--port", "0"];
        const emulator = spawn("npx", args, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
        try {
            let printed = "";
            for await (const line of createInterface(emulator.stdout)) {
                printed += `${line}\n`;
                if (line.startsWith("A video to try")) break;
            }
            const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
            const atPort = (text: string) => text.replaceAll("4410", port);
            // What the page says that it prints.
            for (const line of trial.match(/^export VIDEOGRAPH_.*$/gm) ?? [])
                assert.ok(printed.includes(atPort(line)), printed);
            const program = join(home, "index.ts");
            await writeFile(program, atPort(await readFile(program, "utf8")));
            const plays =
                'curl --fail --silent --show-error --output played.m3u8 "$(npx pulumi stack output playbackUrl)"';
            const script = atPort([trial, plays, end].join("\n"));
            const output = await bash(script, home, { ...env, PATH: withoutCli });
            assert.match(output, /3 created[\s\S]*has been removed/);
        } finally {
            const ended = once(emulator, "exit");
            // npx leaves its program behind when it alone is ended.
            if (emulator.pid !== undefined) process.kill(-emulator.pid, "SIGTERM");
            await ended;
        }
    });

    it("first page: its program is the quickstart's, whose page has the same lines with an account", async () => {
        const [program] = readPage("README.md").blocks.filter(({ file }) => file === "index.ts");
        assert.equal(program?.text, await readFile(join(repository, "examples", "quickstart", "index.ts"), "utf8"));
        const account = shell("examples/quickstart/README.md", "With your account").join("\n");
        const first = shell("README.md", "Quickstart with your account").join("\n");
        assert.equal(first.replaceAll("npx pulumi", "pulumi"), account);
        const { emulator, type } = await example("quickstart");
        // Here, the emulator is the service that the account is of.
        const output = await type(`${account.replace("VIDEOGRAPH_BASE_URL ", "")} --skip-preview`);
        assert.match(output, /3 created/);
        assert.equal(emulator.contents()[0]?.title, "Trailer");
    });

    it("the page of the example live-event: the key comes to the encoder, and a new one after it", async () => {
        const { emulator, folder, type } = await example("live-event");
        const page = "examples/live-event/README.md";
        const typed = (heading: string) => type(withoutPreview(shell(page, heading).join("\n")));
        const service = async () => {
            const { settings } = JSON.parse(await readFile(join(folder, "encoder", "service.json"), "utf8"));
            return settings as { server: string; key: string };
        };
        const [event, ...others] = readPage(page).blocks.filter(({ language }) => language === "sh");
        assert.ok(event !== undefined && others.length === 3);
        let shown = await type(withoutPreview(filledIn(event)));
        shown += await typed("The encoder");
        const [first] = emulator.livestreams();
        assert.equal((await service()).key, first?.streamKey);
        await typed("During the broadcast");
        await assert.rejects(type("pulumi destroy --skip-preview"), /protect/);
        shown += await typed("A new key");
        const [second, ...more] = emulator.livestreams().filter(({ status }) => status !== "Deleting");
        assert.deepEqual(more, []);
        assert.ok(first !== undefined && second !== undefined && first.streamKey !== second.streamKey);
        await type("cd encoder; pulumi stack output obsService --show-secrets > service.json");
        assert.equal((await service()).key, second.streamKey);
        for (const { streamKey } of [first, second]) assert.ok(!shown.includes(streamKey), shown);
    });

    it("the page of the example multi-environment: nothing gets into the wrong one", async () => {
        const other = { id: "5b7e9d1c-20f4-4c8a-9b36-7f1e2d3c4b5a", secret: "p8Vn2bX5kQ7wZ1sL4tR9yC6mH3gJ0dF2" };
        const { emulator, type } = await example("multi-environment", {
            tokens: [
                { ...token, environmentId: 1 },
                { ...other, environmentId: 2 },
            ],
        });
        emulator.addContent({ title: "Notice", tags: ["legal"] }, 2);
        const [script = ""] = readPage("examples/multi-environment/README.md").blocks.map(filledIn);
        const ofOther = (line: string) => line.replace(token.id, other.id).replace(token.secret, other.secret);
        await type(withoutPreview(script.replace(/^.* production:.*$/gm, ofOther)));
        const titles = (environment: number) => emulator.contents(environment).map(({ title }) => title);
        assert.deepEqual(titles(1).sort(), ["A tour of the house", "How it began", "What comes next"]);
        assert.deepEqual(titles(2).sort(), ["A tour of the house", "How it began", "Notice"]);
        const { production } = JSON.parse(await type("pulumi stack output --json"));
        assert.equal(production.legalNotices.length, 1);
        await type("pulumi destroy --skip-preview");
        assert.deepEqual([titles(1), titles(2)], [[], ["Notice"]]);
    });

    it("unit tests: with mocks, and with the emulator", async () => {
        const page = "docs/guides/unit-tests.md";
        await writeFiles(page);
        const script = readPage(page)
            .blocks.filter(({ language }) => language === "sh")
            .map(filledIn);
        const own = script.join("\n").replace(/(?<= )videograph-emulator$/m, packed.emulator.tarball);
        const output = await bash(own, home, env);
        assert.equal([...output.matchAll(/1 passing/g)].length, 2);
    });
});

/** The scripts of a section, with what a reader fills in. The packages are there already. */
function shell(page: string, heading: string): string[] {
    const blocks = readPage(page).blocks.filter(({ section, language }) => section === heading && language === "sh");
    assert.ok(blocks.length > 0, `${page} has no section "${heading}" with commands`);
    return blocks.map(filledIn);
}

function filledIn({ page, line, text, language }: CodeBlock): string {
    if (language !== "sh") return "";
    const filled = text.replaceAll(/<([^<>&|$"']+)>/g, (placeholder, name: string) => {
        return values[name] ?? assert.fail(`${page}:${line}: nobody knows what to type for ${placeholder}`);
    });
    // The CLI asks for a secret, which a reader types.
    const typed = filled.replace(/^((?:npx )?pulumi config set --secret \w+:(\w+))$/gm, (command, _, name: string) => {
        const value = { accessTokenId: token.id, secretKey: token.secret }[name];
        return `printf %s ${value ?? assert.fail(`${page}:${line}: nobody knows what to type for ${name}`)} | ${command}`;
    });
    return (page.startsWith("examples/") ? typed.replace(/^npm install$/m, "") : typed).trim();
}

/** A `pulumi up` shows a preview of its own before anything is done. */
function withoutPreview(text: string): string {
    return text.replaceAll(/\bpulumi (up|destroy)\b/g, "$& --skip-preview");
}
