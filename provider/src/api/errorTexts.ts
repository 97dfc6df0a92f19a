/** The places of the service's own words for a person in an answer. */
import { isObject } from "./json";

const telling = /reason|error|message|detail|failure|cause/i;

/** The user's own words, which the service only repeats. */
const echoes = /^(?:metadata|tags|title|description|content|subtitle|watermark)$/i;

/**
 * The texts under keys such as `reason`, `error` or `message`, at most four levels of objects and lists down, without texts that another
 * one contains. The place of an error or a failure's reason is not documented.
 */
export function errorTexts(value: unknown): string[] {
    const texts = [...new Set(collect(value, 4, false))];
    return texts.filter((text) => !texts.some((other) => other !== text && other.includes(text))).slice(0, 5);
}

/** `isTelling`: whether the key above is a telling one. */
function collect(value: unknown, depth: number, isTelling: boolean): string[] {
    if (typeof value === "string") return isTelling && value.trim() !== "" ? [value] : [];
    if (depth === 0) return [];
    // A list may have one object for each wrong field.
    if (Array.isArray(value)) return value.slice(0, 5).flatMap((item) => collect(item, depth - 1, isTelling));
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([key, inner]) =>
        echoes.test(key) ? [] : collect(inner, depth - 1, telling.test(key)),
    );
}
