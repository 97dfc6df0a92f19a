/**
 * Takes secrets out of text that came from elsewhere: known values, as they are and as services echo them, and texts that are secret
 * by their shape (user and query of a URL, Authorization headers). The known values of a resource: `inputs/redactor.ts`.
 */
import { type Form, formsOf, type Needle, needleOf, type Range, rangesOf } from "./spellings";

export interface Secret {
    /** The text that replaces the secret, such as `secretKey` or `content[0].url`. */
    name: string;
    value: string;
    /** Whether the value counts only as a whole word, because it may be a common one. */
    wholeWord?: boolean;
}

/** A part of a text that is replaced by a name. */
interface Hidden extends Range {
    name: string;
}

/** A secret to look for. */
type NamedNeedle = Needle & { name: string };

export class Redactor {
    readonly secrets: () => readonly Secret[];
    readonly #shared: SharedSecrets | undefined;
    #needles: NamedNeedle[] | undefined;

    /** Most redactors are made for a message that never comes: a function is called when the message does. */
    constructor(secrets: readonly Secret[] | (() => readonly Secret[]), shared?: SharedSecrets) {
        this.secrets = typeof secrets === "function" ? secrets : () => secrets;
        this.#shared = shared;
    }

    /** A redactor that knows these secrets as well. */
    with(more: Redactor): Redactor {
        return new Redactor(() => [...this.secrets(), ...more.secrets()], more.#shared ?? this.#shared);
    }

    redact(text: string): string {
        const forms = formsOf(text);
        this.#needles ??= this.secrets().map((secret) => ({ name: secret.name, ...needle(secret) }));
        const all = [...this.#needles, ...(this.#shared?.needlesFor(forms) ?? [])].flatMap((one) =>
            rangesOf(one, forms).map((range): Hidden => ({ ...range, name: one.name })),
        );
        return redactShapes(without(text, all));
    }
}

/** The length from which on a text of another resource is hidden: a shorter one may be a word of any message. */
const shortestShared = 12;
/** The number of characters of a secret that the index looks up. */
const partLength = 8;

/** The secrets of all resources of a process, perhaps a hundred thousand: a service may quote those of one resource in its answer about another. */
export class SharedSecrets {
    /** The redactors, by resource, that no message has asked for yet. */
    readonly #new = new Map<string, Redactor>();
    readonly #known = new Set<string>();
    readonly #byPart = new Map<string, NamedNeedle[]>();

    /** The redactor of a resource, which hides the secrets of all others too. `owner`: none if another resource owns the secrets. */
    join(redactor: Redactor, owner?: string): Redactor {
        if (owner !== undefined) this.#new.set(owner, redactor);
        return new Redactor(redactor.secrets, this);
    }

    /** The needles that may be in a text. */
    needlesFor(forms: readonly Form[]): Iterable<NamedNeedle> {
        for (const { secrets } of this.#new.values()) for (const one of secrets()) this.#add(one);
        this.#new.clear();
        const found = new Set<NamedNeedle>();
        for (const { text } of forms)
            for (let at = 0; at + partLength <= text.length; at++)
                for (const one of this.#byPart.get(text.slice(at, at + partLength)) ?? []) found.add(one);
        return found;
    }

    #add({ name, value }: Secret): void {
        if (value.length < shortestShared || this.#known.has(value)) return;
        this.#known.add(value);
        const one = { name: `${name} of another resource`, ...needle({ name, value }, shortestShared) };
        // One of these parts is in whatever is left of the secret.
        for (const form of one.forms)
            for (const end of new Set([Math.min(one.origin + one.shortest, form.length), form.length])) {
                const part = form.slice(Math.max(0, end - partLength), end);
                if (part.length < partLength) continue;
                // Presigned URLs of one bucket begin alike: thousands of them share a part.
                const alike = this.#byPart.get(part) ?? [];
                alike.push(one);
                this.#byPart.set(part, alike);
            }
    }
}

/** Whether a text holds the value, or a long part of it, in any of the spellings that a redactor finds. */
export function holds(text: string, value: string): boolean {
    return rangesOf({ ...needle({ name: "", value }), shortest: Infinity }, formsOf(text)).length > 0;
}

/** The number of characters at either end of a value that identify it. */
const shortestCut = 8;

function needle({ value, wholeWord }: Secret, shortest = shortestCut): Needle {
    const text = value.trim();
    const word = wholeWord || text.length < 4 ? /[\p{L}\p{N}_]/u : undefined;
    const edge = word ?? (/^\d+$/.test(text) ? /\d/ : undefined);
    // The origin of a URL identifies nothing.
    const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(text)?.[0].length ?? 0;
    return needleOf(text, { edge, origin, shortest });
}

/** The text with names in place of the hidden parts. Where two values overlap, all of both is hidden, under the longer one's name. */
function without(text: string, hidden: Hidden[]): string {
    const sorted = hidden.sort((a, b) => a.start - b.start || b.end - a.end);
    let clean = "";
    let at = 0;
    for (let index = 0; index < sorted.length; ) {
        let { start, end, name } = sorted[index] as Hidden;
        let longest = end - start;
        for (index++; index < sorted.length && (sorted[index] as Hidden).start < end; index++) {
            const next = sorted[index] as Hidden;
            if (next.end - next.start > longest) [longest, name] = [next.end - next.start, next.name];
            end = Math.max(end, next.end);
        }
        clean += `${text.slice(at, start)}[${name}]`;
        at = end;
    }
    return clean + text.slice(at);
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

/** The text with nothing but scheme and host of each URL: for texts that may quote a URL which is secret as a whole. */
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

/** A URL's part after the scheme, without user information, query and fragment. */
function redactUrl(rest: string): string {
    const [visible = "", ...hidden] = rest.split(/[?#]|%3f|%23/i);
    const [, authority = "", path = ""] = /^(.*?)((?:[/\\]|%2f).*)?$/i.exec(visible) ?? [];
    const host = authority.replace(/^.*(?:@|%40)/i, "");
    return host + path + (hidden.length > 0 ? "?[redacted]" : "");
}
