/** The interface of a language in which programs are written, and how values are written in all of them. */
import type { Described } from "../entry";
import { escaped } from "../terminal";

export interface Language {
    /** The program's name, where the user gives none. Python imports no file with a dash in its name. */
    readonly file: string;
    /** The beginning of a comment. */
    readonly comment: string;
    /** Everything before the first declaration but the comment. */
    head(native: boolean): string;
    declaration(resource: Described): string;
    readonly tail?: string;
}

/** What differs between languages with literals for lists and maps. */
export interface Literals {
    key(name: string): string;
    readonly yes: string;
    readonly no: string;
    /** Inside the brackets of a map. */
    readonly pad: string;
}

export function literal(data: unknown, how: Literals, depth: number): string {
    if (typeof data === "string") return text(data);
    if (typeof data === "boolean") return data ? how.yes : how.no;
    const inner = (item: unknown) => literal(item, how, depth + 1);
    if (Array.isArray(data)) return enclosed("[", data.map(inner), "]", depth);
    if (typeof data !== "object" || data === null) return JSON.stringify(data);
    const pairs = Object.entries(data).map(([name, item]) => `${how.key(name)}: ${inner(item)}`);
    return enclosed("{", pairs, "}", depth, how.pad);
}

/** Between `open` and `close`, on one line if it fits. */
export function enclosed(open: string, items: readonly string[], close: string, depth: number, pad = ""): string {
    if (items.length === 0) return open + close;
    const line = `${open}${pad}${items.join(", ")}${pad}${close}`;
    // Room is left for the indentation and the name of the property.
    if (depth > 0 && !line.includes("\n") && line.length + 4 * depth <= 90) return line;
    const indent = "    ".repeat(depth);
    return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join("")}${indent}${close}`;
}

/** Half of a surrogate pair becomes a replacement character, as in the engine. */
export function text(content: string): string {
    return spelled(JSON.stringify(content.replace(/\p{Cs}/gu, "\ufffd")));
}

/** Control characters and those that steer the direction of text are spelled out. */
export function spelled(quoted: string): string {
    return escaped(quoted, /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu);
}
