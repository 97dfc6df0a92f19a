/**
 * How messages are made: a text with named holes, and a code at its end, by which docs/guides/troubleshooting.md explains it.
 * Errors and lines on a row take nothing but a `Message`, so the compiler refuses a text that is not in the catalogue.
 */

declare const coded: unique symbol;

/** A text for people that ends with its code, such as `… [VG1001]`. */
export type Message = string & { readonly [coded]: true };

type Holes<T extends string> = T extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never;

/** A message whose holes are not filled in yet. */
export interface Template<T extends string = string> {
    (...values: [Holes<T>] extends [never] ? [] : [Record<Holes<T>, string | number>]): Message;
    readonly code: string;
    readonly text: T;
}

/** Defines a message. */
export function message<const T extends string>(code: `VG${number}`, text: T): Template<T> {
    const render = (values: Record<string, string | number> = {}) => {
        const inner: string[] = [];
        const filled = text.replace(/\{(\w+)\}/g, (_, hole: string) => {
            const [words, codes] = separated(String(values[hole]));
            inner.push(...codes);
            return words;
        });
        return withCodes(filled, [code, ...inner]);
    };
    return Object.assign(render, { code, text });
}

/** The text with more sentences. Codes stay at the end. */
export function append<T extends string>(message: T, more: string): T {
    const [words, codes] = separated(`${message} ${more}`);
    return withCodes(words, codes) as string as T;
}

/** The message after a prefix, such as the name of a setting. */
export function prepend(words: string, message: Message): Message {
    return `${words} ${message}` as Message;
}

/** The text without codes, for a place inside another one that has room for its words alone. */
export function withoutCodes(text: string): string {
    return separated(text)[0];
}

export function isMessage(text: string): text is Message {
    return separated(text)[1].length > 0;
}

/** The words and the codes of a text. */
function separated(text: string): [string, string[]] {
    const codes: string[] = [];
    const words = text.replace(/ \[(VG\d{4}(?:, VG\d{4})*)\]/g, (_, list: string) => {
        codes.push(...list.split(", "));
        return "";
    });
    return [words, codes];
}

/** A list that follows the text comes after its codes. */
function withCodes(text: string, codes: readonly string[]): Message {
    if (codes.length === 0) return text as Message;
    const [, paragraph = "", list = ""] = /^(.*?)(\n.*)?$/s.exec(text) ?? [];
    return `${paragraph} [${[...new Set(codes)].join(", ")}]${list}` as Message;
}
