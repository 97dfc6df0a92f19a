/**
 * The C# SDK, by the files that Pulumi's generator has made of the schema (`npm run golden`): no .NET SDK can be had where the tests run. With
 * CSHARP_COMPILER=mcs they are compiled as well, and so are the quickstart and the schema's examples, against stand-ins of Pulumi's SDK.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import schema from "../../schema.json" with { type: "json" };
import { digestOfSchema, golden } from "../../tools/golden.ts";
import { repository } from "../docs/markdown.ts";
import { compiled } from "./csharp/compiled.ts";

interface Spec {
    readonly type?: string;
    readonly $ref?: string;
    readonly items?: Spec;
    readonly additionalProperties?: Spec;
    readonly oneOf?: readonly Spec[];
    readonly language?: { readonly csharp?: { readonly name: string } };
}
interface ObjectSpec {
    readonly properties?: Readonly<Record<string, Spec>>;
    readonly required?: readonly string[];
}
type Specs = Readonly<Record<string, Spec>>;
interface Schema {
    readonly resources: Readonly<
        Record<string, ObjectSpec & { inputProperties: Specs; requiredInputs?: readonly string[] }>
    >;
    readonly functions: Readonly<Record<string, { inputs?: ObjectSpec; outputs: ObjectSpec }>>;
    readonly types: Readonly<Record<string, ObjectSpec>>;
}
const { resources, functions, types } = schema as unknown as Schema;

/** What C# calls the parts of a class. An input takes an Output as well; a result has a value. */
type Form = "input" | "plain" | "result";

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const classOf = (token: string) => capital(token.split(":").at(-1) ?? "");
const primitives: Readonly<Record<string, string>> = {
    string: "string",
    integer: "int",
    number: "double",
    boolean: "bool",
};

/** The type of a value inside a list, a map or an Output. */
function valueType({ type = "", $ref, items, additionalProperties, oneOf }: Spec, isResult: boolean): string {
    if (oneOf !== undefined) return `Union<${oneOf.map((one) => valueType(one, isResult)).join(", ")}>`;
    if ($ref !== undefined) return isResult ? `Outputs.${classOf($ref)}` : `Inputs.${classOf($ref)}Args`;
    if (items !== undefined) return `ImmutableArray<${valueType(items, isResult)}>`;
    if (additionalProperties !== undefined)
        return `ImmutableDictionary<string, ${valueType(additionalProperties, isResult)}>`;
    return primitives[type] ?? assert.fail(type);
}

function memberType(spec: Spec, form: Form, isRequired: boolean): string {
    const optional = isRequired ? "" : "?";
    const { items, additionalProperties, oneOf } = spec;
    if (form === "result") return valueType(spec, true) + (items ? "" : optional);
    if (items !== undefined) return `${form === "plain" ? "List" : "InputList"}<${valueType(items, false)}>`;
    if (additionalProperties !== undefined)
        return `${form === "plain" ? "Dictionary<string, " : "InputMap<"}${valueType(additionalProperties, false)}>`;
    if (form === "plain") return valueType(spec, false) + optional;
    return (oneOf ? `Input${valueType(spec, false)}` : `Input<${valueType(spec, false)}>`) + optional;
}

/** The members of each class as the schema has them, with their types. */
function expectedClasses(): Map<string, Map<string, string>> {
    const classes = new Map<string, Map<string, string>>();
    const add = (name: string, properties: Specs = {}, required: readonly string[] = [], form: Form) => {
        const members = Object.entries(properties).map(([property, spec]) => {
            const type = memberType(spec, form, required.includes(property));
            return [spec.language?.csharp?.name ?? capital(property), type] as const;
        });
        classes.set(name, new Map(members));
        return new Map(members);
    };
    for (const [token, { properties, required, inputProperties, requiredInputs }] of Object.entries(resources)) {
        const outputs = add(classOf(token), properties, required, "result");
        for (const [name, type] of outputs) classes.get(classOf(token))?.set(name, `Output<${type}>`);
        add(`${classOf(token)}Args`, inputProperties, requiredInputs, "input");
    }
    for (const [token, { inputs = {}, outputs }] of Object.entries(functions)) {
        add(`${classOf(token)}Args`, inputs.properties, inputs.required, "plain");
        add(`${classOf(token)}InvokeArgs`, inputs.properties, inputs.required, "input");
        add(`${classOf(token)}Result`, outputs.properties, outputs.required, "result");
    }
    // What is an input alone, or a result alone, has one class.
    const used = JSON.stringify([resources, functions, types]);
    for (const [token, { properties, required }] of Object.entries(types)) {
        assert.ok(used.includes(`"#/types/${token}"`), token);
        add(`Inputs.${classOf(token)}Args`, properties, required, "input");
        add(`Outputs.${classOf(token)}`, properties, required, "result");
    }
    return classes;
}

const quickstart = join(repository, "examples", "quickstart-csharp");
/** The examples of the schema, and the quickstart. */
const programs: (readonly [name: string, text: string])[] = [
    ...Object.entries({ ...schema.resources, ...schema.functions }).map(([token, { description }]) => {
        const [, text] = /```csharp\n(.*?)```/s.exec(description) ?? [];
        return [token, text ?? assert.fail(token)] as const;
    }),
    ["quickstart", readFileSync(join(quickstart, "Program.cs"), "utf8")],
];

const files = globSync("**/*.cs", { cwd: golden }).map((name) => readFileSync(join(golden, name), "utf8"));

/** The public members of each class of the files, with their types. */
function writtenClasses(): Map<string, Map<string, string>> {
    const classes = new Map<string, Map<string, string>>();
    for (const file of files) {
        const [, space = ""] = /^namespace Community\.Pulumi\.Videograph(?:\.(\w+))?$/m.exec(file) ?? assert.fail();
        const code = file.replace(/^ *\/\/\/.*\n/gm, "");
        const heads = [...code.matchAll(/^ {4}public (?:static|sealed|partial) class (\w+)/gm)];
        for (const [index, { 1: name = "", index: from }] of heads.entries()) {
            const body = code.slice(from, heads[index + 1]?.index);
            const members = body.matchAll(
                /^ {8}public (?:readonly )?((?!static|class|override)[\w.<>?, ]+?) (\w+)(?:;$|$| \{)/gm,
            );
            const found = [...members].map(([, type = "", member = ""]) => [member, type] as const);
            classes.set(space ? `${space}.${name}` : name, new Map(found));
        }
    }
    return classes;
}

describe("The C# SDK", () => {
    it("was made of this schema: otherwise run `npm run golden`", () => {
        assert.equal(readFileSync(join(golden, "schema.digest"), "utf8").trim(), digestOfSchema());
    });

    it("has every resource and function, with every input and output, under its name and with its type in C#", () => {
        const expected = expectedClasses();
        const written = writtenClasses();
        for (const [name, members] of written) {
            if (/^(Get\w+|Provider|ProviderArgs)$/.test(name) && !expected.has(name)) continue;
            assert.deepEqual(Object.fromEntries(members), Object.fromEntries(expected.get(name) ?? []), name);
        }
        // A type that is never an input has no class of inputs, and one that is never a result none of results.
        const missing = [...expected.keys()].filter((name) => !written.has(name));
        assert.deepEqual(
            missing.filter((name) => !/^(?:Inputs|Outputs)\./.test(name)),
            [],
        );
        for (const token of Object.keys(types))
            assert.ok(written.has(`Inputs.${classOf(token)}Args`) || written.has(`Outputs.${classOf(token)}`), token);
        const of = (name: string, member: string) => written.get(name)?.get(member);
        // A list of texts, a map, a map of objects, a union of a number and a text, and what C# cannot call by its own name.
        assert.equal(of("ContentArgs", "PlaybackPolicy"), "InputList<string>");
        assert.equal(of("ContentArgs", "Metadata"), "InputMap<string>");
        assert.equal(of("ContentLibraryArgs", "Contents"), "InputMap<Inputs.LibraryEntryArgs>");
        assert.equal(of("Inputs.ContentWatermarkArgs", "Opacity"), "InputUnion<double, string>?");
        assert.equal(of("Content", "Sources"), "Output<ImmutableArray<Outputs.ContentSource>>");
        for (const file of files) assert.doesNotMatch(file, /\benum\b|EnumType/);
    });

    it("calls each function in both forms, and each resource by its token", () => {
        const text = files.join("\n");
        for (const token of Object.keys(functions))
            for (const form of ["InvokeAsync", "Invoke"])
                assert.ok(text.includes(`Instance.${form}<${classOf(token)}Result>("${token}"`), `${form} ${token}`);
        for (const token of Object.keys(resources)) {
            assert.ok(text.includes(`: base("${token}", name, args ??`), token);
            assert.ok(text.includes(`Type = "pulumi-nodejs:dynamic/videograph:${classOf(token)}" }`), token);
        }
    });

    it("keeps the stream key a secret", () => {
        const secret = (name: string) =>
            /AdditionalSecretOutputs =\s*\{([^}]*)\}/
                .exec(readFileSync(join(golden, `${name}.cs`), "utf8"))?.[1]
                ?.trim();
        assert.equal(secret("Livestream"), '"streamKey",');
        assert.equal(secret("Provider"), '"secretKey",');
        assert.equal(secret("Content"), undefined);
    });

    it("has no docstring with another language's spelling, a reference or another language's example", () => {
        const docs = files.flatMap((file) => file.match(/^ *\/\/\/ .*$/gm) ?? []).join("\n");
        const languages = new Set([...docs.matchAll(/^ *\/\/\/ ```(\w+)/gm)].map(([, language]) => language));
        assert.deepEqual([...languages].sort(), ["csharp", "sh"]);
        assert.doesNotMatch(docs, /\{\{%/);
        const outside = docs.replace(/```.*?```|https?:\S+/gs, "");
        const isName = /(?<!videograph:)\b(?:playback_policy|[a-z]+[A-Z]\w*)\b/;
        const wrong = outside.split("\n").filter((line) => isName.test(line.replace(/videograph:\w+(?::\w+)?/g, "")));
        assert.deepEqual(wrong, []);
        assert.match(docs, /Title, Description, Tags, Metadata and SaveOriginalCopy are/);
    });

    it("has what the quickstart and the schema's examples assign and read", () => {
        const members = new Map(
            [...writtenClasses()].map(([name, own]) => [name.replace(/^\w+\./, ""), new Set(own.keys())] as const),
        );
        for (const [name, text] of programs) {
            assert.match(text, /Videograph\./);
            assert.deepEqual(unknownNames(text, members), [], name);
        }
        const [, program] = programs.at(-1) ?? assert.fail();
        const wrong = program.replace("Sources =", "Content =").replace("stage.StreamKey", "stage.Key");
        assert.deepEqual(unknownNames(wrong, members), ["ContentArgs.Content", "Key"]);
        // The SDK's class Config would hide Pulumi's, and `pulumi package add` puts its sources into the project's folder.
        assert.match(program, /^using Videograph = Community\.Pulumi\.Videograph;$/m);
        const project = readFileSync(join(quickstart, "quickstart.csproj"), "utf8");
        assert.match(project, /\$\(DefaultItemExcludes\);sdks\/\*\*\/\*\.cs</);
    });

    it("is compiled, with these programs, where CSHARP_COMPILER names a compiler", async function () {
        const compiler = process.env.CSHARP_COMPILER;
        if (!compiler) return this.skip();
        const folder = await mkdtemp(join(tmpdir(), "videograph-csharp-"));
        const standIns = join(import.meta.dirname, "csharp", "Pulumi.cs");
        const compile = async (all: readonly string[]) => {
            const sources = compiled(files, all);
            for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
            const options = ["-target:library", "-out:sdk.dll", "-nologo", standIns, ...Object.keys(sources)];
            return promisify(execFile)(compiler, options, { cwd: folder });
        };
        try {
            const texts = programs.map(([, text]) => text);
            await compile(texts);
            const wrong = texts.map((text) => text.replace('Title = "Trailer"', "Title = 5"));
            await assert.rejects(compile(wrong), /cannot implicitly convert type `int' to `Pulumi.Input<string>'/i);
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});

/** Classes that a program names, members that it assigns, and members that it reads, which its SDK does not have. */
function unknownNames(program: string, members: ReadonlyMap<string, ReadonlySet<string>>): string[] {
    let code = program.replace(/"[^"]*"/g, '""').replace(/\/\/.*$/gm, "");
    const types = [...code.matchAll(/\bVideograph\.(?:Inputs\.)?(?!Inputs\b)(\w+)/g)].map(([, type = ""]) => type);
    // Of no class in particular; `Id` is inherited.
    const known = new Set(["Id", "Invoke", "Apply", ...[...members.values()].flatMap((names) => [...names])]);
    const read = [...code.matchAll(/\b[a-z]\w*\.([A-Z]\w*)(?!\w*\()/g)].map(([, name = ""]) => name);
    // From the innermost braces outwards: what stands before them says whether they are the initializer of a class.
    const braces = /(?:new Videograph\.(?:Inputs\.)?(\w+)\s*)?\{([^{}]*)\}/;
    const assigned: string[] = [];
    for (let found = braces.exec(code); found !== null; found = braces.exec(code)) {
        const [all, type, text = ""] = found;
        const names = type === undefined ? [] : [...text.matchAll(/\b(\w+) = /g)].map(([, name = ""]) => name);
        assigned.push(...names.filter((name) => !members.get(type ?? "")?.has(name)).map((name) => `${type}.${name}`));
        code = code.replace(all, "");
    }
    return [
        ...types.filter((type) => !members.has(type)),
        ...assigned,
        ...read.filter((name) => !known.has(name) && !/^(Require|Select)$/.test(name)),
    ];
}
