/**
 * D9: `adopt` writes texts that mean something to a language or to Pulumi, and the language's own parser reads them as they are. Python and
 * Go have the same literals as TypeScript; their compilers read such texts in tests/native/languages.test.ts.
 */
import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import ts from "typescript";
import { parse } from "yaml";
import { World } from "./support.ts";

type Inputs = Record<string, unknown>;

const special = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text
    ..."$$ $${x} ${} ${pulumi.cwd} $ 1_000 << 2026-01-01 fn::join fn::secret".split(" "),
    ..."pulumi videograph __proto__ constructor default_1_0_0 index id urn provider a::b None func".split(" "),
    ...`"q" it's \\ \\n true null yes ~ # */ \` %s {{x}} ''' """ 0x10 1e3 .inf =`.split(" "),
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
const readers: Record<string, (program: string) => Record<string, Inputs>> = {
    typescript(program) {
        const declared: Record<string, Inputs> = {};
        class Content {
            constructor(name: string, inputs: Inputs) {
                declared[name] = inputs;
            }
        }
        const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ESNext };
        const compiled = ts.transpileModule(program, { compilerOptions, reportDiagnostics: true });
        assert.deepEqual(compiled.diagnostics, []);
        runInNewContext(compiled.outputText, { exports: {}, require: () => ({ Content }) });
        return JSON.parse(JSON.stringify(declared));
    },
    yaml(program) {
        const { resources } = parse(program, { version: "1.1", merge: true });
        const read = JSON.parse(JSON.stringify(resources).replaceAll("$$", "$")) as Record<
            string,
            { properties: Inputs }
        >;
        return Object.fromEntries(Object.entries(read).map(([name, { properties }]) => [name, properties]));
    },
};

describe("a program that adopt writes", () => {
    for (const [language, read] of Object.entries(readers))
        it(`in ${language} loads, and has every text as it is (D9)`, async () => {
            await fc.assert(
                fc.asyncProperty(fc.array(video, { minLength: 40, maxLength: 60 }), async (videos) => {
                    using world = new World();
                    world.writeProject();
                    Object.assign(world.printed, {
                        ...{ "config --json": "{}", "stack export": '{"deployment":{}}' },
                        ...{ "stack --show-name": "dev\n", "stack ls --all --json": "[]" },
                    });
                    const ids = new Map(videos.map((one) => [world.core.addContent(one).contentId, one]));
                    const args = ["--json", "--native", "--language", language, "--program", "adopted"];
                    const { code, stdout, stderr } = await world.run("adopt", ...args);
                    assert.equal(code, 0, stderr);
                    type Line = Record<"id" | "name" | "reason", string>;
                    const { imported, skipped }: Record<"imported" | "skipped", Line[]> = JSON.parse(stdout);
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
                    assert.deepEqual(read(world.read("adopted")), Object.fromEntries(expected));
                }),
                { numRuns: 2, endOnFailure: true },
            );
        });
});
