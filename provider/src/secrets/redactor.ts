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
            const words = markup.test(start) ? (/<title[^<>]*>([^<]*)/i.exec(start)?.[1] ?? "") : start;
            return this.#shown(words.slice(0, maxScanned), secrets);
        });
        const line = [...new Set(shown)]
            .join("; ")
            // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach the user's terminal
            .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, " ")
            .trim();
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
        const whole = [...secrets, ...parts].filter(({ value }) => isLong(value) && bare.includes(value));
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

function isLong(text: string): boolean {
    return folded(text).length >= telling;
}

function partsOf({ name, value }: Secret): Secret[] {
    return tellingParts(value).map((part) => ({ name, value: part }));
}

const maxCharacters = 300;
/** The number of characters that are looked at: nothing behind them is shown. */
const maxScanned = 4096;
/** The number of characters in which a page has its title. */
const maxPage = 16 * 1024;

const markup = /<(?:!doctype|html|head|body|title|h\d|p|div|br|pre|center|\?xml)\b/i;

/** Keys by their names, and tokens: a digit or a padding sign distinguishes one from a word, as in "Basic authentication". */
const header =
    /\b(?:authorization|(?:stream|secret|access|api)[_-]?key)["']?\s?[:=]\s?["']?[^\s"'<>,;}]|\b(?:basic|bearer)\s(?=\S{0,200}[\d=])[\w+/=.~-]{8}/i;

/** The number of letters and digits in a row by which a secret is found. */
const telling = 12;
/** Wherever such a part of a secret begins, one of its pieces of this length is at a multiple of `step` in the secret. */
const pieceLength = 6;
const step = telling - pieceLength + 1;

/** Finds parts of long secrets in a text: of one resource, or of a hundred thousand. */
export class SecretIndex {
    readonly #known = new Set<string>();
    readonly #byPiece = new Map<string, Secret[]>();

    constructor(secrets: Iterable<Secret> = []) {
        for (const secret of secrets) this.add(secret);
    }

    add({ name, value }: Secret): void {
        for (const part of tellingParts(value).flatMap(spellingsOf).map(folded)) {
            if (part.length < telling || this.#known.has(part)) continue;
            this.#known.add(part);
            for (let at = 0; at + pieceLength <= part.length; at += step) {
                const piece = part.slice(at, at + pieceLength);
                // Presigned URLs of one bucket begin alike: thousands of them share a piece.
                const alike = this.#byPiece.get(piece) ?? [];
                // A value may repeat itself.
                if (alike.at(-1)?.value !== part) alike.push({ name, value: part });
                this.#byPiece.set(piece, alike);
            }
        }
    }

    /** The names of the secrets of which the text has a part, in any spelling. */
    *namesIn(text: string): Generator<string> {
        for (const letters of spellingsOf(text).map(folded))
            for (let at = 0; at + pieceLength <= letters.length; at++)
                for (const { name, value } of this.#byPiece.get(letters.slice(at, at + pieceLength)) ?? [])
                    for (let from = Math.max(0, at - step + 1); from <= at; from++) {
                        const part = letters.slice(from, from + telling);
                        if (part.length === telling && value.includes(part)) yield name;
                    }
    }
}

/** The short secrets that the text has as whole words, in any spelling. */
function wordsIn(text: string, secrets: readonly Secret[]): Secret[] {
    const spellings = spellingsOf(text);
    const isIn = (form: string) => !isLong(form) && spellings.some((spelling) => hasWord(spelling, form.trim()));
    return secrets.filter(({ value }) => spellingsOf(value).some(isIn));
}

/** "on" is a part of many words, and six digits of many numbers. */
function hasWord(text: string, word: string): boolean {
    const isInside = (at: number) => /[\p{L}\p{N}\p{M}]{2}/u.test(text.slice(Math.max(0, at - 1), at + 1));
    for (let at = text.indexOf(word); at >= 0 && word !== ""; at = text.indexOf(word, at + 1))
        if (!isInside(at) && !isInside(at + word.length)) return true;
    return false;
}

/** The text with others in place of the secrets that it has as they are. Where two of them begin together, the longer one counts. */
function replaced(text: string, secrets: readonly Secret[], by: (name: string) => string): string {
    if (secrets.length === 0) return text;
    const edge = "(?!(?<=[\\p{L}\\p{N}\\p{M}])[\\p{L}\\p{N}\\p{M}])";
    const sorted = [...secrets].sort((a, b) => b.value.length - a.value.length);
    const words = sorted.map(({ value }) => `(${edge}${value.replace(/[$^\\.*+?()[\]{}|/]/g, "\\$&")}${edge})`);
    return text.replace(new RegExp(words.join("|"), "giu"), (_, ...groups) =>
        by(sorted[groups.findIndex((group) => group !== undefined)]?.name ?? ""),
    );
}
