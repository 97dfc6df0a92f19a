/**
 * Takes secrets out of text that came from elsewhere: known values, as they are and as services echo them, and what is secret
 * by its shape (user and query of a URL, Authorization headers).
 */
import { toUSVString } from "node:util";

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
    /** Only made when something failed. */
    #patterns: readonly { name: string; pattern: RegExp }[] | undefined;

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
        this.#patterns ??= this.#secrets.map((secret) => ({ name: secret.name, pattern: patternOf(secret) }));
        return redactShapes(
            this.#patterns.reduce((clean, { name, pattern }) => clean.replace(pattern, () => `[${name}]`), text),
        );
    }
}

/** Whether a text holds the value, in any of the spellings that a redactor finds. */
export function holds(text: string, value: string): boolean {
    return patternOf({ name: "", value }).test(text);
}

function patternOf(secret: Secret): RegExp {
    const longestFirst = spellings(secret.value).sort((a, b) => b.length - a.length);
    const any = `(?:${longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})`;
    const edge = edgeOf(secret);
    const source = edge === undefined ? any : `(?:(?<!${edge})|(?<=%[0-9a-f]{2}))${any}(?!${edge})`;
    return new RegExp(source, "giu");
}

/** What must not stand beside a value: "on" is a part of many words, and six digits of many numbers. */
function edgeOf({ value, wholeWord }: Secret): string | undefined {
    const text = value.trim();
    if (wholeWord || text.length < 4) return "[\\p{L}\\p{N}_]";
    return /^\d+$/.test(text) ? "\\d" : undefined;
}

/** How services, frameworks and gateways write a value, one inside another: a URL in JSON, JSON in JSON. */
const encodings: readonly ((text: string) => string)[] = [
    json,
    (text) => json(text).replaceAll("/", "\\/"),
    (text) => json(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    encodeURIComponent,
    encodeURI,
    (text) => encodeURIComponent(text).replaceAll("%2F", "/"),
    (text) => new URLSearchParams({ "": text }).toString().slice(1),
    (text) => text.replace(/[&<>"']/g, (char) => entities[char] ?? char),
];

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function json(text: string): string {
    return JSON.stringify(text).slice(1, -1);
}

function spellings(value: string): string[] {
    const trimmed = toUSVString(value.trim());
    const once = encodings.map((encode) => encode(trimmed));
    const twice = once.flatMap((text) => [json(text), encodeURIComponent(text)]);
    return [...new Set([trimmed, ...once, ...twice, ...base64(value), ...base64(trimmed)])];
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
