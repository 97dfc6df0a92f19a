/**
 * The spellings of a text. A service may quote a secret escaped as in JSON, a URL, a form or HTML, with tags in it, in capitals, or in another
 * Unicode form.
 */

/** How many layers of escapes are undone. JSON in a URL in JSON has three. */
const maxLayers = 4;

const escapes =
    /((?:%[0-9a-f]{2})+)|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|\\([nrtbf"'\\/])|&(amp|lt|gt|quot|apos|nbsp);|<\/?[a-z][^<>]{0,100}>/gi;

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** What counts as a space: also a plus sign, as web forms write it, and control characters, which services replace by spaces. */
const space = /[\s\p{Cc}\p{Cf}+]+/gu;

/** Returns the text as it is, and without one to four layers of escapes, all in capitals and in one Unicode form. */
export function spellingsOf(text: string): string[] {
    const all = new Set<string>();
    for (const charset of ["utf8", "latin1"] as const) {
        let layer = text;
        for (let count = 0, before = ""; count <= maxLayers && layer !== before; count++) {
            all.add(layer.normalize("NFKD").toUpperCase().replace(space, " "));
            [before, layer] = [layer, unescaped(layer, charset)];
        }
    }
    return [...all];
}

/** Returns only the letters and digits of a spelling: a service may change all other signs. */
export function folded(spelling: string): string {
    return spelling.replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The text with one layer of escapes undone. `charset`: the encoding of percent-encoded bytes. */
function unescaped(text: string, charset: "utf8" | "latin1"): string {
    return text.replace(escapes, (whole: string, ...groups: (string | undefined)[]) => {
        const [percent, unicode, byte, hex, decimal, letter, entity] = groups;
        if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString(charset);
        if (letter !== undefined) return "nrtbf".includes(letter) ? " " : letter;
        if (entity !== undefined) return named[entity.toLowerCase()] ?? "";
        const digits = unicode ?? byte ?? hex ?? decimal;
        // No group has matched, so this is a tag of HTML. It is dropped.
        if (digits === undefined) return "";
        const code = Number.parseInt(digits, decimal === undefined ? 16 : 10);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
