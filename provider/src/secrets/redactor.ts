/**
 * Decides what a message shows of a text from somebody else, such as the service. Each secret that the text contains unchanged is replaced by its
 * name. If the text then still has twelve letters or digits of a secret in a row, in any spelling, or something like a credential, nothing of the
 * text is shown. SECURITY.md has the whole rule.
 */
import { listOf } from "../messages";
import { folded, spellingsOf } from "./spellings";
import { quotesCredential, quotesPath, tellingParts, withoutPaths } from "./urls";

export interface Secret {
    /** What a reader sees in place of the secret, such as `secretKey` or `content[0].url`. */
    name: string;
    value: string;
    /** Whether the value may be no secret at all. A dynamic provider does not learn which values are secrets. */
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
    /**
     * Whether any URL may be a secret, so that only its host is shown. It is set for the content of another program, whose inputs this process does
     * not know.
     */
    everyUrl?: boolean;
}

export class Redactor {
    readonly secrets: () => readonly Secret[];
    readonly #options: Options;

    /** The secrets may be a function, which runs only when a message is shown: each operation makes a redactor, and few show a message. */
    constructor(secrets: readonly Secret[] | (() => readonly Secret[]), options: Options = {}) {
        this.secrets = typeof secrets === "function" ? secrets : () => secrets;
        this.#options = options;
    }

    /** A redactor with the secrets of both. */
    with(more: Redactor): Redactor {
        return new Redactor(() => [...this.secrets(), ...more.secrets()], { ...this.#options, ...more.#options });
    }

    /**
     * Returns texts from somebody else as one line without secrets, which is cut at 300 characters. Of an HTML page, such as a gateway's, only the
     * title is shown.
     */
    quote(...texts: string[]): string {
        const secrets = this.secrets();
        const shown = texts.map((text) => {
            const start = text.slice(0, maxPage);
            const words = markup.test(start) ? titleIn(start) : start;
            // Spaces are removed before the cut: thousands of them could move the second half of a secret behind it, and the first half would be
            // shown.
            return this.#shown(words.replace(/\s{9,}/g, " ").slice(0, maxScanned), secrets);
        });
        const line = [...new Set(shown)].join("; ").replace(blanks, " ").trim();
        if (line.length <= maxCharacters) return line;
        const cut = line.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, "");
        return `${cut.trimEnd()}…`;
    }

    /**
     * Returns a message of this package, with each secret replaced by its name. `quote` would cut the message at 300 characters, or hide all of it.
     */
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
        // Short secrets are taken out after the search for long ones: inside a long secret they would split it, and neither half would be found.
        if (hidden.length === 0) hidden = wordsIn(replaced(rest, words, bySpace), words).map(({ name }) => name);
        return hidden.length === 0
            ? replaced(replaced(bare, whole, byName), words, byName)
            : `[not shown, because it may contain a secret: ${listOf([...new Set(hidden)])}]`;
    }

    #longIn(text: string, parts: readonly Secret[]): string[] {
        const { others, everyUrl } = this.#options;
        const own = [...new SecretIndex(parts).namesIn(text)];
        if (own.length > 0) return own;
        // Stops at the first secret of another resource: one is enough to hide the text, and there may be a hundred thousand.
        for (const name of others?.().namesIn(text) ?? []) return [`${name} of another resource`];
        const looksSecret = (spelling: string) =>
            header.test(spelling) || quotesCredential(spelling) || (everyUrl && quotesPath(spelling));
        return spellingsOf(text).some(looksSecret) ? ["a URL or a key"] : [];
    }
}

/** Whether a text in the value contains the secret, in any spelling. */
export function holds(value: unknown, secret: unknown): boolean {
    if (typeof secret !== "string") return false;
    const [text, parts] = [JSON.stringify(value ?? null), partsOf({ name: "it", value: secret })];
    return !new SecretIndex(parts).namesIn(text).next().done || wordsIn(text, parts).length > 0;
}

/** Whether the secret is so long that a part of it is searched for. A shorter secret is searched for only as a whole. */
function isLong({ value, isUnsure }: Secret): boolean {
    return folded(value).length >= (isUnsure ? telling : shortest);
}

function partsOf({ value, ...secret }: Secret): Secret[] {
    return tellingParts(value).map((part) => ({ ...secret, value: part }));
}

/** The title of a page, without tags. A title that is cut off counts as empty: it could show the first half of a secret. */
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

/**
 * Matches a key after its name, or a token after `Basic` or `Bearer`. A digit, the length or a padding sign tells a key from plain words, as in
 * "streamKey: must be set" and "Basic authentication".
 */
const header =
    /\b(?:authorization|(?:stream|secret|access|api)[_-]?key)["']?\s?[:=]\s?["']?(?=(?:basic|bearer)\s\S|\S{0,200}\d|\S{12})[^\s"'<>,;}]|\b(?:basic|bearer)\s(?=\S{0,200}[\d=])[\w+/=.~-]{8}/i;

/** A text with this many letters and digits of a secret in a row is not shown. */
const telling = 12;
/** The same limit for a secret of less than twelve letters and digits. A secret of less than eight is found only as a whole. */
const shortest = 8;
/** The same limit for a value that may be no secret. With twelve, a title would hide each sentence of the service that has two words of the title. */
const tellingOfUnsure = 24;
/**
 * The index finds a secret by pieces of this length. They begin so close to each other that any twelve letters of it (eight of a short one) contain a
 * whole piece.
 */
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
                // A piece can belong to many secrets: thousands of presigned URLs of one bucket begin with the same piece.
                const alike = this.#byPiece.get(piece) ?? [];
                // Adds a secret only once to a piece: a value such as "abababab" has the same piece twice.
                if (alike.at(-1)?.letters !== letters) alike.push({ name, letters, count });
                this.#byPiece.set(piece, alike);
            }
        }
    }

    /** The names of the secrets that the text gives away, in any spelling. */
    *namesIn(text: string): Generator<string> {
        for (const spelling of spellingsOf(text)) {
            yield* this.#namesIn(folded(spelling));
            // Text beside dots, or before a closing quotation mark, is a quotation. There twelve letters count even for a value that may be no
            // secret: in a sentence, they may be chance.
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

/** The short secrets that the text contains, in any spelling. `SecretIndex` finds only the long ones. */
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

/** Returns the text with each secret in it replaced by what `by` returns. Of two secrets that begin at one place, the longer one is replaced. */
function replaced(text: string, secrets: readonly Secret[], by: (name: string) => string): string {
    if (secrets.length === 0) return text;
    const sorted = [...secrets].sort((a, b) => b.value.length - a.value.length);
    const words = sorted.map((secret) => `(${patternOf(secret.value, isWord(secret) || isLong(secret))})`);
    return text.replace(new RegExp(words.join("|"), "giu"), (_, ...groups) =>
        by(sorted[groups.findIndex((group) => group !== undefined)]?.name ?? ""),
    );
}
