/** The interface of a language in which programs are written, and the layout of all languages. */
import type { Definition } from "#provider/inputs/definition";
import type { Described } from "../entry";

export interface Language {
    /** The program's name, where the user gives none. Python imports no file with a dash in its name. */
    readonly file: string;
    /** The beginning of a comment. */
    readonly comment: string;
    /** Everything before the first declaration but the comment. */
    head(native: boolean): string;
    declaration(resource: Described, types: Definition): string;
    readonly tail?: string;
}

/** Between `open` and `close`, on one line if it fits. */
export function enclosed(open: string, items: readonly string[], close: string, depth: number, pad = ""): string {
    const line = `${open}${pad}${items.join(", ")}${pad}${close}`;
    // Room is left for the indentation and the name of the property.
    if (!line.includes("\n") && line.length + 4 * depth <= 90) return items.length === 0 ? open + close : line;
    return block(open, items, close, depth);
}

export function block(open: string, items: readonly string[], close: string, depth: number): string {
    const indent = "    ".repeat(depth);
    return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join("")}${indent}${close}`;
}

export function text(content: string): string {
    return spelled(JSON.stringify(content));
}

/** As `text`, for languages whose texts cannot have half of a surrogate pair: with a replacement character, as in the engine. */
export function wellFormed(content: string): string {
    return text(content.replace(/\p{Cs}/gu, "\ufffd"));
}

/** Control characters, those that steer the direction of text, and halves of pairs are spelled out. */
export function spelled(quoted: string): string {
    return quoted.replace(
        /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
