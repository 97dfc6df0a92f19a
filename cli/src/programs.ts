/** A program that declares resources, in the languages that Pulumi's programs have. A formatter breaks its long lines. */
import type { Properties } from "#provider/lifecycle/index";
import { pluginDownloadURL } from "#provider/session/pluginSource";
import { nativeTypeOf } from "#provider/typeTokens";
import type { Described } from "./entry";
import { escaped } from "./terminal";

interface Language {
    /** The program's name, where the user gives none. Python imports no file with a dash in its name. */
    readonly file: string;
    /** The beginning of a comment. */
    readonly comment: string;
    /** Everything before the first declaration but the comment. */
    head(native: boolean): string;
    declaration(resource: Described): string;
    readonly tail?: string;
}

const typescript: Language = {
    file: "videograph-adopted.ts",
    comment: "//",
    head: (native) => `import * as videograph from "pulumi-videograph${native ? "/native" : ""}";\n`,
    declaration: ({ kind, entry, declared }) =>
        `\nnew videograph.${kind}(${literal(entry.name)}, {\n${fields(declared, "    ")}}, { protect: true });\n`,
};

/** Of TypeScript. */
function fields(inputs: Properties, indent: string): string {
    return lines(inputs, (name, value) => `${indent}${name}: ${literal(value)}`);
}

const python: Language = {
    file: "videograph_adopted.py",
    comment: "#",
    head: () => "import pulumi\nimport pulumi_videograph as videograph\n",
    declaration({ kind, entry, declared }) {
        // As Pulumi's generator writes names: `mp4Support` is `mp4_support`.
        const snake = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
        const value = (data: unknown) => (data === true ? "True" : data === false ? "False" : literal(data));
        const args = lines(declared, (name, data) => `    ${snake(name)}=${value(data)}`);
        const options = "    opts=pulumi.ResourceOptions(protect=True),\n";
        return `\nvideograph.${kind}(\n    ${literal(entry.name)},\n${args}${options})\n`;
    },
};

const go: Language = {
    file: "videograph-adopted.go",
    comment: "//",
    head: () => `package main

import (
\t"${pluginDownloadURL?.replace("github://api.", "")}/sdk/go/videograph"
\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
\tpulumi.Run(func(ctx *pulumi.Context) error {
`,
    declaration({ kind, entry, declared }) {
        const args = lines(declared, (name, data) => {
            // The only inputs with a choice of texts.
            const type = /playbackPolicy$/i.test(name) ? "videograph.PlaybackPolicy" : "pulumi.String";
            return `\t\t\t${name.charAt(0).toUpperCase()}${name.slice(1)}: ${goValue(type, data)}`;
        });
        const open = `\t\tif _, err := videograph.New${kind}(ctx, ${literal(entry.name)}, &videograph.${kind}Args{\n`;
        return `${open}${args}\t\t}, pulumi.Protect(true)); err != nil {\n\t\t\treturn err\n\t\t}\n`;
    },
    tail: "\t\treturn nil\n\t})\n}\n",
};

/** @param type - of the texts in it */
function goValue(type: string, data: unknown): string {
    if (typeof data === "boolean") return `pulumi.Bool(${data})`;
    if (typeof data === "number") return `pulumi.Int(${data})`;
    if (typeof data === "string") return `${type}(${literal(data)})`;
    if (Array.isArray(data)) return `${type}Array{${data.map((item) => goValue(type, item)).join(", ")}}`;
    const pairs = Object.entries(data ?? {}).map(([name, item]) => `${literal(name)}: ${goValue(type, item)}`);
    return `pulumi.StringMap{${pairs.join(", ")}}`;
}

const yaml: Language = {
    file: "videograph-adopted.yaml",
    comment: "#",
    head: () => "resources:\n",
    declaration({ kind, entry, declared }) {
        const { stringify } = require("yaml") as typeof import("yaml");
        // `${` would begin an expression.
        const properties = JSON.parse(wellFormed(declared), (_, data) =>
            typeof data === "string" ? data.replaceAll("${", "$$${") : data,
        );
        const resource = { type: nativeTypeOf(kind), properties, options: { protect: true } };
        const form = { indent: 4, lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" } as const;
        return spelled(stringify({ [entry.name]: resource }, form)).replace(/^(?=.)/gm, "    ");
    },
};

export const languages = { typescript, python, go, yaml } satisfies Record<string, Language>;

/** Which program is written. */
export interface Target {
    readonly language: keyof typeof languages;
    /** Whether it uses the native types. */
    readonly native: boolean;
    /** Whether it declares all contents in one library, whose first `pulumi up` adopts them. */
    readonly library: boolean;
}

const advice = {
    native: `Import them into the stack's state before the first \`pulumi up\`, which would create them again.
Keep every input: one that you remove is reset on the service.`,
    dynamic: "Inputs that are not set here are not managed. Once the state has the objects, `importId` may be removed.",
};

export function programText(resources: readonly Described[], { language, native, library }: Target): string {
    const { comment, head, declaration, tail = "" }: Language = languages[language];
    const about = `Contents and livestreams that existed before this program, as \`npx pulumi-videograph adopt\` found them.
${native && !library ? advice.native : advice.dynamic} \`protect\` keeps Pulumi from deleting them.`;
    const declarations = library ? libraryOf(resources) : resources.map(declaration).join("");
    return `${about.replace(/^/gm, `${comment} `)}\n${head(native)}${declarations}${tail}`;
}

/** A library waits for all of its contents. */
function libraryOf(resources: readonly Described[]): string {
    const entries = resources.map(({ entry, declared: { waitForReady: _, ...inputs } }) => {
        const own = fields({ ...inputs, importId: entry.id }, " ".repeat(16));
        return `            ${literal(entry.name)}: {\n${own}            },\n`;
    });
    return `
export const library = new videograph.ContentLibrary(
    "library",
    {
        contents: {
${entries.join("")}        },
    },
    { protect: true },
);
`;
}

/** Each input on a line. */
function lines(inputs: Properties, line: (name: string, value: unknown) => string): string {
    const all = Object.entries(inputs).map(([name, value]) => `${line(name, value)},\n`);
    return all.join("");
}

/** Texts, lists and maps, on one line: JSON's are those of all these languages. */
function literal(data: unknown): string {
    return spelled(wellFormed(data).replace(/,\n */g, ", ").replace(/\n */g, ""));
}

/** As JSON. Half of a surrogate pair becomes a replacement character, as in the engine. */
function wellFormed(data: unknown): string {
    return JSON.stringify(data, (_, one) => (typeof one === "string" ? one.toWellFormed() : one), 1);
}

/** Control characters and those that steer the direction of text are spelled out. */
function spelled(text: string): string {
    return escaped(text, /(?!\n)[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu);
}
