/** The functions of the lookups and their types, from the lookups' definitions. */
import type { Definition, Field, Type } from "../../provider/dist/inputs/definition.js";
import { type LookupName, lookups } from "../../provider/dist/lookups/definitions.js";
import { contentDefinition } from "../../provider/dist/resources/content/definition.js";
import { livestreamDefinition } from "../../provider/dist/resources/livestream/definition.js";
import { lookupExamples } from "./lookupExamples.ts";
import { comment, inputText, valueText, width } from "./text.ts";

type Lookup = Pick<(typeof lookups)[LookupName], "doc" | "result"> & {
    args: Readonly<Record<string, Field>>;
};

const all = Object.entries(lookups) as [LookupName, Lookup][];

/** What the lookups return, beside signing keys. */
export const resultDocs = {
    ContentResult: "A content as a function returns it.",
    LivestreamItem: "A livestream as a list returns it, without its key.",
    LivestreamResult: "A livestream as `getLivestream` returns it.",
};

/** `provider/src/program/lookups.ts`. */
export function program(): string {
    return [
        "// Written by `npm run generate` from the definitions in lookups/.",
        'import type * as pulumi from "@pulumi/pulumi";',
        'import type { SigningKey } from "../api/signingKey";',
        'import { lookup, lookupOutput } from "./lookup";',
        "",
        'export type { SigningKey } from "../api/signingKey";',
        "",
        ...resultType("ContentResult", contentDefinition),
        ...resultType("LivestreamItem", livestreamDefinition),
        ...comment(resultDocs.LivestreamResult, 0),
        "export interface LivestreamResult extends LivestreamItem {",
        ...comment(livestreamDefinition.outputs.streamKey.doc, 4),
        "    streamKey: pulumi.Output<string | undefined>;",
        "}",
        "",
        ...all.flatMap(([name, { args }]) => argumentsType(name, args)),
        ...all.flatMap(([name, definition]) => functions(name, definition)),
    ]
        .join("\n")
        .replace(/\n+$/, "\n");
}

/** The generated part of `provider/src/native/program/lookups.ts`. */
export function nativeFunctions(): string[] {
    return all.flatMap(([name, { doc }]) => [
        ...comment(doc.split("\n", 1)[0] ?? doc, 0),
        `export const ${name} = plain<typeof functions.${name}>("${name}");`,
        ...comment(`\`${name}\` that accepts and returns Outputs.`, 0),
        `export const ${name}Output = output<typeof functions.${name}Output>("${name}");`,
    ]);
}

/** The fields of an object as a lookup returns them, by name: all that the service shows of it. */
export function lookedUp({ inputs, outputs }: Definition): [string, Field & { secret?: boolean }][] {
    const shown = Object.entries(inputs).filter(([, { change, writeOnly }]) => change !== "local" && !writeOnly);
    return [
        ...shown.map(([name, input]): [string, Field] => [
            name,
            { ...input, doc: input.lookupDoc ?? firstSentence(input.doc) },
        ]),
        ...Object.entries(outputs).map(([name, output]): [string, Field] => [
            name,
            { ...output, doc: output.lookupDoc ?? output.doc },
        ]),
    ];
}

function firstSentence(doc: string): string {
    const [sentence = doc] = /^.*?\.(?= |$)/.exec(doc) ?? [];
    return sentence.replace(/;.*/, ".");
}

/** A secret is an Output, which the type of the answer for one object adds. */
function resultType(name: keyof typeof resultDocs, definition: Definition): string[] {
    const fields = lookedUp(definition).filter(([, { secret }]) => !secret);
    return [
        ...comment(`${resultDocs[name]} Properties that the service does not return are \`undefined\`.`, 0),
        `export interface ${name} {`,
        `    /** The ${definition.name.toLowerCase()}'s id. */`,
        `    ${definition.idName}: string;`,
        ...fields.flatMap(([field, { doc, type }]) => [
            ...comment(doc, 4),
            `    ${field}: ${resultText(type)} | undefined;`,
        ]),
        "}",
        "",
    ];
}

/** The service may have more policies than those of today. */
function resultText(type: Type): string {
    return type.kind === "list" && type.of.kind === "string" ? "string[]" : valueText(type);
}

function isOptional(args: Readonly<Record<string, Field>>): boolean {
    return !Object.values(args).some(({ required }) => required);
}

function argumentsType(name: string, args: Readonly<Record<string, Field>>): string[] {
    const doc = isOptional(args)
        ? `The filters of {@link ${name}Output}; all that are given must hold.`
        : `The arguments of {@link ${name}Output}.`;
    return [
        ...comment(doc, 0),
        `export interface ${argsName(name)} {`,
        ...Object.entries(args).flatMap(([arg, { doc, type, required }]) => [
            ...comment(required ? `${doc} Required.` : doc, 4),
            required ? `    ${arg}: ${inputText(type)};` : `    ${arg}?: ${inputText(type)} | undefined;`,
        ]),
        "}",
        "",
    ];
}

function argsName(name: string): string {
    return `${name[0]?.toUpperCase()}${name.slice(1)}Args`;
}

function functions(name: LookupName, { doc, args, result }: Lookup): string[] {
    const found = result.list === undefined ? result.type : `{ ${result.list}: ${result.type}[] }`;
    const output = result.type === "LivestreamResult" ? `pulumi.Unwrap<${found}>` : found;
    return [
        ...comment(`${[doc, ...lookupExamples[name].map(block)].join("\n\n")}\n\n${tags(args, result.doc)}`, 0),
        ...constant(name, `lookup<${argsName(name)}, ${found}>`, name),
        "",
        ...comment("It accepts and returns Outputs. The result is secret if an argument is.", 0),
        ...constant(`${name}Output`, `lookupOutput<${argsName(name)}, ${output}>`, name),
        "",
    ];
}

function tags(args: Readonly<Record<string, Field>>, returns: string): string {
    const settings = "when the credentials are missing or wrong, and when the service does not answer";
    const filters = "Filters; all that are given must hold. Default: no filter.";
    return isOptional(args)
        ? `@param args - ${filters}\n@returns ${returns}\n@throws A \`pulumi.RunError\` ${settings}.`
        : `@returns ${returns}\n@throws A \`pulumi.RunError\` when there is no such object, ${settings}; the program ends with its message. With the native types the SDK adds a stack trace.`;
}

function block(example: string): string {
    return `\`\`\`ts\nimport * as videograph from "pulumi-videograph";\n${example}\n\`\`\``;
}

/** On one line if it fits. */
function constant(name: string, make: string, argument: string): string[] {
    const line = `export const ${name} = ${make}("${argument}");`;
    return line.length <= width ? [line] : [`export const ${name} = ${make}(`, `    "${argument}",`, ");"];
}
