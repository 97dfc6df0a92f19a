/**
 * Takes secrets out of text that came from elsewhere: known values, as they are and as services echo them, and what is secret
 * by its shape (user and query of a URL, Authorization headers). Which values of a resource are known: `inputs/redactor.ts`.
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
    /** Longest first: one secret may contain another. */
    readonly #secrets: readonly Secret[];

    constructor(secrets: Iterable<Secret>) {
        this.#secrets = [...secrets]
            .filter(({ value }) => value.trim() !== "")
            .sort((a, b) => b.value.length - a.value.length);
    }

    /** A redactor that knows these secrets as well. */
    with(more: Redactor): Redactor {
        return new Redactor([...this.#secrets, ...more.#secrets]);
    }

    redact(text: string): string {
        const known = this.#secrets.reduce(
            (clean, secret) => clean.replace(patternOf(secret), () => `[${secret.name}]`),
            text,
        );
        return redactShapes(known);
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

/** Characters that must not be next to a value: "on" is a part of many words, and six digits of many numbers. */
function edgeOf({ value, wholeWord }: Secret): string | undefined {
    const text = value.trim();
    if (wholeWord || text.length < 4) return "[\\p{L}\\p{N}_]";
    return /^\d+$/.test(text) ? "\\d" : undefined;
}

/** How services, frameworks and gateways write a value: in JSON, JSON of PHP, a URL's part, a URL, a form, HTML. */
const encodings: readonly ((text: string) => string)[] = [
    json,
    (text) => json(text).replaceAll("/", "\\/"),
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

/** Also one inside another: a URL in JSON, JSON in JSON. */
function spellings(value: string): string[] {
    const trimmed = toUSVString(value.trim());
    const once = encodings.map((encode) => encode(trimmed));
    return [...new Set([trimmed, ...once, ...once.map(json)])];
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

/** Without user information, query and fragment. */
function redactUrl(rest: string): string {
    const [visible = "", ...hidden] = rest.split(/[?#]|%3f|%23/i);
    const [, authority = "", path = ""] = /^(.*?)((?:[/\\]|%2f).*)?$/i.exec(visible) ?? [];
    const host = authority.replace(/^.*(?:@|%40)/i, "");
    return host + path + (hidden.length > 0 ? "?[redacted]" : "");
}
