/** Finding words wherever they are: as they are, in any encoding that the redactor reads, packed, or in base64. */
import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { wordsIn } from "./values.ts";

const base64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

/** The words in what was written. */
export function foundIn(written: string): Set<string> {
    const seen = new Set<string>();
    const queue = [written];
    const found = new Set<string>();
    for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
        if (seen.has(text)) continue;
        seen.add(text);
        for (const word of wordsIn(text)) found.add(word);
        queue.push(decoded(text), ...unpacked(text));
    }
    return found;
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

/** What each word of base64 was, by the word: the state has most of them in every run. */
const known = new Map<string, string[]>();

function unpacked(text: string): string[] {
    return (text.match(base64) ?? []).flatMap((word) => {
        const before = known.get(word);
        if (before !== undefined) return before;
        const bytes = Buffer.from(word, "base64");
        const all = [inflateRawSync, inflateSync, gunzipSync].flatMap((inflate) => {
            try {
                return [inflate(bytes).toString()];
            } catch {
                return [];
            }
        });
        const plain = bytes.toString("utf8");
        if (/^[\s\x20-\x7e]{8,}/.test(plain)) all.push(plain);
        known.set(word, all);
        return all;
    });
}
