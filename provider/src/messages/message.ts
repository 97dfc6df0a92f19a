/**
 * The form of messages: a text with named holes and its code, by which docs/guides/troubleshooting.md explains it. Errors and lines on
 * a row take nothing but a `Message`, so the compiler refuses a text that is not in the catalogue.
 */

declare const coded: unique symbol;

/** A text for people with its code, such as `… [VG1001]`. */
export type Message = string & { readonly [coded]: true };

type Holes<T extends string> = T extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never;

type Template<T extends string> = (
    ...values: [Holes<T>] extends [never] ? [] : [Record<Holes<T>, string | number>]
) => Message;

export function templates<const Texts extends Record<string, `${string}[VG${number}]${string}`>>(texts: Texts) {
    const all = Object.entries(texts).map(([name, text]) => {
        const filled = (values: Record<string, string | number> = {}) =>
            text.replace(/\{(\w+)\}/g, (_, hole: string) => String(values[hole]));
        return [name, filled];
    });
    return Object.fromEntries(all) as { readonly [name in keyof Texts]: Template<Texts[name]> };
}

export function append(message: Message, more: string): Message {
    return `${message} ${more}` as Message;
}

/** The message after a prefix, such as the name of a setting. */
export function prepend(words: string, message: Message): Message {
    return `${words} ${message}` as Message;
}

/** The text for a code, from texts by the codes that each is for. */
export function textFor(texts: Readonly<Record<string, string>>, code: string): string | undefined {
    return Object.entries(texts).find(([codes]) => codes.split(" ").includes(code))?.[1];
}

/** The most things that a text names one by one. */
export const maxListed = 10;

/** The first of them, and the number of the others: `harbour, ice and 583 more`. */
export function listOf(texts: readonly string[]): string {
    const more = texts.length - maxListed;
    return `${texts.slice(0, maxListed).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}

export function count(n: number): string {
    // `toLocaleString` loads its locale first: 20 ms of every run that shows progress.
    return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The text without codes, for a place inside another text that has room for its words alone. */
export function withoutCodes(text: string): string {
    return text.replace(/ \[VG\d{4}\]/g, "");
}

/** The text as a part of a longer sentence: without its full stop, which codes may follow. */
export function asClause(text: string): string {
    return text.replace(/\.(?=(?: \[VG\d{4}\])*$)/, "");
}

/** The code of a message: the last one, for a message inside it comes first. */
export function codeOf(message: Message): string {
    return message.match(/VG\d{4}(?=\])/g)?.at(-1) ?? "";
}

export function isMessage(text: string): text is Message {
    return /\[VG\d{4}\]/.test(text);
}

/** The lifecycle's lines for the user. Messages never hold secret values. */
export interface Reporter {
    /** The resource's URN. "" stands for the stack's row: functions have no resource, and a dynamic `.get` does not know its own. */
    urn: string;
    /** A passing line on the resource's row. */
    progress(message: string): void;
    /** A lasting line that needs no action. */
    info(message: Message): void;
    /** A lasting line that should be read. */
    warn(message: Message): void;
}
