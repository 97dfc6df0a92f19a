/**
 * The quickstart in every language that can be had, through the real CLI, with the plugin of the packed npm package:
 * TypeScript with `pulumi-videograph/native`, Python and Go with SDKs by Pulumi's own generators and the language hosts that the
 * Go module proxy serves, and YAML where its language host is on the PATH or beside the CLI, as the official distribution has it.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse as parseYaml, stringify } from "yaml";
import { nodeFolder } from "../../tools/pulumiCli/environment.ts";
import { findProgram } from "../../tools/pulumiCli/index.ts";
import { type Languages, obtainLanguages } from "../../tools/pulumiCli/languages.ts";
import { expectCode, runIn } from "../cli/support.ts";
import { pages } from "../docs/markdown.ts";
import { usePacked } from "../package/packages.ts";
import { installIn, registryAnswers } from "../package/userProject.ts";
import { requestsOf, sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

const repository = join(import.meta.dirname, "..", "..");
const { version } = JSON.parse(await readFile(join(repository, "provider", "package.json"), "utf8")) as {
    version: string;
};
/** What `pulumi new typescript` writes: an old module resolution, which knows no `exports`. */
const typescriptConfig = {
    compilerOptions: { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node", outDir: "bin" },
    files: ["index.ts"],
};

/** A program that can be extended by an existing content. */
interface Program {
    readonly file: string;
    readonly text: string;
    /** The program with one more content, which has a title; `id`: imported by the resource option. */
    with(text: string, name: string, id?: string): string;
}

const python: Omit<Program, "text"> = {
    file: "__main__.py",
    with: (text, name, id) => {
        const option = id === undefined ? "" : `, opts=pulumi.ResourceOptions(import_="${id}")`;
        return `${text}\nvideograph.Content("${name}", title="Elsewhere"${option})\n`;
    },
};
const go: Omit<Program, "text"> = {
    file: "main.go",
    with: (text, name, id) => {
        const option = id === undefined ? "" : `, pulumi.Import(pulumi.ID("${id}"))`;
        const args = `&videograph.ContentArgs{Title: pulumi.String("Elsewhere")}`;
        const lines = `if _, err := videograph.NewContent(ctx, "${name}", ${args}${option}); err != nil { return err }`;
        return text.replace("return nil", `${lines}\nreturn nil`);
    },
};
const typescript: Omit<Program, "text"> = {
    file: "index.ts",
    with: (text, name, id) => {
        const option = id === undefined ? "" : `, { import: "${id}" }`;
        return `${text}\nnew videograph.Content("${name}", { title: "Elsewhere" }${option});\n`;
    },
};
const yaml: Omit<Program, "text"> = {
    file: "Pulumi.yaml",
    with: (text, name, id) => {
        const project = parseYaml(text) as { resources: Record<string, object> };
        project.resources[name] = {
            type: "videograph:index:Content",
            properties: { title: "Elsewhere" },
            ...(id !== undefined && { options: { import: id } }),
        };
        return stringify(project);
    },
};

const pythonLibrary = `
films = videograph.ContentLibrary(
    "films",
    defaults={"playback_policy": ["public"]},
    contents={
        "harbour": {"title": "Harbour", "content": [{"url": config.require("sourceUrl")}]},
        "ice": {"title": "Ice", "content": [{"url": config.require("sourceUrl")}], "playback_policy": ["signed"]},
    },
)
pulumi.export("harbour", films.contents.apply(lambda contents: contents["harbour"].playback_url))
`;

describe("Programs with the packed package", function () {
    this.timeout(600_000);
    const packed = usePacked();
    const testbed = useTestbed({}, "native");
    /** A user's folder with the package installed. */
    let user: string;
    let plugin: string;

    before("the package installed in an empty folder", async function () {
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            return this.skip();
        }
        user = await mkdtemp(join(tmpdir(), "videograph-user-"));
        await installIn(user, "npm", {
            "@pulumi/pulumi": "3.270.0",
            "pulumi-videograph": `file:${packed.provider.tarball}`,
            typescript: "^5.0.0",
            "@types/node": "^22",
        });
        plugin = join(user, "node_modules", "pulumi-videograph", "plugin");
    });
    after(async () => {
        if (user !== undefined) await rm(user, { recursive: true, force: true });
    });

    /** A stack with a presigned source and the secret key in its own configuration. */
    async function project(program: Program, settings: object): Promise<TestStack> {
        const stack = await testbed.stack("");
        for (const name of ["index.js", "node_modules"]) await rm(join(stack.folder, name));
        await writeFile(join(stack.folder, "Pulumi.yaml"), JSON.stringify({ name: "e2e", ...settings }));
        await writeFile(join(stack.folder, program.file), program.text);
        stack.secrets.push("presigned-4c1f");
        await stack.config("e2e:sourceUrl", `${testbed.media.video()}?signature=presigned-4c1f`, "secret");
        await stack.config("videograph:secretKey", stack.env.VIDEOGRAPH_SECRET_KEY ?? "", "secret");
        stack.env.VIDEOGRAPH_SECRET_KEY = undefined;
        return stack;
    }

    const writes = () => sent(testbed.emulator).filter((request) => !request.startsWith("GET "));

    /**
     * What every language has to show. Each state and each output on the way is searched for secrets. Refreshes, imports by the
     * command and destroys do not run the program: they are the same for all languages.
     */
    async function life(stack: TestStack, program: Program): Promise<void> {
        await creates(stack);
        await importsByOption(stack, program);
    }

    async function creates(stack: TestStack): Promise<void> {
        const up = await stack.up();
        assert.match(up.output, /videograph:index:Content/);
        assert.deepEqual(writes().sort(), ["POST /contents", "POST /livestreams"]);
        const [content] = testbed.emulator.contents();
        const [stream] = testbed.emulator.livestreams();
        const { contentId, streamKey, playbackUrl, signingKeyIds, signingKeys } = await stack.outputs();
        assert.equal(contentId, content?.contentId);
        assert.equal(streamKey, stream?.streamKey);
        assert.match(String(playbackUrl), /^http/);
        const keys = testbed.emulator.signingKeys().filter(({ productTypeId }) => productTypeId === 1);
        assert.ok(keys.length > 0);
        const found = signingKeyIds ?? (signingKeys as typeof keys).map(({ signingKeyId }) => signingKeyId);
        assert.deepEqual(
            found,
            keys.map(({ signingKeyId }) => signingKeyId),
        );
    }

    /** What was created does not change meanwhile. */
    async function importsByOption(stack: TestStack, { file, text, with: extended }: Program): Promise<void> {
        const { contentId } = testbed.emulator.addContent({ title: "Elsewhere" });
        testbed.emulator.clearRequests();
        // YAML's program is the project's own file, which has the configuration since.
        const current = await readFile(join(stack.folder, file), "utf8").catch(() => text);
        await writeFile(join(stack.folder, file), extended(current, "by-option", contentId));
        const { output } = await stack.up();
        assert.match(output, /= 1 imported/);
        assert.match(output, /\d unchanged/);
        assert.equal(await stack.resourceId("by-option"), contentId);
        assert.deepEqual(writes(), []);
    }

    async function refreshes(stack: TestStack): Promise<void> {
        const objects = [
            ...testbed.emulator.contents().map(({ contentId }) => `/contents/${contentId}`),
            ...testbed.emulator.livestreams().map(({ streamUUID }) => `/livestreams/${streamUUID}`),
        ];
        assert.deepEqual(
            (await requestsOf(testbed.emulator, () => stack.refresh("--expect-no-changes"))).sort(),
            objects.map((path) => `GET ${path}`).sort(),
        );
    }

    async function importsByCommand(stack: TestStack, { file, with: extended }: Program): Promise<void> {
        const { contentId } = testbed.emulator.addContent({ title: "Elsewhere" });
        await stack.run(
            ...["import", "videograph:index:Content", "by-command", contentId, "--yes", "--skip-preview"],
            ...["--protect=false", "--generate-code=false"],
        );
        assert.equal(await stack.resourceId("by-command"), contentId);
        const path = join(stack.folder, file);
        await writeFile(path, extended(await readFile(path, "utf8"), "by-command"));
        const preview = await requestsOf(testbed.emulator, () => stack.preview("--expect-no-changes"));
        assert.deepEqual(preview, ["GET /signing-keys"]);
    }

    /** `adopt` writes the program's language, which declares what the import has recorded. */
    async function adopts(stack: TestStack, { file }: Program, merged: (text: string, adopted: string) => string) {
        const metadata = [{ key: "a-b", value: 'Ünïcode 😀 "q" \\ \n' }];
        testbed.emulator.addContent({ title: "Tides \u2028", tags: ["b", "a"], metadata, mp4_support: true });
        testbed.emulator.addContent({ title: "Reefs", playback_policy: ["signed"], description: "Below" });
        testbed.emulator.addLivestream({ title: "Harbour", record: true, dvrDurationInMins: 30 });
        await expectCode(0, runIn(stack, testbed.cli, "adopt", "--json", "--program", "adopted"));
        const path = join(stack.folder, file);
        await writeFile(
            path,
            merged(await readFile(path, "utf8"), await readFile(join(stack.folder, "adopted"), "utf8")),
        );
        await stack.run(...["import", "--file", "videograph-import.json", "--yes", "--generate-code=false"]);
        const { output } = await stack.preview("--expect-no-changes");
        assert.match(output, /7 unchanged/);
    }

    /** Messages name properties as the program does. */
    async function refusesBadInput(stack: TestStack, { file, text }: Program): Promise<void> {
        const bad = 'videograph.Content("bad", title="Bad", content=[], playback_policy=["secret"])';
        await writeFile(join(stack.folder, file), `${text}\n${bad}\n`);
        const { output } = await stack.previewFails(/playback_policy\[0\] must be/);
        assert.doesNotMatch(output, /playbackPolicy/);
        await writeFile(join(stack.folder, file), text);
    }

    /** The map of a library, with defaults and an address that is secret. */
    async function hasLibrary(stack: TestStack, { file }: Program): Promise<void> {
        const path = join(stack.folder, file);
        await writeFile(path, `${await readFile(path, "utf8")}\n${pythonLibrary}`);
        testbed.emulator.clearRequests();
        await stack.up();
        assert.deepEqual(writes(), ["POST /contents", "POST /contents"]);
        assert.match(String((await stack.outputs()).harbour), /^http.*m3u8$/);
        await stack.preview("--expect-no-changes");
    }

    it("TypeScript: nothing but npm is needed", async () => {
        const page = pages().find(({ path }) => path === "docs/_index.md");
        const text = page?.blocks.find(({ language }) => language === "ts")?.text ?? assert.fail("There is no program");
        const program = { ...typescript, text };
        const stack = await project(program, { runtime: "nodejs" });
        await symlink(join(user, "node_modules"), join(stack.folder, "node_modules"));
        await writeFile(join(stack.folder, "tsconfig.json"), JSON.stringify(typescriptConfig));
        await life(stack, program);
        assert.ok(existsSync(join(stack.folder, "home", "plugins", `resource-videograph-v${version}`)));
        await refreshes(stack);
        await importsByCommand(stack, program);
        await rm(join(stack.folder, program.file));
        await stack.destroy();
        assert.deepEqual([...testbed.emulator.contents(), ...testbed.emulator.livestreams()], []);
    });

    it("YAML: nothing but the plugin is needed", async function () {
        if (findProgram("pulumi-language-yaml", [testbed.cli.folder, process.env.PATH].join(delimiter)) === undefined) {
            console.warn("      YAML is left out: no pulumi-language-yaml beside the CLI or on the PATH");
            return this.skip();
        }
        const example = await readFile(join(repository, "examples", "quickstart-yaml", "Pulumi.yaml"), "utf8");
        const settings = {
            ...(parseYaml(example) as object),
            name: "e2e",
            plugins: { providers: [{ name: "videograph", path: plugin }] },
        };
        const program = { ...yaml, text: stringify(settings) };
        const stack = await project(program, settings);
        await life(stack, program);
        await adopts(stack, program, (text, adopted) => {
            const { resources, ...project } = parseYaml(text) as { resources: object };
            return `${stringify(project)}${adopted}${stringify(resources, { indent: 4 }).replace(/^(?=.)/gm, "    ")}`;
        });
    });

    describe("and a generated SDK", () => {
        let languages: Languages;
        let sdks: string;

        before("language hosts, and SDKs of the schema", async function () {
            const obtained = await obtainLanguages();
            if (typeof obtained === "string") {
                assert.ok(!process.env.CI, `Language hosts cannot be had: ${obtained}`);
                return this.skip();
            }
            languages = obtained;
            sdks = await mkdtemp(join(tmpdir(), "videograph-sdks-"));
            await languages.generate(join(plugin, "schema.json"), sdks, "python", "go");
        });
        after(async () => {
            if (sdks !== undefined) await rm(sdks, { recursive: true, force: true });
        });

        async function example(runtime: "python" | "go", language: Omit<Program, "text">) {
            const file = join(repository, "examples", `quickstart-${runtime}`, language.file);
            const program = { ...language, text: await readFile(file, "utf8") };
            // The interpreter is the one on the PATH, and has Pulumi's SDK.
            const stack = await project(program, {
                runtime,
                plugins: { providers: [{ name: "videograph", path: plugin }] },
            });
            stack.env.PATH = [testbed.cli.folder, nodeFolder, languages.path, process.env.PATH].join(delimiter);
            return { stack, program };
        }

        it("Python", async () => {
            const { stack, program } = await example("python", python);
            // As pip installs it for a user. The generators put the README that pyproject.toml names elsewhere.
            const sdk = join(sdks, "python");
            await cp(join(sdk, "pulumi_videograph", "README.md"), join(sdk, "README.md"));
            const site = join(stack.folder, "site");
            const options = ["--quiet", "--no-deps", "--no-build-isolation", "--target", site];
            await promisify(execFile)(languages.python, ["-m", "pip", "install", ...options, sdk]);
            stack.env.PYTHONPATH = site;
            stack.env.PYTHONDONTWRITEBYTECODE = "1";
            await refusesBadInput(stack, program);
            await life(stack, program);
            await adopts(stack, program, (text, adopted) => `${text}\n${adopted}`);
            await hasLibrary(stack, program);
        });

        it("Go", async () => {
            const { stack, program } = await example("go", go);
            const sdk = join(stack.folder, "sdk");
            await mkdir(sdk);
            await cp(join(sdks, "go"), sdk, { recursive: true });
            await cp(join(import.meta.dirname, "go"), stack.folder, { recursive: true });
            // Its caches are the user's: what is compiled once is not compiled in every stack.
            const home = process.env.HOME ?? "";
            stack.env.GOCACHE = process.env.GOCACHE ?? join(home, ".cache", "go-build");
            stack.env.GOMODCACHE = process.env.GOMODCACHE ?? join(process.env.GOPATH ?? join(home, "go"), "pkg", "mod");
            // Nobody debugs it: without symbols it is linked in less time.
            stack.env.GOFLAGS = "-mod=mod -buildvcs=false '-ldflags=-s -w'";
            assert.match(await readFile(join(stack.folder, "go.mod"), "utf8"), /replace/);
            await life(stack, program);
            await adopts(stack, program, (text, adopted) => {
                const [, declarations = ""] = /Context\) error \{\n([\s\S]*)\t\treturn nil/.exec(adopted) ?? [];
                return text.replace("return nil", () => `${declarations}return nil`);
            });
        });
    });
});
