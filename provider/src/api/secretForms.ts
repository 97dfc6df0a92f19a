/** The spellings in which a value may come back: as it is, and in the encodings of JSON, URLs, HTML and base64. */
import { toUSVString } from "node:util";

export function encodings(value: string): Set<string> {
    // A lone surrogate cannot be percent-encoded, and becomes this on the wire anyway.
    const whole = toUSVString(value);
    const plain = [value, whole, whole.trim()];
    const forms = new Set([
        ...plain,
        ...plain.flatMap(json),
        ...plain.flatMap(uri),
        ...plain.flatMap(html),
        ...base64(whole),
    ]);
    forms.delete("");
    return forms;
}

/** With the variations of other languages: escaped slashes (PHP), escaped non-ASCII (Python), JSON inside JSON. */
function json(value: string): string[] {
    const once = JSON.stringify(value).slice(1, -1);
    const ascii = once.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const variants = [once, ascii, once.replaceAll("/", "\\/"), ascii.replaceAll("/", "\\/")];
    return [...variants, ...variants.map((variant) => JSON.stringify(variant).slice(1, -1))];
}

function uri(value: string): string[] {
    const component = encodeURIComponent(value);
    const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
    const variants = [
        encodeURI(value),
        component,
        strict,
        component.replaceAll("%20", "+"),
        strict.replaceAll("%20", "+"),
    ];
    return [...variants, encodeURIComponent(component)];
}

function html(value: string): string[] {
    const escaped = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const variants: string[] = [];
    for (const double of ['"', "&quot;", "&#34;"]) {
        for (const single of ["'", "&#39;", "&#039;", "&#x27;", "&apos;"]) {
            for (const slash of ["/", "&#x2F;"]) {
                variants.push(escaped.replaceAll('"', double).replaceAll("'", single).replaceAll("/", slash));
            }
        }
    }
    return variants;
}

/** Alone and, since a base64 digit holds 6 bits, at each of the three offsets inside something longer. */
function base64(value: string): string[] {
    const bytes = Buffer.from(value, "utf8");
    if (bytes.length < 6) return [];
    const whole = bytes.toString("base64");
    const inner = [0, 1, 2].map((offset) => {
        const digits = Buffer.concat([Buffer.alloc(offset), bytes])
            .toString("base64")
            .replaceAll("=", "");
        // The first and last digits also hold bits of the neighbours.
        const first = Math.ceil((offset * 8) / 6);
        const last = Math.floor(((offset + bytes.length) * 8) / 6);
        return digits.slice(first, last);
    });
    const standard = [whole, ...inner];
    return [...standard, ...standard.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}
