/**
 * A message is a text of the catalogue whose holes, such as `{id}`, are filled. Errors and lasting lines accept only a `Message`. So the compiler
 * refuses a text without a code, which no guide would explain.
 */

declare const coded: unique symbol;

/** A text with its code, such as `… [VG1001]`. */
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

/** The message with words before it, such as the name of a setting. */
export function prepend(words: string, message: Message): Message {
    return `${words} ${message}` as Message;
}

/** The text for one code. A key of `texts` is a list of codes with spaces between them, which share the text. */
export function textFor(texts: Readonly<Record<string, string>>, code: string): string | undefined {
    return Object.entries(texts).find(([codes]) => codes.split(" ").includes(code))?.[1];
}

/** A list in a message names at most so many things, and counts the rest. */
export const maxListed = 10;

/** Makes one text of a list, such as `harbour, ice and 583 more`. */
export function listOf(texts: readonly string[]): string {
    const more = texts.length - maxListed;
    return `${texts.slice(0, maxListed).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}

export function count(n: number): string {
    // `toLocaleString` would load a locale, which takes 20 ms of every run that shows progress.
    return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The text without its codes, for use inside another message, which has its own code. */
export function withoutCodes(text: string): string {
    return text.replace(/ \[VG\d{4}\]/g, "");
}

/** The text without its last full stop, for the middle of a longer sentence. Codes may stand behind that full stop. */
export function asClause(text: string): string {
    return text.replace(/\.(?=(?: \[VG\d{4}\])*$)/, "");
}

/** The code of a message; "" if it has none. A message that is quoted inside it has its code before, so the last code counts. */
export function codeOf(message: Message): string {
    return message.match(/VG\d{4}(?=\])/g)?.at(-1) ?? "";
}

export function isMessage(text: string): text is Message {
    return /\[VG\d{4}\]/.test(text);
}

/** Shows lines to the user of one operation. No line may hold a secret: the engine prints it as it is. */
export interface Reporter {
    /** The URN of the resource. "" stands for the row of the stack: a function has no resource, and a dynamic `.get` does not know its URN. */
    urn: string;
    /** A line that the next one on the resource's row replaces. */
    progress(message: string): void;
    /** A lasting line that asks for no action. */
    info(message: Message): void;
    /** A lasting line, shown as a warning. */
    warn(message: Message): void;
}
