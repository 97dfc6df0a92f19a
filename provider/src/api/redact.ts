/**
 * Takes secrets out of text that came from elsewhere: known values in whatever encoding they are echoed, and what is secret
 * by its shape (user and query of a URL, Authorization headers). Linear in the text's length: every pattern is either a
 * literal or a bounded run.
 */
import { encodings } from "./secretForms";

export interface Secret {
    /** What the reader sees in its place, such as `secretKey` or `content[0].url`. */
    name: string;
    value: string;
}

export class Redactor {
    /** Knows no values; still takes out what is secret by its shape. */
    static readonly none = new Redactor([]);

    readonly #secrets: readonly Secret[];
    /** From each form of a value, in lower case, to the name; filled with the pattern. */
    readonly #names = new Map<string, string>();
    #pattern: RegExp | undefined;

    constructor(secrets: Iterable<Secret>) {
        this.#secrets = [...secrets].filter(({ value }) => value.trim() !== "");
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
        this.#pattern ??= this.#compile();
        return text.replace(this.#pattern, (found) => `[${this.#names.get(found.toLowerCase()) ?? "redacted"}]`);
    }

    #compile(): RegExp {
        const forms = new Set<string>();
        for (const { name, value } of this.#secrets) {
            for (const form of encodings(value)) {
                forms.add(form);
                const key = form.toLowerCase();
                if (!this.#names.has(key)) this.#names.set(key, name);
            }
        }
        // An alternation takes its first match, so the longest form must come first: one secret may contain another.
        const longestFirst = [...forms].sort((a, b) => b.length - a.length);
        return new RegExp(longestFirst.map(literal).join("|"), "giu");
    }
}

/** "on" is a word of its own in many a message and a part of many more: a short value counts only as a whole token. */
function literal(form: string): string {
    const escaped = form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    return form.length < 4 ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped;
}

/** A URL, also with the slashes escaped as PHP's JSON has them, or percent-encoded as a whole. */
const url = /\b([a-z][a-z0-9+.-]{0,30}(?::|%3a)(?:\/|\\\/|%2f){2})([^\s"'<>]*)/gi;
const query = /[?&][\w.~%[\]-]{1,100}=[^\s"'<>]*/g;
const authorization = /\b(authorization\\?["']?[ \t]{0,5}[:=][ \t]{0,5}["']?)[^\r\n"'<>]{1,8192}/gi;
const named =
    /\b((?:stream|secret|access|api)[_-]?key\\?["']?[ \t]{0,5}[:=][ \t]{0,5}\\?["']?)[^\s"'<>,;}\\]{1,8192}/gi;
/** A digit or a padding sign tells a token from a word: "Basic authentication" is no secret. */
const credentials = /\b(basic|bearer)[ \t]{1,5}(?=[^\s]{0,200}[\d=])[\w+/=.~-]{8,}/gi;

function redactShapes(text: string): string {
    return text
        .replace(url, (_, scheme: string, rest: string) => scheme + redactUrl(rest))
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
