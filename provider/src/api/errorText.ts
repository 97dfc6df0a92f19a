/** Finds what a JSON answer says in words. Where the service puts an error or a failure's reason is not documented. */
import { z } from "zod";

const telling = /reason|error|message|detail|failure|cause/i;

/** The user's own words, which the service only repeats. */
const echoes = /^(?:metadata|tags|title|description|content|subtitle|watermark)$/i;

const record = z.record(z.string(), z.unknown());

/** Strings under keys such as `reason`, `error` or `message`, at most `depth` levels of objects and lists down, each once. */
export function errorTexts(value: unknown, depth = 2): string[] {
    return [...new Set(collect(value, depth).filter((text) => text.trim() !== ""))].slice(0, 5);
}

function collect(value: unknown, depth: number): string[] {
    if (depth === 0) return [];
    // One object for each field that is wrong.
    if (Array.isArray(value)) return value.slice(0, 5).flatMap((item) => collect(item, depth - 1));
    const { data: object } = record.safeParse(value);
    if (object === undefined) return [];
    return Object.entries(object).flatMap(([key, inner]) => {
        if (echoes.test(key)) return [];
        return telling.test(key) ? said(inner, depth) : collect(inner, depth - 1);
    });
}

/** The text under a known key: a string, an object with a message, or a list of these. */
function said(value: unknown, depth: number): string[] {
    if (typeof value === "string") return [value];
    if (Array.isArray(value)) return value.slice(0, 5).flatMap((item) => (depth > 0 ? said(item, depth - 1) : []));
    return collect(value, Math.max(depth - 1, 1));
}
