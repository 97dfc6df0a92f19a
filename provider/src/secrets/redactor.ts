/**
 * What is shown of a text that somebody else has written, such as the service. The rule: the name of a secret takes its place where the text
 * has it as it is; where it then still has twelve letters or digits of one in a row, in any spelling, or what looks like a credential, the
 * text is not shown at all. A shorter secret counts as a whole word.
 */
import { listOf } from "../messages";
import { folded, spellingsOf } from "./spellings";
import { quotesCredential, quotesPath, tellingParts, withoutPaths } from "./urls";

export interface Secret {
    /** The text that tells a reader which secret it is, such as `secretKey` or `content[0].url`. */
    name: string;
    value: string;
    /** Whether it is unknown that it is a secret: it may be a title like any other. */
    isUnsure?: boolean | undefined;
}

/** The secrets of an access token. `authorization`: as requests have both parts. */
export function tokenSecrets({ accessTokenId, secretKey }: { accessTokenId: string; secretKey: string }) {
    const authorization = Buffer.from(`${accessTokenId}:${secretKey}`).toString("base64");
    return Object.entries({ secretKey, authorization }).map(([name, value]): Secret => ({ name, value }));
}

interface Options {
    /** The secrets of other resources: a service may quote those of one in its answer about another. */
    others?: () => SecretIndex;
    /** Whether each URL may be a secret but for its host, as those of a content whose inputs are another resource's. */
    everyUrl?: boolean;
}

export class Redactor {
    readonly secrets: () => readonly Secret[];
    readonly #options: Options;

    /** Most redactors are made for a message that never comes: a function is called when the message does. */
    constructor(secrets: readonly Secret[] | (() => readonly Secret[]), options: Options = {}) {
        this.secrets = typeof secrets === "function" ? secrets : () => secrets;
        this.#options = options;
    }

    /** A redactor that knows these secrets as well. */
    with(more: Redactor): Redactor {
        return new Redactor(() => [...this.secrets(), ...more.secrets()], { ...this.#options, ...more.#options });
    }

    /** Somebody else's texts as one harmless line of at most 300 characters; of a gateway's page, its title. */
    quote(...texts: string[]): string {
        const secrets = this.secrets();
        const shown = texts.map((text) => {
            const start = text.slice(0, maxPage);
            const words = markup.test(start) ? titleIn(start) : start;
            // Spaces go first: behind thousands of them, what is cut off in the middle of a secret would be shown.
            return this.#shown(words.replace(/\s{9,}/g, " ").slice(0, maxScanned), secrets);
        });
        const line = [...new Set(shown)].join("; ").replace(blanks, " ").trim();
        if (line.length <= maxCharacters) return line;
        const cut = line.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, "");
        return `${cut.trimEnd()}…`;
    }

    /** Our own words, with its name in the place of each secret. One can stand there only as it is; the rule for others' words would cut a message at 300 characters, or hide it whole. */
    mask(text: string): string {
        const all = this.secrets().filter(({ value }) => value !== "" && text.includes(value));
        return replaced(text, all, (name) => `[${name}]`);
    }

    #shown(text: string, secrets: readonly Secret[]): string {
        const bare = this.#options.everyUrl ? withoutPaths(text) : text;
        const parts = secrets.flatMap(partsOf);
        const whole = [...secrets, ...parts].filter((one) => isLong(one) && bare.includes(one.value));
        const [byName, bySpace] = [(name: string) => `[${name}]`, () => " "];
        const rest = replaced(bare, whole, bySpace);
        const words = wordsIn(rest, parts);
        let hidden = this.#longIn(rest, parts);
        // Words go last: without one in its middle, the rest of a long secret would not be found.
        if (hidden.length === 0) hidden = wordsIn(replaced(rest, words, bySpace), words).map(({ name }) => name);
        return hidden.length === 0
            ? replaced(replaced(bare, whole, byName), words, byName)
            : `[not shown, because it may contain a secret: ${listOf([...new Set(hidden)])}]`;
    }

    #longIn(text: string, parts: readonly Secret[]): string[] {
        const { others, everyUrl } = this.#options;
        const own = [...new SecretIndex(parts).namesIn(text)];
        if (own.length > 0) return own;
        // The others may be a hundred thousand: one says enough.
        for (const name of others?.().namesIn(text) ?? []) return [`${name} of another resource`];
        const looksSecret = (spelling: string) =>
            header.test(spelling) || quotesCredential(spelling) || (everyUrl && quotesPath(spelling));
        return spellingsOf(text).some(looksSecret) ? ["a URL or a key"] : [];
    }
}

/** Whether a text in the value has the secret, in any spelling. */
export function holds(value: unknown, secret: unknown): boolean {
    if (typeof secret !== "string") return false;
    const [text, parts] = [JSON.stringify(value ?? null), partsOf({ name: "it", value: secret })];
    return !new SecretIndex(parts).namesIn(text).next().done || wordsIn(text, parts).length > 0;
}

/** Whether a secret is found by letters in a row. A shorter one is found whole. */
function isLong({ value, isUnsure }: Secret): boolean {
    return folded(value).length >= (isUnsure ? telling : shortest);
}

function partsOf({ value, ...secret }: Secret): Secret[] {
    return tellingParts(value).map((part) => ({ ...secret, value: part }));
}

/** The title of a page, without the tags in it. None where it does not end: a secret may be cut off there. */
function titleIn(page: string): string {
    const { index = 0, 0: tag } = /<title[^<>]*>/i.exec(page) ?? {};
    if (tag === undefined) return "";
    const rest = page.slice(index + tag.length);
    const end = rest.toLowerCase().indexOf("</title");
    return rest.slice(0, Math.max(0, end)).replace(/<[^<>]*>/g, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach the user's terminal
const blanks = /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

const maxCharacters = 300;
/** The number of characters that are looked at: nothing behind them is shown. */
const maxScanned = 4096;
/** The number of characters in which a page has its title. */
const maxPage = 16 * 1024;

const markup = /<(?:!doctype|html|head|body|title|h\d|p|div|br|pre|center|\?xml)\b/i;

/** Keys by their names, and tokens: a digit, its length or a padding sign distinguishes one from a word, as in "streamKey: must be set" and "Basic authentication". */
const header =
    /\b(?:authorization|(?:stream|secret|access|api)[_-]?key)["']?\s?[:=]\s?["']?(?=(?:basic|bearer)\s\S|\S{0,200}\d|\S{12})[^\s"'<>,;}]|\b(?:basic|bearer)\s(?=\S{0,200}[\d=])[\w+/=.~-]{8}/i;

/** The number of letters and digits in a row by which a secret is found. */
const telling = 12;
/** The same of a shorter secret; one with fewer is found whole. */
const shortest = 8;
/** The same of what may be no secret, unless all of it is there: titles and sentences of a service have many words in common. */
const tellingOfUnsure = 24;
/** Wherever so many letters of a secret begin, one of its pieces of this length is at a multiple of `count - pieceLength + 1` in the secret. */
const pieceLength = 6;

interface Piece {
    name: string;
    letters: string;
    /** The number of letters in a row by which the secret is found. */
    count: number;
}

/** Finds parts of long secrets in a text: of one resource, or of a hundred thousand. */
export class SecretIndex {
    readonly #known = new Set<string>();
    readonly #byPiece = new Map<string, Piece[]>();

    constructor(secrets: Iterable<Secret> = []) {
        for (const secret of secrets) this.add(secret);
    }

    add({ name, value, isUnsure }: Secret): void {
        for (const letters of tellingParts(value).flatMap(spellingsOf).map(folded)) {
            if (!isLong({ name, value: letters, isUnsure }) || this.#known.has(letters)) continue;
            this.#known.add(letters);
            const least = letters.length < telling ? shortest : telling;
            const count = isUnsure ? Math.min(letters.length, tellingOfUnsure) : least;
            for (let at = 0; at + pieceLength <= letters.length; at += least - pieceLength + 1) {
                const piece = letters.slice(at, at + pieceLength);
                // Presigned URLs of one bucket begin alike: thousands of them share a piece.
                const alike = this.#byPiece.get(piece) ?? [];
                // A value may repeat itself.
                if (alike.at(-1)?.letters !== letters) alike.push({ name, letters, count });
                this.#byPiece.set(piece, alike);
            }
        }
    }

    /** The names of the secrets of which the text has a part, in any spelling. */
    *namesIn(text: string): Generator<string> {
        for (const spelling of spellingsOf(text)) {
            yield* this.#namesIn(folded(spelling));
            // What is cut, or stands in quotes, is a quotation: twelve letters at its end are no accident, as they may be in the service's own sentence.
            const parts = spelling.split(/(\.{3,}|["'`\u2019\u201d](?![\p{L}\p{N}]))/u);
            for (let at = 0; at < parts.length; at += 2) {
                const letters = folded(parts[at] ?? "");
                if (parts[at - 1]?.startsWith(".")) yield* this.#namesIn(letters.slice(0, telling), telling);
                if (at + 1 < parts.length) yield* this.#namesIn(letters.slice(-telling), telling);
            }
        }
    }

    *#namesIn(text: string, most = Number.POSITIVE_INFINITY): Generator<string> {
        for (let at = 0; at + pieceLength <= text.length; at++)
            for (const { name, letters, count } of this.#byPiece.get(text.slice(at, at + pieceLength)) ?? []) {
                const length = Math.min(count, most);
                for (let from = Math.max(0, at - length + pieceLength); from <= at; from++) {
                    const part = text.slice(from, from + length);
                    if (part.length === length && letters.includes(part)) yield name;
                }
            }
    }
}

/** The short secrets that the text has as whole words, in any spelling. */
function wordsIn(text: string, secrets: readonly Secret[]): Secret[] {
    const spellings = spellingsOf(text);
    const isIn = (secret: Secret) =>
        spellingsOf(secret.value).some((form) => {
            const word = form.trim();
            if (word === "" || isLong({ ...secret, value: form })) return false;
            const pattern = new RegExp(patternOf(word, isWord(secret)), "u");
            return spellings.some((spelling) => pattern.test(spelling));
        });
    return secrets.filter(isIn);
}

/** Whether a secret counts only as a whole word: "on" is a part of many words, a title of others, and six digits of many numbers. */
function isWord({ value, isUnsure }: Secret): boolean {
    return isUnsure === true || folded(value).length < 4 || /^\d+$/.test(value);
}

/** The pattern that finds a text; `isWhole`: where neither end is between two letters or digits. */
function patternOf(text: string, isWhole: boolean): string {
    const edge = isWhole ? "(?!(?<=[\\p{L}\\p{N}\\p{M}])[\\p{L}\\p{N}\\p{M}])" : "";
    return edge + text.replace(/[$^\\.*+?()[\]{}|/]/g, "\\$&") + edge;
}

/** The text with others in place of the secrets that it has as they are. Where two of them begin together, the longer one counts. */
function replaced(text: string, secrets: readonly Secret[], by: (name: string) => string): string {
    if (secrets.length === 0) return text;
    const sorted = [...secrets].sort((a, b) => b.value.length - a.value.length);
    const words = sorted.map((secret) => `(${patternOf(secret.value, isWord(secret) || isLong(secret))})`);
    return text.replace(new RegExp(words.join("|"), "giu"), (_, ...groups) =>
        by(sorted[groups.findIndex((group) => group !== undefined)]?.name ?? ""),
    );
}
