/** The service's own words for a person: their places in an answer, and their form as one short, harmless line of a message. */
import { isObject } from "./json";
import type { Redactor } from "./redact";

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

const maxCharacters = 300;

/** The longest text that is scanned: longer ones are pages, not messages. */
const maxInputCharacters = 256 * 1024;

/** The number of characters that are scanned: nothing behind them is shown. */
const maxScanned = 16 * 1024;

const markup = /<(?:!doctype|html|head|body|title|h\d|p|div|br|pre|center|\?xml)\b/i;

/** The text without secrets, line breaks and control characters, at most 300 characters; for a gateway's page, its title. */
export function quotable(text: string, redactor: Redactor): string {
    if (text.length > maxInputCharacters) return "";
    const words = markup.test(text) ? (/<title[^<>]*>([^<]*)/i.exec(text)?.[1] ?? "") : text;
    const line = redactor
        .redact(words.slice(0, maxScanned))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach the user's terminal
        .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, " ")
        .trim();
    return line.length > maxCharacters
        ? `${line
              .slice(0, maxCharacters - 1)
              .replace(/[\ud800-\udbff]$/, "")
              .trimEnd()}…`
        : line;
}
