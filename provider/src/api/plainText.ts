/** Makes one short, harmless line out of whatever text the service sent, for use inside an error message. */
import { toUSVString } from "node:util";
import type { Redactor } from "./redact";

const longest = 300;

/** Longer texts are pages, not messages; they are not worth a scan. */
const longestInput = 256 * 1024;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The text without markup, secrets, line breaks and control characters, at most 300 characters; "" when nothing is left. */
export function plainText(text: string, redactor: Redactor): string {
    if (text.length > longestInput) return "";
    // Secrets are taken out first, while they are whole, and again once entities no longer hide them.
    const clean = redactor.redact(stripMarkup(redactor.redact(text)));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach the user's terminal
    const line = clean.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, " ");
    const single = line.replace(/ +/g, " ").trim();
    return single.length > longest ? `${toUSVString(single.slice(0, longest - 1)).trimEnd()}…` : single;
}

function stripMarkup(text: string): string {
    if (!/<(?:!doctype|html|head|body|title|h\d|p|div|br|pre|center|\?xml)\b/i.test(text)) return text;
    const title = element(text, "title");
    const body = withoutElements(text, ["head", "script", "style", "title", "svg"]);
    const visible = decodeEntities(body.replace(/<[^<>]*>/g, " ")).trim();
    const heading = title === undefined ? "" : decodeEntities(title).trim();
    return heading === "" || visible.startsWith(heading) ? visible : `${heading} ${visible}`;
}

/** The content of the first such element. */
function element(text: string, name: string): string | undefined {
    const lower = text.toLowerCase();
    const open = lower.indexOf(`<${name}`);
    const start = open < 0 ? -1 : lower.indexOf(">", open);
    const end = start < 0 ? -1 : lower.indexOf(`</${name}`, start);
    return end < 0 ? undefined : text.slice(start + 1, end);
}

function withoutElements(text: string, names: string[]): string {
    let left = text;
    for (const name of names) {
        const lower = left.toLowerCase();
        const kept: string[] = [];
        let from = 0;
        for (;;) {
            const open = lower.indexOf(`<${name}`, from);
            const end = open < 0 ? -1 : lower.indexOf(`</${name}`, open);
            if (end < 0) break;
            // "<head" must not also mean "<header".
            if (/[a-z0-9-]/.test(lower[open + name.length + 1] ?? "")) {
                kept.push(left.slice(from, open + name.length + 1));
                from = open + name.length + 1;
                continue;
            }
            kept.push(left.slice(from, open), " ");
            from = end + name.length + 2;
        }
        left = kept.join("") + left.slice(from);
    }
    return left;
}

function decodeEntities(text: string): string {
    return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        return code <= 0x10ffff ? toUSVString(String.fromCodePoint(code)) : "";
    });
}
