/** Finding a text wherever it is: as it is, in any encoding that the redactor reads, packed, or in base64. */
import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

const base64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

/** Those of the texts that are somewhere in what was written. */
export function foundIn(written: string, texts: readonly string[]): string[] {
    const all = [...forms(written)].map((form) => form.toLowerCase());
    return texts.filter((text) => all.some((form) => form.includes(text.toLowerCase())));
}

function forms(written: string): Set<string> {
    const seen = new Set<string>();
    const queue = [written];
    for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
        if (seen.has(text)) continue;
        seen.add(text);
        for (const next of [decoded(text), ...unpacked(text)]) if (next !== text) queue.push(next);
    }
    return seen;
}

/** One layer of every encoding taken off. */
function decoded(text: string): string {
    return text
        .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .replace(/\\(["\\/])/g, "$1")
        .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
        .replace(/&#(\d{1,6});/g, (_, number: string) => String.fromCodePoint(Number(number)))
        .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"));
}

function unpacked(text: string): string[] {
    return (text.match(base64) ?? []).flatMap((word) => {
        const bytes = Buffer.from(word, "base64");
        const all = [inflateRawSync, inflateSync, gunzipSync].flatMap((inflate) => {
            try {
                return [inflate(bytes).toString()];
            } catch {
                return [];
            }
        });
        const plain = bytes.toString("utf8");
        return /^[\s\x20-\x7e]{8,}/.test(plain) ? [...all, plain] : all;
    });
}
