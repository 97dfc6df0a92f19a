/**
 * How messages are made: a text with named holes, and a code after it, by which docs/guides/troubleshooting.md explains it.
 * Errors and lines on a row take nothing but a `Message`, so the compiler refuses a text that is not in the catalogue.
 */

declare const coded: unique symbol;

/** A text for people with its code, such as `… [VG1001]`. */
export type Message = string & { readonly [coded]: true };

type Holes<T extends string> = T extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never;

/** A message whose holes are not filled in yet. */
export interface Template<T extends string = string> {
    (...values: [Holes<T>] extends [never] ? [] : [Record<Holes<T>, string | number>]): Message;
    readonly code: string;
    readonly text: T;
}

/** Defines a message. A list that follows the text comes after its code. */
export function message<const T extends string>(code: `VG${number}`, text: T): Template<T> {
    const coded = text.replace(/(?=(?:\{list\})?$)/, ` [${code}]`);
    const render = (values: Record<string, string | number> = {}) =>
        coded.replace(/\{(\w+)\}/g, (_, hole: string) => String(values[hole])) as Message;
    return Object.assign(render, { code, text });
}

/** The message with more sentences. */
export function append(message: Message, more: string): Message {
    return `${message} ${more}` as Message;
}

/** The message after a prefix, such as the name of a setting. */
export function prepend(words: string, message: Message): Message {
    return `${words} ${message}` as Message;
}

/** The text without codes, for a place inside another one that has room for its words alone. */
export function withoutCodes(text: string): string {
    return text.replace(/ \[VG\d{4}\]/g, "");
}

export function isMessage(text: string): text is Message {
    return /\[VG\d{4}\]/.test(text);
}
