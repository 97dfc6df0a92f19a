/** The schema's examples: each is a program that its language knows, with the SDKs that Pulumi's own generators write. (TypeScript: docs/codeBlocks.test.ts) */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { programText } from "../../provider/dist/cli/adopt/programs.js";
import type { DeclaredObject } from "../../provider/dist/cli/entry.js";
import { type Languages, obtainLanguages } from "../../tools/pulumiCli/languages.ts";
import { readPage } from "../docs/markdown.ts";

interface Described {
    readonly description: string;
}
interface Resource extends Described {
    readonly inputProperties: object;
}
const repository = join(import.meta.dirname, "..", "..");
const schema = JSON.parse(readFileSync(join(repository, "schema.json"), "utf8")) as {
    resources: Record<string, Resource>;
    functions: Record<string, Described>;
};
const described = Object.entries({ ...schema.resources, ...schema.functions }).map(
    ([token, { description }]) => [token.split(":").at(-1) ?? "", description] as const,
);
interface Declared {
    readonly type: string;
    readonly properties: object;
}
const run = promisify(execFile);

/** The program of each token in one language, as the schema has it. */
function programs(language: string): [name: string, text: string][] {
    return described.map(([name, description]) => {
        const [, text] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(description) ?? [];
        return [name, text ?? assert.fail(`${name} has no example in ${language}`)];
    });
}

describe("The schema's examples", () => {
    it("are one for each resource and function, in every language, in the form that the registry reads", () => {
        const form =
            /\{\{% examples %\}\}\n\n## Example Usage\n\n\{\{% example %\}\}\n\n### .*\{\{% \/example %\}\}\n\n\{\{% \/examples %\}\}(\n\n## Import.*)?$/s;
        for (const [name, description] of described) {
            assert.match(description, form, name);
            const languages = [...description.matchAll(/^```(?!sh)(\w+)$/gm)].map(([, language]) => language);
            assert.deepEqual(languages, ["typescript", "python", "go", "csharp", "java", "yaml"]);
        }
    });

    it("YAML: set what the resources have", () => {
        for (const [name, text] of programs("yaml")) {
            const { resources = {}, variables, outputs } = parse(text) as Record<string, Record<string, Declared>>;
            assert.ok(outputs !== undefined && (variables !== undefined || Object.keys(resources).length > 0), name);
            for (const { type, properties } of Object.values(resources)) {
                const { inputProperties } = schema.resources[type.replace(":", ":index:")] ?? assert.fail(type);
                for (const property of Object.keys(properties)) assert.ok(property in inputProperties, property);
            }
        }
    });

    describe("with the SDKs that Pulumi's generators write", () => {
        let languages: Languages;
        let folder: string;
        before(async function () {
            const obtained = await obtainLanguages();
            if (typeof obtained === "string") {
                assert.ok(!process.env.CI, `The generators cannot be had: ${obtained}`);
                return this.skip();
            }
            languages = obtained;
            folder = await mkdtemp(join(tmpdir(), "videograph-sdks-"));
            await cp(await languages.sdks(), folder, { recursive: true });
        });
        after(async () => {
            if (folder !== undefined) await rm(folder, { recursive: true, force: true });
        });
        const source = (file: string) => readFile(join(folder, file), "utf8");

        it("the schema is bound by Pulumi's own code, and its aliases and secrets arrive", async () => {
            const python = await source("python/pulumi_videograph/content.py");
            assert.match(python, /pulumi-nodejs:dynamic\/videograph:Content/);
            assert.match(await source("nodejs/livestream.ts"), /additionalSecretOutputs: \["streamKey"\]/);
        });

        it("Python: run, as the guide's unit test does, and mypy --strict takes them and what adopt writes", async () => {
            const names = programs("python").map(([name]) => `${name}.py`);
            for (const [name, text] of programs("python")) await writeFile(join(folder, `${name}.py`), text);
            // What the engine would answer is of no account: every name and every argument has to be there.
            const env = { ...process.env, PYTHONPATH: join(folder, "python"), MYPYPATH: join(folder, "python") };
            await run(languages.python, ["-c", mocked, ...names.map((name) => join(folder, name))], { env });
            const [videos = "", test = ""] = guide("python");
            await writeFile(join(folder, "videos.py"), videos);
            await writeFile(join(folder, "test_videos.py"), test);
            await run(languages.python, ["-c", `${installed}\nimport unittest\nunittest.main("test_videos")`], {
                cwd: folder,
                env: { ...env, PYTHONPATH: [env.PYTHONPATH, folder].join(delimiter) },
            });
            const quickstart = join(repository, "examples", "quickstart-python", "__main__.py");
            await cp(quickstart, join(folder, "quickstart.py"));
            await cp(join(repository, "templates", "python", "__main__.py"), join(folder, "template.py"));
            await writeFile(join(folder, "adopted.py"), programText(adopted, { ...target, language: "python" }));
            // Installed packages are not checked. The wrong one shows that the check finds what it should.
            const silent = "[mypy]\nstrict = true\n[mypy-pulumi_videograph.*]\nfollow_imports = silent\n";
            await writeFile(join(folder, "mypy.ini"), silent);
            await writeFile(join(folder, "wrong.py"), (await source("Content.py")).replace('["trailer"]', "5"));
            const files = [...names, "videos.py", "test_videos.py", "quickstart.py", "template.py", "adopted.py"];
            const check = (...checked: string[]) =>
                run(languages.python, ["-m", "mypy", "--scripts-are-modules", ...checked], { cwd: folder, env });
            await check(...files);
            await assert.rejects(check("wrong.py"), ({ stdout }: { stdout: string }) =>
                /^wrong\.py:\d+: error/m.test(stdout),
            );
        });

        it("Go: the vet takes them, the quickstart and what adopt writes, and the guide's unit test runs", async () => {
            const module = join(folder, "module");
            await mkdir(module, { recursive: true });
            // Where the SDK is kept, it is compiled once, and not in each run; with the CLI's flags, so are Pulumi's packages.
            const goMod = await readFile(join(repository, "examples", "quickstart-go", "go.mod"), "utf8");
            await writeFile(join(module, "go.mod"), goMod.replace("=> ./sdk/go", `=> ${await languages.sdks()}/go`));
            const write = async (name: string, file: string, text: string) => {
                await mkdir(join(module, "examples", name), { recursive: true });
                await writeFile(join(module, "examples", name, file), text);
            };
            for (const [name, text] of programs("go")) await write(name, "main.go", text);
            const quickstart = join(repository, "examples", "quickstart-go", "main.go");
            await write("quickstart", "main.go", await readFile(quickstart, "utf8"));
            const template = join(repository, "templates", "go", "main.go");
            await write("template", "main.go", await readFile(template, "utf8"));
            const written = programText(adopted, { ...target, language: "go" });
            await write("quickstart", "adopted.go", `${written}\nvar _ = videographAdopted\n`);
            const [videos = "", test = ""] = guide("go");
            await write("guide", "videos.go", videos);
            await write("guide", "videos_test.go", test);
            // To compile and link what runs once takes less without optimizations, symbols and collections of garbage.
            const env = { ...process.env, GOFLAGS: "-mod=mod -buildvcs=false", GOGC: "400" };
            await run("go", ["vet", "./examples/..."], { cwd: module, env });
            const quick = ["-vet=off", "-gcflags=-N -l", "-ldflags=-s -w"];
            await run("go", ["test", ...quick, "./examples/guide"], { cwd: module, env });
            const { stdout } = await run("gofmt", ["-l", "examples"], { cwd: module });
            assert.equal(stdout, "", "as gofmt writes them");
        });

        it("no docstring has another language's spelling", async () => {
            const camelCase = /(?<!videograph:|\w\.|`unexpected .*)\b[a-z]+[A-Z]\w*/;
            const wrong: string[] = [];
            for (const file of await readdir(join(folder, "python", "pulumi_videograph"))) {
                if (!/^[a-z]\w*\.py$|_inputs/.test(file)) continue;
                const docs = (await source(`python/pulumi_videograph/${file}`)).match(/""".*?"""/gs) ?? [];
                const lines = docs.join("\n").replace(/```.*?```|https?:\S+/gs, "");
                wrong.push(...lines.split("\n").filter((line) => camelCase.test(line)));
            }
            for (const file of await readdir(join(folder, "go", "videograph"))) {
                if (!file.endsWith(".go")) continue;
                const comments = (await source(`go/videograph/${file}`)).match(/^\s*\/\/ .*$/gm) ?? [];
                const outside = comments.join("\n").replace(/```.*?```|https?:\S+/gs, "");
                const isName = /\b(?:playback_policy|[a-z]+[A-Z]\w*)\b/;
                // The generator's own, about a type.
                const written = outside.split("\n").filter((line) => !/You can construct|^\/\/ *\w+\{/.test(line));
                wrong.push(...written.filter((line) => isName.test(line.replaceAll(/videograph:\w+/g, ""))));
            }
            assert.deepEqual(wrong, []);
            assert.match(
                await source("python/pulumi_videograph/content.py"),
                /tags, metadata and save_original_copy are/,
            );
            assert.match(await source("go/videograph/content.go"), /Tags, Metadata and SaveOriginalCopy are/);
        });
    });
});

/** The programs of the guide to unit tests. */
function guide(language: string): string[] {
    const { blocks } = readPage("docs/guides/unit-tests.md");
    return blocks.filter((block) => block.language === language).map(({ text }) => text);
}

const target = { native: true, library: false };
const entry = (name: string) => ({ id: "1", name, type: "" });
/** What `adopt` declares in a program: every form of a value. */
const adopted = [
    {
        kind: "Content",
        entry: entry("film"),
        declared: {
            ...{ title: "Film", playbackPolicy: ["public"], mp4Support: true },
            ...{ tags: ["a"], metadata: { season: "2" }, description: "" },
        },
    },
    {
        kind: "Livestream",
        entry: entry("stage"),
        declared: { title: "Stage", region: "us-east-1", record: true, dvrDurationInMins: 30 },
    },
] as unknown as DeclaredObject[];

const installed = `
import importlib.metadata
# The SDK is not installed, and asks for its own version.
installed = importlib.metadata.version
importlib.metadata.version = lambda name: "1.2.3" if name == "pulumi_videograph" else installed(name)
`;

const mocked = `${installed}
import runpy, sys, pulumi
class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return ["id", args.inputs]
    def call(self, args):
        return {}
pulumi.runtime.set_mocks(Mocks())
for program in sys.argv[1:]:
    runpy.run_path(program)
`;
