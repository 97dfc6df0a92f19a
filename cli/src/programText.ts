/** TypeScript that declares resources, as a person would write it. */
import type { Properties } from "#provider/lifecycle/index";
import type { Described } from "./entry";

/** A whole program file, piece by piece. */
export async function* programPieces(resources: AsyncIterable<Described>, importFile: string): AsyncGenerator<string> {
    yield [
        "/**",
        " * Contents and livestreams that existed before this program, as `npx pulumi-videograph adopt` found them. Put them into the",
        " * stack's state before the first `pulumi up`:",
        " *",
        ` *     pulumi import --file ${comment(importFile)} --yes --generate-code=false`,
        " *     pulumi refresh --yes",
        " *",
        " * Inputs that are not set here are not managed. `protect` keeps Pulumi from deleting the objects; remove it where a",
        " * resource may be deleted or replaced. `importId` may be removed after the import.",
        " */",
        'import * as videograph from "pulumi-videograph";\n',
    ].join("\n");
    for await (const resource of resources) yield `\n${declaration(resource)}\n`;
}

/** The same for a library: the next `pulumi up` adopts its contents. */
export async function* libraryPieces(resources: AsyncIterable<Described>): AsyncGenerator<string> {
    yield [
        "/**",
        " * Contents that existed before this program, as `npx pulumi-videograph adopt --library` found them. The next `pulumi up` adopts",
        " * them; then `importId` may be removed. Inputs that are not set here are not managed.",
        " */",
        'import * as videograph from "pulumi-videograph";\n',
        "export const library = new videograph.ContentLibrary(",
        '    "library",',
        "    {",
        "        contents: {\n",
    ].join("\n");
    for await (const { entry, declared } of resources) {
        // A library waits for all of its contents.
        const { waitForReady: _, ...inputs } = declared;
        yield `            ${key(entry.name)}: ${value(inputs, 3)},\n`;
    }
    yield "        },\n    },\n    { protect: true },\n);\n";
}

function declaration({ kind, entry, declared, undeclared }: Described): string {
    const remark =
        undeclared.length === 0
            ? ""
            : `// Not managed, because a program cannot declare it: ${undeclared.join(", ")}.\n`;
    return `${remark}new videograph.${kind}(${text(entry.name)}, ${value(declared, 0)}, { protect: true });`;
}

function value(data: unknown, depth: number): string {
    if (typeof data === "string") return text(data);
    if (Array.isArray(data)) {
        const items = data.map((item) => value(item, depth + 1));
        const line = `[${items.join(", ")}]`;
        return fits(line, depth) ? line : block("[", items, "]", depth);
    }
    if (typeof data === "object" && data !== null) {
        const pairs = Object.entries(data as Properties).map(
            ([name, item]) => `${key(name)}: ${value(item, depth + 1)}`,
        );
        const line = pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
        return depth > 0 && fits(line, depth) ? line : block("{", pairs, "}", depth);
    }
    return JSON.stringify(data);
}

function block(open: string, lines: readonly string[], close: string, depth: number): string {
    const indent = "    ".repeat(depth);
    return `${open}\n${lines.map((line) => `${indent}    ${line},\n`).join("")}${indent}${close}`;
}

/** Room is left for the indentation and the name of the property. */
function fits(line: string, depth: number): boolean {
    return !line.includes("\n") && line.length + 4 * depth <= 90;
}

function key(name: string): string {
    return /^[A-Za-z$_][\w$]*$/.test(name) ? name : text(name);
}

/** Control characters, those that steer the direction of text, and halves of pairs are spelled out. */
function text(content: string): string {
    return JSON.stringify(content).replace(
        /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

/** A file name can end a comment. */
function comment(name: string): string {
    return name.replaceAll("*/", "*\\/");
}
