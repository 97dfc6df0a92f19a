/** The generated parts of `provider/src/program/`, from the definitions in `provider/src/resources/`. */
import { join } from "node:path";
import type { Definition, Field, Type } from "../../provider/dist/inputs/definition.js";
import { clipDefinition } from "../../provider/dist/resources/clip/definition.js";
import { contentDefinition } from "../../provider/dist/resources/content/definition.js";
import { libraryDocs } from "../../provider/dist/resources/contentLibrary/definition.js";
import { livestreamDefinition } from "../../provider/dist/resources/livestream/definition.js";
import { program as lookupFunctions, nativeFunctions } from "./lookups.ts";
import { comment, inputText, valueText } from "./text.ts";

export const program = join(import.meta.dirname, "..", "..", "provider", "src", "program");

/** The generated files; `update` gives the new text of a file for its present one. */
export const generated = [
    { path: join(program, "content.ts"), update: classOf(contentDefinition) },
    { path: join(program, "clip.ts"), update: classOf(clipDefinition) },
    { path: join(program, "livestream.ts"), update: classOf(livestreamDefinition) },
    {
        path: join(program, "contentLibrary.ts"),
        update: (text: string) => replacePart(text, "types", libraryTypes()),
    },
    { path: join(program, "lookups.ts"), update: lookupFunctions },
    {
        path: join(program, "..", "native", "program", "lookups.ts"),
        update: (text: string) => replacePart(text, "functions", nativeFunctions()),
    },
];

function classOf(definition: Definition) {
    return (text: string) =>
        replacePart(replacePart(text, "arguments", argumentTypes(definition)), "properties", properties(definition));
}

/** Replaces what is between the two comments of a part. */
function replacePart(text: string, part: string, lines: string[]): string {
    const pattern = new RegExp(`( *)// Generated ${part}: \`npm run generate\`\\n[^]*?// End of generated ${part}\\n`);
    if (!pattern.test(text)) throw new Error(`There is no place for generated ${part}.`);
    return text.replace(pattern, (_all, indent: string) => {
        const begin = `// Generated ${part}: \`npm run generate\``;
        const all = [begin, ...lines, `// End of generated ${part}`];
        return all.map((line) => (line === "" ? "\n" : `${indent}${line}\n`)).join("");
    });
}

function argumentTypes({ name, inputs }: Definition): string[] {
    const nested = Object.values(inputs).flatMap(({ type }) => {
        const item = type.kind === "list" ? type.of : type;
        if (item.kind !== "object") return [];
        return [...comment(item.doc, 0), ...interfaceOf(item.name, item.fields), ""];
    });
    return [...nested, ...comment(`The inputs of a {@link ${name}}.`, 0), ...interfaceOf(`${name}Args`, inputs)];
}

function interfaceOf(name: string, fields: Readonly<Record<string, Field>>): string[] {
    const lines = Object.entries(fields).flatMap(([field, { doc, type, required }]) => [
        ...comment(doc, 4),
        required ? `    ${field}: ${inputText(type)};` : `    ${field}?: ${inputText(type)} | undefined;`,
    ]);
    return [`export interface ${name} {`, ...lines, "}"];
}

function libraryTypes(): string[] {
    const inputs = {
        contents: "Record<string, pulumi.Input<LibraryEntry>>",
        catalogue: "string",
        defaults: "Partial<LibraryEntry>",
        maxDeletes: "number",
    };
    const args = Object.entries(inputs).flatMap(([name, type]) => [
        ...comment(libraryDocs[name as keyof typeof inputs], 4),
        `    ${name}?: pulumi.Input<${type}> | undefined;`,
    ]);
    const outputs: Definition["outputs"] = contentDefinition.outputs;
    const shown = Object.entries(outputs).flatMap(([name, { doc, lookupDoc = doc, type }]) => [
        ...comment(lookupDoc, 4),
        `    ${name}${name === "status" ? "" : "?"}: ${valueText(type)};`,
    ]);
    return [
        ...comment("The inputs of a {@link ContentLibrary}.", 0),
        ...["export interface ContentLibraryArgs {", ...args, "}", ""],
        ...comment("A content as its library shows it.", 0),
        ...[
            "export interface LibraryContent {",
            ...comment("The content's id.", 4),
            "    contentId: string;",
            ...shown,
            "}",
        ],
    ];
}

function properties({ inputs, outputs }: Definition): string[] {
    const declare = (name: string, type: Type, always: boolean | undefined) =>
        `declare public readonly ${name}: pulumi.Output<${valueText(type)}${always ? "" : " | undefined"}>;`;
    return [
        ...Object.entries(inputs).map(([name, { type, required, setting }]) =>
            declare(name, type, required || setting !== undefined),
        ),
        ...Object.entries(outputs).flatMap(([name, { doc, type, optional }]) => [
            ...comment(doc, 0, 4),
            declare(name, type, !optional),
        ]),
    ];
}
