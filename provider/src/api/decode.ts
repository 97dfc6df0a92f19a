/**
 * Undoes the encodings in which a value may be echoed: JSON, URLs and HTML, nested and partial. A secret in any of them is
 * then found as plain text, and its position in the original is kept.
 */

/** A text in lower case; unit `i` of it came from `start[i]` to `end[i]` of the original. */
export interface Decoded {
    readonly text: string;
    readonly start: readonly number[];
    readonly end: readonly number[];
}

/** JSON inside JSON inside a URL inside HTML, and one more. */
const mostPasses = 6;

/** The text itself, then with one layer of encoding removed at a time, until none is left. */
export function decodings(original: string): Decoded[] {
    const text = lowerCase(original);
    const start = Array.from({ length: text.length }, (_, index) => index);
    const layers: Decoded[] = [{ text, start, end: start.map((index) => index + 1) }];
    for (let layer = layers[0]; layer !== undefined && layers.length < mostPasses; ) {
        layer = undo(layer);
        if (layer !== undefined) layers.push(layer);
    }
    return layers;
}

const encoded =
    /(?<percent>(?:%[0-9a-f]{2})+)|(?<unicode>(?:\\u[0-9a-f]{4})+)|&(?:#(?<decimal>\d{1,7})|#x(?<hex>[0-9a-f]{1,6})|(?<entity>amp|lt|gt|quot|apos));|\\(?<escaped>.)|\+/gs;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Undefined when there is nothing to undo. */
function undo(layer: Decoded): Decoded | undefined {
    const pieces: string[] = [];
    const start: number[] = [];
    const end: number[] = [];
    let done = 0;
    const keep = (until: number) => {
        pieces.push(layer.text.slice(done, until));
        for (let index = done; index < until; index++) {
            start.push(layer.start[index] ?? 0);
            end.push(layer.end[index] ?? 0);
        }
    };
    for (const match of layer.text.matchAll(encoded)) {
        keep(match.index);
        done = match.index + match[0].length;
        const groups = match.groups ?? {};
        const plain = lowerCase(decode(match[0], groups));
        // The units of a run have their places in it when there are as many as there are codes; else each stands for all.
        const step = groups.percent === undefined ? 6 : 3;
        const exact = plain.length * step === match[0].length;
        for (let unit = 0; unit < plain.length; unit++) {
            const from = exact ? match.index + unit * step : match.index;
            const until = exact ? from + step : done;
            start.push(layer.start[from] ?? 0);
            end.push(layer.end[until - 1] ?? 0);
        }
        pieces.push(plain);
    }
    if (done === 0) return undefined;
    keep(layer.text.length);
    return { text: pieces.join(""), start, end };
}

function decode(whole: string, groups: Record<string, string | undefined>): string {
    const { percent, unicode, decimal, hex, entity, escaped } = groups;
    if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString("utf8");
    if (unicode !== undefined) {
        const units = unicode.split("\\u").slice(1);
        return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
    }
    if (entity !== undefined) return entities[entity] ?? whole;
    if (escaped !== undefined) return escapes[escaped] ?? escaped;
    if (decimal === undefined && hex === undefined) return " "; // A plus sign, as a form has for a space.
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** Letter by letter: some lower-case letters have another length, and a sigma differs at the end of a word. */
function lowerCase(text: string): string {
    const lower = text.toLowerCase();
    const inPlace = lower.length === text.length ? lower : text.replace(/./gsu, smallInPlace);
    return inPlace.replaceAll("ς", "σ");
}

function smallInPlace(letter: string): string {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
}
