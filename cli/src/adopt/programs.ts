/** A program that declares resources, in the languages that Pulumi's programs have. A formatter breaks its long lines. */
import type { Properties } from "#provider/inputs/values";
import { pluginDownloadURL } from "#provider/session/pluginSource";
import { nativeTypeOf } from "#provider/typeTokens";
import type { DeclaredObject } from "../entry";
import { escaped, quoted } from "../terminal";

interface Language {
    /** The name of the program's file, where the user gives none. Python imports no file with a dash in its name. */
    readonly file: string;
    /** What a comment begins with. */
    readonly comment: string;
    /** The text between the first comment and the first declaration. */
    head(native: boolean): string;
    declaration(resource: DeclaredObject): string;
    readonly tail?: string;
    /** Whether the language cannot write this key into a map. */
    reserved?(key: string): boolean;
}

const typescript: Language = {
    file: "videograph-adopted.ts",
    comment: "//",
    head: (native) => `import * as videograph from "pulumi-videograph${native ? "/native" : ""}";\n`,
    declaration: ({ kind, entry, declared }) =>
        `\nnew videograph.${kind}(${literal(entry.name)}, {\n${objectFields(declared, "    ")}}, { protect: true });\n`,
};

/** The fields of an object in TypeScript. */
function objectFields(inputs: Properties, indent: string): string {
    return inputLines(inputs, (name, value) => `${indent}${name}: ${literal(value)}`);
}

const python: Language = {
    file: "videograph_adopted.py",
    comment: "#",
    head: () => "import pulumi\nimport pulumi_videograph as videograph\n",
    declaration({ kind, entry, declared }) {
        // Pulumi's generator writes names in this way: `mp4Support` is `mp4_support`.
        const snake = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
        const value = (data: unknown) => (data === true ? "True" : data === false ? "False" : literal(data));
        const args = inputLines(declared, (name, data) => `    ${snake(name)}=${value(data)}`);
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

func videographAdopted(ctx *pulumi.Context) error {
`,
    declaration({ kind, entry, declared }) {
        // gofmt would move the values into one column. Otherwise its first run would change the file.
        const width = Math.max(...Object.keys(declared).map((name) => name.length)) + 1;
        const args = inputLines(declared, (name, data) => {
            const field = `${name.charAt(0).toUpperCase()}${name.slice(1)}:`;
            return `\t\t${field.padEnd(width)} ${goValue(data)}`;
        });
        const open = `\tif _, err := videograph.New${kind}(ctx, ${literal(entry.name)}, &videograph.${kind}Args{\n`;
        return `${open}${args}\t}, pulumi.Protect(true)); err != nil {\n\t\treturn err\n\t}\n`;
    },
    tail: "\treturn nil\n}\n",
};

function goValue(data: unknown): string {
    if (typeof data === "boolean") return `pulumi.Bool(${data})`;
    if (typeof data === "number") return `pulumi.Int(${data})`;
    if (typeof data === "string") return `pulumi.String(${literal(data)})`;
    if (Array.isArray(data)) return `pulumi.StringArray{${data.map(goValue).join(", ")}}`;
    const pairs = Object.entries(data ?? {}).map(([name, item]) => `${literal(name)}: ${goValue(item)}`);
    return `pulumi.StringMap{${pairs.join(", ")}}`;
}

const yaml: Language = {
    file: "videograph-adopted.yaml",
    comment: "#",
    head: () => "resources:\n",
    declaration({ kind, entry, declared }) {
        const inputs = inputLines(
            declared,
            (name, data) => `            ${name}: ${literal(data, withoutExpressions)}`,
            "",
        );
        const name = isPlainKey(entry.name) ? entry.name : literal(entry.name);
        return `    ${name}:
        type: ${nativeTypeOf(kind)}
        properties:
${inputs}        options:
            protect: true
`;
    },
    // Pulumi's YAML reads `fn::…` as a function and `<<` as a merge, also where the key is quoted.
    reserved: (key) => /^(fn::|<<$)/i.test(key),
};

/** The text without expressions: in texts and keys `${` would begin one, and `$$` is one dollar. */
function withoutExpressions(text: string): string {
    return text.replaceAll("$", "$$$$");
}

/** Whether every version of YAML reads the name as this text. */
function isPlainKey(name: string): boolean {
    return /^[a-z][a-z\d-]*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/.test(name);
}

export const languages = { typescript, python, go, yaml } satisfies Record<string, Language>;

/** The form of the program that is written. */
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

export function programText(resources: readonly DeclaredObject[], { language, native, library }: Target): string {
    const { comment, head, declaration, tail = "" }: Language = languages[language];
    const about = `Contents and livestreams that existed before this program, as \`npx pulumi-videograph adopt\` found them.
${native && !library ? advice.native : advice.dynamic} \`protect\` keeps Pulumi from deleting them.`;
    const declarations = library ? libraryOf(resources) : resources.map(declaration).join("");
    return `${about.replace(/^/gm, `${comment} `)}\n${head(native)}${declarations}${tail}`;
}

/** The declaration of a library, without `waitForReady`: a library waits for all of its contents. */
function libraryOf(resources: readonly DeclaredObject[]): string {
    const entries = resources.map(({ entry, declared: { waitForReady: _, ...inputs } }) => {
        const own = objectFields({ ...inputs, importId: entry.id }, " ".repeat(16));
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

/** The reason why no program in the language can declare the object as it is. */
export function whyUnwritable({ declared }: DeclaredObject, language: Target["language"]): string | undefined {
    const { reserved }: Language = languages[language];
    // Each language and the engine replace half a character in another way: every preview would show a change.
    if (!textsIn(declared).every((text) => text.isWellFormed())) return "its texts have halves of characters";
    const maps = Object.values(declared).filter((value) => typeof value === "object" && !Array.isArray(value));
    const taken = maps
        .flatMap((map) => Object.keys(map ?? {}))
        .find((key) => key === "__proto__" || reserved?.(key) === true);
    return taken && `no program in this language can have the key ${quoted(taken)} in its metadata`;
}

function textsIn(data: unknown): string[] {
    if (typeof data === "string") return [data];
    return typeof data === "object"
        ? Object.entries(data ?? {})
              .flat()
              .flatMap(textsIn)
        : [];
}

function inputLines(inputs: Properties, line: (name: string, value: unknown) => string, end = ","): string {
    const all = Object.entries(inputs).map(([name, value]) => `${line(name, value)}${end}\n`);
    return all.join("");
}

/** A text, list or map, on one line: all these languages take those of JSON. `written` changes each text. */
function literal(data: unknown, written = (text: string) => text): string {
    const json = JSON.stringify(mapTexts(data, written), undefined, 1);
    return escapedControls(json.replace(/,\n */g, ", ").replace(/\n */g, ""));
}

function mapTexts(data: unknown, written: (text: string) => string): unknown {
    if (typeof data === "string") return written(data);
    if (Array.isArray(data)) return data.map((item) => mapTexts(item, written));
    if (typeof data !== "object" || data === null) return data;
    return Object.fromEntries(Object.entries(data).map(([key, item]) => [written(key), mapTexts(item, written)]));
}

/** The text with control characters, characters that steer the direction of text, and noncharacters spelled out. */
function escapedControls(text: string): string {
    return escaped(text, /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu);
}
