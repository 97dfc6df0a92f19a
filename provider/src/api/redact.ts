/**
 * Takes secrets out of text that came from elsewhere: known values in whatever encoding they are echoed, and what is secret
 * by its shape (user and query of a URL, Authorization headers). Linear in the text's length.
 */
import { decodings } from "./decode";

export interface Secret {
    /** The text that replaces it, such as `secretKey` or `content[0].url`. */
    name: string;
    value: string;
    /** Of a name that may be a common word: it counts only as a whole word. */
    wholeWord?: boolean;
}

export class Redactor {
    /** Knows no values; still removes texts whose form shows that they are secret. */
    static readonly none = new Redactor([]);

    /** Longest first: one secret may contain another. */
    readonly #secrets: readonly Secret[];
    /** By the index of the secret. */
    #spellings: readonly (readonly string[])[] | undefined;

    constructor(secrets: Iterable<Secret>) {
        this.#secrets = [...secrets]
            .filter(({ value }) => value.trim() !== "")
            .sort((a, b) => b.value.length - a.value.length);
    }

    /** A redactor that knows these secrets as well. */
    with(more: Iterable<Secret> | Redactor): Redactor {
        return new Redactor([...this.#secrets, ...(more instanceof Redactor ? more.#secrets : more)]);
    }

    redact(text: string): string {
        return redactShapes(this.#redactValues(text));
    }

    #redactValues(text: string): string {
        if (this.#secrets.length === 0) return text;
        this.#spellings ??= this.#secrets.map(({ value }) => spellings(value));
        const layers = decodings(text);
        /** For each unit of the text the secret that it belongs to, counted from 1. */
        const owners = new Uint32Array(text.length);
        for (const [index, values] of this.#spellings.entries()) {
            const { wholeWord = false } = this.#secrets[index] ?? {};
            for (const value of values) {
                for (const layer of layers) {
                    for (const at of occurrences(layer.text, value, wholeWord)) {
                        const from = layer.start[at] ?? 0;
                        const until = layer.end[at + value.length - 1] ?? 0;
                        for (let unit = from; unit < until; unit++) owners[unit] ||= index + 1;
                    }
                }
            }
        }
        return this.#replace(text, owners);
    }

    #replace(text: string, owners: Uint32Array): string {
        const pieces: string[] = [];
        for (let from = 0; from < text.length; ) {
            const owner = owners[from] ?? 0;
            let until = from + 1;
            while (until < text.length && owners[until] === owner) until++;
            pieces.push(owner === 0 ? text.slice(from, until) : `[${this.#secrets[owner - 1]?.name}]`);
            from = until;
        }
        return pieces.join("");
    }
}

/** The texts to search for: the value, which may itself look encoded, and its base64. */
function spellings(value: string): string[] {
    const trimmed = value.trim();
    const all = [trimmed, ...base64(value), ...base64(trimmed)];
    return [...new Set(all.flatMap(decodings).map(({ text }) => text))].filter((text) => text !== "");
}

/** Alone and, since a base64 digit holds 6 bits, at each of the three offsets inside something longer. */
function base64(value: string): string[] {
    const bytes = Buffer.from(value, "utf8");
    if (bytes.length < 6) return [];
    const inner = [0, 1, 2].map((offset) => {
        const digits = Buffer.concat([Buffer.alloc(offset), bytes])
            .toString("base64")
            .replaceAll("=", "");
        // The first and the last digit may hold bits of the neighbours.
        return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    });
    const standard = [bytes.toString("base64"), ...inner];
    return [...standard, ...standard.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

/** "on" is a word in many messages and a part of more: a short value counts only as a whole word. */
function* occurrences(text: string, value: string, isName: boolean): Generator<number> {
    const wholeWord = isName || value.length < 4;
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
        if (!wholeWord || !(isWord(text[at - 1]) || isWord(text[at + value.length]))) yield at;
    }
}

const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** A URL, also with the slashes escaped as PHP's JSON has them, or percent-encoded as a whole. */
const url = /\b([a-z][a-z0-9+.-]{0,30}(?::|%3a)(?:\/|\\\/|%2f){2})([^\s"'<>]*)/gi;
const query = /[?&][\w.~%[\]-]{1,100}=[^\s"'<>]*/g;
const authorization = /\b(authorization\\?["']?[ \t]{0,5}[:=][ \t]{0,5}\\?["']?)[^\r\n"'<>]{1,8192}/gi;
const named =
    /\b((?:stream|secret|access|api)[_-]?key\\?["']?[ \t]{0,5}[:=][ \t]{0,5}\\?["']?)[^\s"'<>,;}\\]{1,8192}/gi;
/** A digit or a padding sign distinguishes a token from a word: "Basic authentication" is not a secret. */
const credentials = /\b(basic|bearer)[ \t]{1,5}(?=[^\s]{0,200}[\d=])[\w+/=.~-]{8,}/gi;

/** `user:password@host` without a scheme. */
const userInfo = /(^|[\s"'<>(=,/])[^\s"'<>()=,/:@]{1,100}:[^\s"'<>/@]{1,200}@(?=[\w[])/g;

/** Of each URL nothing but scheme and host: for texts that may quote a URL which is secret as a whole. */
export function originsOnly(text: string): string {
    return text.replace(url, (_, scheme: string, rest: string) => {
        const bare = redactUrl(rest);
        const host = bare.split(/[/\\?]|%2f/i, 1)[0] ?? "";
        return bare === host ? scheme + host : `${scheme}${host}/[redacted]`;
    });
}

function redactShapes(text: string): string {
    return text
        .replace(url, (_, scheme: string, rest: string) => scheme + redactUrl(rest))
        .replace(userInfo, "$1[redacted]@")
        .replace(query, "?[redacted]")
        .replace(authorization, "$1[redacted]")
        .replace(named, "$1[redacted]")
        .replace(credentials, "$1 [redacted]");
}

function redactUrl(rest: string): string {
    const end = rest.search(/[?#]|%3f|%23/i);
    const visible = end < 0 ? rest : rest.slice(0, end);
    const slash = visible.search(/[/\\]|%2f/i);
    const authority = slash < 0 ? visible : visible.slice(0, slash);
    const host = authority.replace(/^.*(?:@|%40)/i, "");
    return host + visible.slice(authority.length) + (end < 0 ? "" : "?[redacted]");
}
