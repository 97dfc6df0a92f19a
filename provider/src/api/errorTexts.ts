/** Finds the texts in an answer that tell a person what went wrong. The service does not document where they stand. */
import { isObject } from "./json";

const telling = /reason|error|message|detail|failure|cause/i;

/** The keys of the user's own values. The service repeats them in answers, and they explain no error. */
const echoes = /^(?:metadata|tags|title|description|content|subtitle|watermark)$/i;

/** The texts under keys such as `reason`, `error` or `message`, at most four levels deep. A text that is part of another one is left out. */
export function errorTexts(value: unknown): string[] {
    const texts = [...new Set(collect(value, 4, false))];
    return texts.filter((text) => !texts.some((other) => other !== text && other.includes(text))).slice(0, 5);
}

/** The telling texts in a value, at most `depth` levels deep. `isTelling`: whether the value stands under a key such as `error`. */
function collect(value: unknown, depth: number, isTelling: boolean): string[] {
    if (typeof value === "string") return isTelling && value.trim() !== "" ? [value] : [];
    if (depth === 0) return [];
    // An error may be a list with one object for each wrong field.
    if (Array.isArray(value)) return value.slice(0, 5).flatMap((item) => collect(item, depth - 1, isTelling));
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([key, inner]) =>
        echoes.test(key) ? [] : collect(inner, depth - 1, telling.test(key)),
    );
}
