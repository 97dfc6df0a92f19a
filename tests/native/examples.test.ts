/** The examples of the schema: each is a program that its language knows, as far as that can be told here. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { examples, isFunction } from "../../tools/plugin/examples.ts";
import { packageSchema } from "../../tools/plugin/schema.ts";
import { type Languages, obtainLanguages } from "../../tools/pulumiCli/languages.ts";
import { identityOf, readPlaces } from "../../tools/release/places.ts";
import { checkPrograms } from "../docs/checkPrograms.ts";

interface Described {
    description: string;
    properties?: object;
    inputProperties?: object;
    inputs?: { properties: object };
    outputs?: { properties: object };
}
const schema = packageSchema({ version: "1.2.3", repository: "https://github.com/owner/name" }) as unknown as {
    resources: Record<string, Described>;
    functions: Record<string, Described>;
};
const described = Object.entries({ ...schema.resources, ...schema.functions }).map(
    ([token, spec]) => [token.split(":").at(-1) ?? "", spec] as const,
);
const run = promisify(execFile);

/** The program of each token in one language, as the schema has it. */
function programs(language: string): [name: string, text: string][] {
    return described.map(([name, { description }]) => {
        const [, text] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(description) ?? [];
        return [name, text ?? assert.fail(`${name} has no example in ${language}`)];
    });
}

describe("The schema's examples", function () {
    this.timeout(600_000);

    it("are one for each resource and function, in every language, in the form that the registry reads", () => {
        assert.deepEqual(described.map(([name]) => name).sort(), [...examples.keys()].sort());
        for (const [name, { description }] of described) {
            assert.match(
                description,
                /\{\{% examples %\}\}\n\n## Example Usage\n\n\{\{% example %\}\}\n\n### .*\{\{% \/example %\}\}\n\n\{\{% \/examples %\}\}(\n\n## Import.*)?$/s,
                name,
            );
            const languages = [...description.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
            assert.deepEqual(
                languages.filter((language) => language !== "sh"),
                ["typescript", "python", "go", "csharp", "java", "yaml"],
            );
        }
    });

    it("name only inputs and outputs that there are", () => {
        for (const [name, { statements, exported }] of examples) {
            for (const { token, args } of statements) {
                const [, spec] = described.find(([known]) => known === token) ?? assert.fail(token);
                const known = Object.keys(spec.inputProperties ?? spec.inputs?.properties ?? {});
                assert.deepEqual(
                    Object.keys(args).filter((arg) => !known.includes(arg)),
                    [],
                    name,
                );
            }
            const [, spec] = described.find(([known]) => known === name) ?? assert.fail(name);
            assert.ok(exported[1] in (spec.properties ?? spec.outputs?.properties ?? {}), name);
        }
    });

    it("TypeScript: compile", () => {
        const blocks = programs("typescript").map(([name, text]) => ({
            page: "examples/quickstart/index.ts",
            line: 1,
            language: "ts",
            file: `.example-${name}.ts`,
            text,
        }));
        assert.deepEqual(checkPrograms(blocks as unknown as Parameters<typeof checkPrograms>[0]), []);
    });

    it("YAML: have the program's structure", () => {
        for (const [name, text] of programs("yaml")) {
            const { resources = {}, variables = {}, outputs } = parse(text);
            const statements = examples.get(name)?.statements ?? [];
            assert.deepEqual(
                [...Object.keys(resources), ...Object.keys(variables)],
                statements.map(({ variable }) => variable),
            );
            assert.equal(Object.keys(variables).length, statements.filter(isFunction).length);
            assert.equal(Object.keys(outputs).length, 1);
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
            folder = await mkdtemp(join(tmpdir(), "videograph-examples-"));
            const built = join(import.meta.dirname, "..", "..", "provider", "plugin", "schema.json");
            await languages.generate(built, folder, "python", "go");
        });
        after(async () => {
            if (folder !== undefined) await rm(folder, { recursive: true, force: true });
        });

        it("Python: run", async () => {
            const files = programs("python").map(([name]) => join(folder, `${name}.py`));
            for (const [name, text] of programs("python")) await writeFile(join(folder, `${name}.py`), text);
            // What the engine would answer is of no account: every name and every argument has to be there.
            const env = { ...process.env, PYTHONPATH: join(folder, "python") };
            await run(languages.python, ["-c", mocked, ...files], { env });
        });

        it("Go: compile", async () => {
            const module = join(folder, "module");
            await cp(join(import.meta.dirname, "go"), module, { recursive: true });
            await cp(join(folder, "go"), join(module, "sdk"), { recursive: true });
            for (const [name, text] of programs("go")) {
                await mkdir(join(module, "examples", name), { recursive: true });
                // The schema of this test is of another home than the SDK.
                const home = text.replace("github.com/owner/name/", `github.com/${identityOf(readPlaces()).home}/`);
                await writeFile(join(module, "examples", name, "main.go"), home);
            }
            const env = {
                ...process.env,
                GOFLAGS: "-mod=mod -buildvcs=false",
                PATH: [languages.path, process.env.PATH].join(delimiter),
            };
            await run("go", ["vet", "./examples/..."], { cwd: module, env });
        });
    });
});

const mocked = `
import importlib.metadata, runpy, sys, pulumi
# The SDK is not installed, and asks for its own version.
installed = importlib.metadata.version
importlib.metadata.version = lambda name: "1.2.3" if name == "pulumi_videograph" else installed(name)
class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return ["id", args.inputs]
    def call(self, args):
        return {}
pulumi.runtime.set_mocks(Mocks())
for program in sys.argv[1:]:
    runpy.run_path(program)
`;
