/** D9: `adopt` writes texts that mean something to a language or to Pulumi, and each language's own parser reads them as they are. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import ts from "typescript";
import { parse } from "yaml";
import { findProgram } from "../../../tools/pulumiCli/index.ts";
import { World } from "./support.ts";

type Inputs = Record<string, unknown>;

const special = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text
    ..."$$ $${x} ${} ${pulumi.cwd} $ 1_000 << 2026-01-01 fn::join fn::secret pulumi videograph __proto__ constructor".split(
        " ",
    ),
    ...`"q" it's \\ \\n true null yes ~ # */ \` %s {{x}} ''' """ 0x10 1e3 .inf = default_1_0_0 index id urn provider a::b None func`.split(
        " ",
    ),
    ..."\ud800 a\udc00b שלום \u2028 \u0085 \u0000 \u007f \ufeff \ufffe \u202e".split(" "),
    ...["\n", "\r\n", "\t", "Ünïcode 😀", "- a", "a: b", "# no comment", "é".repeat(300)],
];
const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...special) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...special), { maxLength: 3 }).map((texts) => texts.join("")) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
);
const title = text.filter((one) => /\S/.test(one));
const pairs = fc.uniqueArray(fc.record({ key: title, value: text }), { maxLength: 3, selector: ({ key }) => key });
const video = fc.record({
    ...{ title, tags: fc.array(title, { maxLength: 2 }), metadata: pairs, description: text },
    mp4_support: fc.boolean(),
    playback_policy: fc.constantFrom(["public"], ["signed"]) as fc.Arbitrary<("public" | "signed")[]>,
});

/** What the programs declare, by the name of the resource, as each language's parser reads it. */
const readers: Record<string, { needs?: string; read(program: string): Record<string, Inputs> }> = {
    typescript: {
        read(program) {
            const declared: Record<string, Inputs> = {};
            class Content {
                constructor(name: string, inputs: Inputs) {
                    declared[name] = inputs;
                }
            }
            const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ESNext };
            const compiled = ts.transpileModule(readFileSync(program, "utf8"), {
                compilerOptions,
                reportDiagnostics: true,
            });
            assert.deepEqual(compiled.diagnostics, []);
            runInNewContext(compiled.outputText, { exports: {}, require: () => ({ Content }) });
            return JSON.parse(JSON.stringify(declared));
        },
    },
    python: {
        needs: "python3",
        read: (program) => JSON.parse(run("python3", "-c", pythonReader, program)),
    },
    go: {
        needs: "go",
        read: (program) => JSON.parse(run("go", "run", join(import.meta.dirname, "goReader.go"), program)),
    },
    yaml: {
        read(program) {
            const { resources } = parse(readFileSync(program, "utf8"), { version: "1.1", merge: true });
            const asIs = (value: string) => value.replaceAll("$$", "$");
            return Object.fromEntries(
                Object.entries<{ properties: Inputs }>(resources).map(([name, { properties }]) => [
                    name,
                    mapped(properties, asIs),
                ]),
            );
        },
    },
};
const pythonReader = `
import ast, json, sys
program = ast.parse(open(sys.argv[1], encoding="utf-8").read())
calls = [node.value for node in program.body if isinstance(node, ast.Expr)]
print(json.dumps({
    ast.literal_eval(call.args[0]): {one.arg: ast.literal_eval(one.value) for one in call.keywords if one.arg != "opts"}
    for call in calls
}))`;

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8", maxBuffer: 1e8 });

/** With all texts changed, those that are keys too. */
function mapped<T>(data: T, change: (text: string) => string): T {
    const of = (value: unknown): unknown => {
        if (typeof value === "string") return change(value);
        if (Array.isArray(value)) return value.map(of);
        if (typeof value !== "object" || value === null) return value;
        return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), of(item)]));
    };
    return of(data) as T;
}

describe("a program that adopt writes", () => {
    for (const [language, { needs, read }] of Object.entries(readers))
        it(`in ${language} loads, and has every text as it is (D9)`, async function () {
            if (needs !== undefined && findProgram(needs) === undefined) {
                assert.ok(!process.env.CI, `${needs} is missing`);
                return this.skip();
            }
            await fc.assert(
                fc.asyncProperty(fc.array(video, { minLength: 40, maxLength: 60 }), async (videos) => {
                    using world = new World();
                    world.writeProject();
                    Object.assign(world.printed, {
                        ...{ "config --json": "{}", "stack export": '{"deployment":{}}' },
                        ...{ "stack --show-name": "dev\n", "stack ls --all --json": "[]" },
                    });
                    const ids = new Map(videos.map((one) => [world.core.addContent(one).contentId, one]));
                    const program = join(world.folder, "adopted");
                    const args = ["--json", "--native", "--language", language, "--program", program];
                    const { code, stdout, stderr } = await world.run("adopt", ...args);
                    assert.equal(code, 0, stderr);
                    const { imported, skipped } = JSON.parse(stdout) as Record<
                        "imported" | "skipped",
                        { id: string; name: string; reason: string }[]
                    >;
                    for (const { id, reason } of skipped) {
                        const texts = JSON.stringify(ids.get(id));
                        const keys = ids.get(id)?.metadata.map(({ key }) => key) ?? [];
                        const isReserved = (key: string) =>
                            key === "__proto__" || (language === "yaml" && /^(fn::|<<$)/i.test(key));
                        assert.ok(/\\ud[89a-f]/.test(texts) || keys.some(isReserved), reason);
                    }
                    assert.equal(imported.length + skipped.length, videos.length);
                    const expected = imported.map(({ id, name }) => {
                        const { title, description, tags, metadata, ...more } = ids.get(id) ?? assert.fail(id);
                        const map = Object.fromEntries(metadata.map(({ key, value }) => [key, value]));
                        const inputs = {
                            ...{ title, playbackPolicy: more.playback_policy },
                            ...(more.mp4_support && { mp4Support: true }),
                            ...(description && { description }),
                            ...(tags.length > 0 && { tags }),
                            ...(metadata.length > 0 && { metadata: map }),
                        };
                        return [name, inputs];
                    });
                    // Python and Go spell names in their own ways.
                    const spelled = (name: string) =>
                        name.replace(/^.|_./g, (start, at) =>
                            at === 0 ? start.toLowerCase() : start.charAt(1).toUpperCase(),
                        );
                    const declared = Object.entries(read(program)).map(([name, inputs]) => [
                        name,
                        Object.fromEntries(Object.entries(inputs).map(([input, value]) => [spelled(input), value])),
                    ]);
                    assert.deepEqual(Object.fromEntries(declared), Object.fromEntries(expected));
                }),
                { numRuns: 2, endOnFailure: true },
            );
        });
});
