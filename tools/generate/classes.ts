/** The generated parts of `provider/src/program/`, from the definitions in `provider/src/resources/`. */
import { join } from "node:path";
import type { Definition, Field, Type } from "../../provider/dist/inputs/definition.js";
import { clipDefinition } from "../../provider/dist/resources/clip/definition.js";
import { contentDefinition } from "../../provider/dist/resources/content/definition.js";
import { livestreamDefinition } from "../../provider/dist/resources/livestream/definition.js";
import { lookedUp } from "./lookedUp.ts";

export const program = join(import.meta.dirname, "..", "..", "provider", "src", "program");
const width = 120;

/** The files, and what each says today of a text. */
export const generated = [
    { path: join(program, "content.ts"), update: classOf(contentDefinition) },
    { path: join(program, "clip.ts"), update: classOf(clipDefinition) },
    { path: join(program, "livestream.ts"), update: classOf(livestreamDefinition) },
    { path: join(program, "getContent.ts"), update: resultsOf(contentDefinition) },
    { path: join(program, "getLivestream.ts"), update: resultsOf(livestreamDefinition) },
];

function classOf(definition: Definition) {
    return (text: string) =>
        replacePart(replacePart(text, "arguments", argumentTypes(definition)), "properties", properties(definition));
}

function resultsOf(definition: Definition) {
    return (text: string) => replacePart(text, "results", results(definition));
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

function properties({ inputs, outputs }: Definition): string[] {
    const declare = (name: string, type: Type, always: boolean | undefined) =>
        `declare public readonly ${name}: pulumi.Output<${valueText(type)}${always ? "" : " | undefined"}>;`;
    return [
        ...Object.entries(inputs).map(([name, { type, required, always }]) => declare(name, type, required || always)),
        ...Object.entries(outputs).flatMap(([name, { doc, type, optional }]) => [
            ...comment(doc, 0, 4),
            declare(name, type, !optional),
        ]),
    ];
}

/** What a lookup returns. A secret is an output, which the type of the answer for one object adds. */
function results(definition: Definition): string[] {
    return lookedUp(definition)
        .filter(([, { secret }]) => !secret)
        .flatMap(([name, { doc, type }]) => [...comment(doc, 0, 4), `${name}: ${resultText(type)} | undefined;`]);
}

/** The service may have more policies than those of today. */
function resultText(type: Type): string {
    return type.kind === "list" && type.of.kind === "string" ? "string[]" : valueText(type);
}

/** The type of an argument. */
function inputText(type: Type): string {
    switch (type.kind) {
        case "list":
            return `pulumi.Input<${inputText(type.of)}[]>`;
        case "map":
            return "pulumi.Input<Record<string, pulumi.Input<string>>>";
        case "object":
            return `pulumi.Input<${type.name}>`;
        default:
            return `pulumi.Input<${valueText(type)}>`;
    }
}

/** The type of a plain value. */
function valueText(type: Type): string {
    switch (type.kind) {
        case "string":
            return type.oneOf === undefined ? "string" : type.oneOf.map((text) => JSON.stringify(text)).join(" | ");
        case "boolean":
            return "boolean";
        case "number":
        case "integer":
            return "number";
        case "numberOrString":
            return "string | number";
        case "map":
            return "Record<string, string>";
        case "object":
            return `pulumi.Unwrap<${type.name}>`;
        case "list": {
            const item = valueText(type.of);
            return item.includes("|") ? `(${item})[]` : `${item}[]`;
        }
    }
}

/** A docstring; `outer` is what the whole part is indented by. */
function comment(text: string, indent: number, outer = 0): string[] {
    const spaces = " ".repeat(indent);
    const room = width - indent - outer;
    if (text.length + 7 <= room) return [`${spaces}/** ${text} */`];
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(" ")) {
        if (line !== "" && line.length + word.length + 4 > room) {
            lines.push(line);
            line = word;
        } else line = line === "" ? word : `${line} ${word}`;
    }
    return [`${spaces}/**`, ...[...lines, line].map((each) => `${spaces} * ${each}`), `${spaces} */`];
}
