/** The spellings of a text. A service repeats what it was sent escaped as in JSON, URLs, forms or HTML, with tags in it, in capitals, or in another Unicode form. */

/** The number of times that a text may be escaped. */
const maxLayers = 4;

const escapes =
    /((?:%[0-9a-f]{2})+)|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|\\([nrtbf"'\\/])|&(amp|lt|gt|quot|apos|nbsp);|<\/?[a-z][^<>]{0,100}>/gi;

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Web forms encode a space as a plus sign, and services replace control characters by spaces. */
const space = /[\s\p{Cc}\p{Cf}+]+/gu;

/** The text in one case and one Unicode form: as it is, and without one to four layers of escapes. */
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

/** The letters and digits of a spelling, which are in it however the rest of it is written. */
export function folded(spelling: string): string {
    return spelling.replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The text without one layer of escapes. `charset`: that of the bytes in URLs. */
function unescaped(text: string, charset: "utf8" | "latin1"): string {
    return text.replace(escapes, (whole: string, ...groups: (string | undefined)[]) => {
        const [percent, unicode, byte, hex, decimal, letter, entity] = groups;
        if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString(charset);
        if (letter !== undefined) return "nrtbf".includes(letter) ? " " : letter;
        if (entity !== undefined) return named[entity.toLowerCase()] ?? "";
        const digits = unicode ?? byte ?? hex ?? decimal;
        // A tag.
        if (digits === undefined) return "";
        const code = Number.parseInt(digits, decimal === undefined ? 16 : 10);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
