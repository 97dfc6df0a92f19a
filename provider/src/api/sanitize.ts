/** Makes one short, harmless line out of whatever text the service sent, for use inside an error message. */
import { toUSVString } from "node:util";
import type { Redactor } from "./redact";

const maxCharacters = 300;

/** Longer texts are pages, not messages; they are not worth a scan. */
const maxInputCharacters = 256 * 1024;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The text without markup, secrets, line breaks and control characters, at most 300 characters; "" when nothing is left. */
export function sanitize(text: string, redactor: Redactor): string {
    if (text.length > maxInputCharacters) return "";
    // Secrets are removed first, while they are whole, and again once entities no longer hide them.
    const clean = redactor.redact(stripMarkup(redactor.redact(text)));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach the user's terminal
    const line = clean.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, " ");
    const single = line.replace(/ +/g, " ").trim();
    return single.length > maxCharacters
        ? `${single
              .slice(0, maxCharacters - 1)
              .replace(/[\ud800-\udbff]$/, "")
              .trimEnd()}…`
        : single;
}

const markup = /<(?:!doctype|html|head|body|title|h\d|p|div|br|pre|center|\?xml)\b/i;

/** Of a gateway's page its text, with the title first. */
function stripMarkup(text: string): string {
    if (!markup.test(text)) return text;
    const visible = text.replace(/<(script|style|svg)\b.*?(?:<\/\1>|$)/gis, " ").replace(/<[^<>]*>/g, " ");
    return decodeEntities(visible);
}

function decodeEntities(text: string): string {
    return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        return code <= 0x10ffff ? toUSVString(String.fromCodePoint(code)) : "";
    });
}
