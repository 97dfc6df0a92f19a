/**
 * Decides what messages show of a text that somebody else has written, such as the service. A secret that stands in the text as it is gives way to
 * its name. If the text then still has twelve letters or digits of a secret in a row, in any spelling, or something like a credential, the text is
 * not shown at all. SECURITY.md has the whole rule.
 */
import { listOf } from "../messages";
import { folded, spellingsOf } from "./spellings";
import { quotesCredential, quotesPath, tellingParts, withoutPaths } from "./urls";

export interface Secret {
    /** What a reader sees in place of the secret, such as `secretKey` or `content[0].url`. */
    name: string;
    value: string;
    /** Whether the value may be no secret at all: the dynamic types do not learn which values are secrets. */
    isUnsure?: boolean | undefined;
}

/** The secrets of an access token. `authorization`: id and key together, as the header of requests has them. */
export function tokenSecrets({ accessTokenId, secretKey }: { accessTokenId: string; secretKey: string }) {
    const authorization = Buffer.from(`${accessTokenId}:${secretKey}`).toString("base64");
    return Object.entries({ secretKey, authorization }).map(([name, value]): Secret => ({ name, value }));
}

interface Options {
    /** The secrets of other resources: the service may quote a value of one resource in its answer about another. */
    others?: () => SecretIndex;
    /** Whether each URL may be a secret: this process does not know the inputs of another program's content. Then only its host is shown. */
    everyUrl?: boolean;
}

export class Redactor {
    readonly secrets: () => readonly Secret[];
    readonly #options: Options;

    /** Each operation makes a redactor, and hardly one shows a message: the secrets may be a function, which runs with the first message. */
    constructor(secrets: readonly Secret[] | (() => readonly Secret[]), options: Options = {}) {
        this.secrets = typeof secrets === "function" ? secrets : () => secrets;
        this.#options = options;
    }

    /** A redactor with the secrets of both. */
    with(more: Redactor): Redactor {
        return new Redactor(() => [...this.secrets(), ...more.secrets()], { ...this.#options, ...more.#options });
    }

    /** Texts of somebody else as one line of at most 300 characters, without secrets. A gateway's page gives its title. */
    quote(...texts: string[]): string {
        const secrets = this.secrets();
        const shown = texts.map((text) => {
            const start = text.slice(0, maxPage);
            const words = markup.test(start) ? titleIn(start) : start;
            // Thousands of spaces could push the second half of a secret behind the cut, and its first half would be shown.
            return this.#shown(words.replace(/\s{9,}/g, " ").slice(0, maxScanned), secrets);
        });
        const line = [...new Set(shown)].join("; ").replace(blanks, " ").trim();
        if (line.length <= maxCharacters) return line;
        const cut = line.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, "");
        return `${cut.trimEnd()}…`;
    }

    /** A message of this package, with the name of each secret in its place. `quote` would cut the message at 300 characters, or hide all of it. */
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
        // Short secrets are taken out last. One in the middle of a long secret would split it, and its halves would not be found.
        if (hidden.length === 0) hidden = wordsIn(replaced(rest, words, bySpace), words).map(({ name }) => name);
        return hidden.length === 0
            ? replaced(replaced(bare, whole, byName), words, byName)
            : `[not shown, because it may contain a secret: ${listOf([...new Set(hidden)])}]`;
    }

    #longIn(text: string, parts: readonly Secret[]): string[] {
        const { others, everyUrl } = this.#options;
        const own = [...new SecretIndex(parts).namesIn(text)];
        if (own.length > 0) return own;
        // Other resources may have a hundred thousand secrets, and the first that is found hides the text.
        for (const name of others?.().namesIn(text) ?? []) return [`${name} of another resource`];
        const looksSecret = (spelling: string) =>
            header.test(spelling) || quotesCredential(spelling) || (everyUrl && quotesPath(spelling));
        return spellingsOf(text).some(looksSecret) ? ["a URL or a key"] : [];
    }
}

/** Whether the value has the secret somewhere in its texts, in any spelling. */
export function holds(value: unknown, secret: unknown): boolean {
    if (typeof secret !== "string") return false;
    const [text, parts] = [JSON.stringify(value ?? null), partsOf({ name: "it", value: secret })];
    return !new SecretIndex(parts).namesIn(text).next().done || wordsIn(text, parts).length > 0;
}

/** Whether a part of the secret is enough to find it. A shorter secret is found whole. */
function isLong({ value, isUnsure }: Secret): boolean {
    return folded(value).length >= (isUnsure ? telling : shortest);
}

function partsOf({ value, ...secret }: Secret): Secret[] {
    return tellingParts(value).map((part) => ({ ...secret, value: part }));
}

/** The title of a page, without tags. A title without its end gives nothing: a secret may be cut off there, and its first half would be shown. */
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
/** The number of characters that are searched for secrets. What stands behind them is not shown. */
const maxScanned = 4096;
/** The number of characters of a page that are searched for its title. */
const maxPage = 16 * 1024;

const markup = /<(?:!doctype|html|head|body|title|h\d|p|div|br|pre|center|\?xml)\b/i;

/** A key behind its name, or a token behind `Basic` or `Bearer`. A digit, the length or a padding sign tells it from the words in "streamKey: must be set" and "Basic authentication". */
const header =
    /\b(?:authorization|(?:stream|secret|access|api)[_-]?key)["']?\s?[:=]\s?["']?(?=(?:basic|bearer)\s\S|\S{0,200}\d|\S{12})[^\s"'<>,;}]|\b(?:basic|bearer)\s(?=\S{0,200}[\d=])[\w+/=.~-]{8}/i;

/** So many letters and digits of a secret in a row give it away. */
const telling = 12;
/** The same number for a secret with fewer than twelve. A secret with fewer than eight is found whole. */
const shortest = 8;
/** The same number for what may be no secret. With twelve, a title would hide each sentence of the service that has two of its words. */
const tellingOfUnsure = 24;
/** A secret is indexed by pieces of this length, which begin so close to each other that any twelve (or eight) of its letters contain a whole piece. */
const pieceLength = 6;

interface Piece {
    name: string;
    letters: string;
    /** The number of letters in a row that give the secret away. */
    count: number;
}

/** Finds parts of long secrets in a text, quickly also among a hundred thousand secrets. */
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
                // Thousands of presigned URLs of one bucket begin with the same piece.
                const alike = this.#byPiece.get(piece) ?? [];
                // A value such as "abababab" has the same piece twice.
                if (alike.at(-1)?.letters !== letters) alike.push({ name, letters, count });
                this.#byPiece.set(piece, alike);
            }
        }
    }

    /** The names of the secrets that the text gives away, in any spelling. */
    *namesIn(text: string): Generator<string> {
        for (const spelling of spellingsOf(text)) {
            yield* this.#namesIn(folded(spelling));
            // A text that is cut by dots or ends in a quotation mark is a quotation. Twelve letters there are no accident, as they may be in a sentence.
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

/** The short secrets that the text has, in any spelling. */
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

/** Whether a secret counts only as a whole word. Otherwise the secret "on" would hide "content", and "170650" would hide the time 1706500000. */
function isWord({ value, isUnsure }: Secret): boolean {
    return isUnsure === true || folded(value).length < 4 || /^\d+$/.test(value);
}

/** The pattern that finds a text. `isWhole`: only where no letter or digit continues it. */
function patternOf(text: string, isWhole: boolean): string {
    const edge = isWhole ? "(?!(?<=[\\p{L}\\p{N}\\p{M}])[\\p{L}\\p{N}\\p{M}])" : "";
    return edge + text.replace(/[$^\\.*+?()[\]{}|/]/g, "\\$&") + edge;
}

/** The text with something else in place of the secrets that it has as they are. Where two secrets begin at one place, the longer one is replaced. */
function replaced(text: string, secrets: readonly Secret[], by: (name: string) => string): string {
    if (secrets.length === 0) return text;
    const sorted = [...secrets].sort((a, b) => b.value.length - a.value.length);
    const words = sorted.map((secret) => `(${patternOf(secret.value, isWord(secret) || isLong(secret))})`);
    return text.replace(new RegExp(words.join("|"), "giu"), (_, ...groups) =>
        by(sorted[groups.findIndex((group) => group !== undefined)]?.name ?? ""),
    );
}
