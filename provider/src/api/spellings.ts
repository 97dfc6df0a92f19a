/**
 * Finds a value in a text, however the text spells it: escaped as in JSON, URLs, forms or HTML, once or several times, in another case or Unicode
 * form, with other spaces, or cut off. Value and text are brought to the same form, which remembers the place of each character in the text.
 */

/** A text in the form that is compared. `starts` and `ends`: the range of each UTF-16 unit in the original text. */
export interface Form {
    text: string;
    starts: number[];
    ends: number[];
}

export interface Range {
    start: number;
    end: number;
}

/** A value to look for. */
export interface Needle {
    /** The forms that the value can have in a text. */
    forms: readonly string[];
    /** Characters that must not be next to it: "on" is a part of many words, and six digits of many numbers. */
    edge: RegExp | undefined;
    /** The number of characters at its beginning that identify nothing: those of a URL's origin. */
    origin: number;
    /** The number of other characters that identify it where the rest is cut off. */
    shortest: number;
}

/** The number of times that a text may be escaped. */
const maxLayers = 4;

/** The forms of a text, from the text as it is to the one without any escapes. */
export function formsOf(text: string): Form[] {
    const units = Array.from({ length: text.length }, (_, index) => index);
    let form: Form = { text, starts: units, ends: units.map((index) => index + 1) };
    const forms = [folded(form)];
    for (let layer = 0; layer < maxLayers; layer++) {
        const next = unescaped(form);
        if (next === undefined) break;
        form = next;
        forms.push(folded(form));
    }
    return forms;
}

export function needleOf(value: string, options: Omit<Needle, "forms">): Needle {
    const forms = formsOf(value).map(({ text }) => text.trim());
    return { forms: [...new Set(forms)].filter((form) => form !== ""), ...options };
}

/** The ranges of the text that hold the value. */
export function rangesOf(needle: Needle, forms: readonly Form[]): Range[] {
    return forms.flatMap((form) => needle.forms.flatMap((text) => [...rangesIn(form, text, needle)]));
}

/** The characters after a text that was cut off, perhaps in the middle of an escape. */
const afterCut =
    /^(?:\\u?[0-9a-f]{0,3}|&#?\w{0,6}|\ufffd?(?:%[0-9a-f]?)?)(?:$| ?\u2026| ?\.\.\.|["'`<>)\]}\u00bb\u201d\u2019])/i;
/** The length from which on a part is hidden wherever it stands: a service may quote the middle of a value, or garble a character of it. */
const telling = 12;
/** The characters before a text whose beginning was cut off. */
const beforeCut = /(?:^|\u2026 ?|\.\.\. ?)$/;

/** The whole value; its beginning where the text, or a quotation in it, ends; its end where one begins; or a long part of it. */
function* rangesIn({ text, starts, ends }: Form, value: string, { edge, origin, shortest }: Needle): Generator<Range> {
    const range = (at: number, after: number) => ({ start: starts[at] ?? 0, end: ends[after - 1] ?? 0 });
    const isPartOfWord = (at: number, after: number) =>
        edge !== undefined && (edge.test(lastOf(text.slice(0, at))) || edge.test(firstOf(text.slice(after))));
    const head = value.slice(0, origin + shortest);
    for (const at of placesOf(head, text)) {
        let after = at + head.length;
        while (after - at < value.length && text[after] === value[after - at]) after++;
        const isWhole = after - at === value.length;
        if (isWhole ? !isPartOfWord(at, after) : afterCut.test(text.slice(after, after + 12))) yield range(at, after);
    }
    for (const { at, length, isEnd } of partsIn(text, value, origin)) {
        const isCut = isEnd && length >= shortest && beforeCut.test(text.slice(Math.max(0, at - 4), at));
        if (isCut || length >= telling) yield range(at, at + length);
    }
}

/** The length of the parts that are looked up. */
const pieceLength = 4;
/** The number of places of one part that count, because a value may repeat one character. */
const maxPlaces = 8;

/** The parts that the text shares with the value behind `from`. */
function* partsIn(text: string, value: string, from: number) {
    const places = new Map<string, number[]>();
    for (let place = from; place + pieceLength <= value.length; place += pieceLength) {
        const piece = value.slice(place, place + pieceLength);
        const known = places.get(piece) ?? [];
        if (known.length < maxPlaces) places.set(piece, [...known, place]);
    }
    for (let next = 0; next < text.length; next++)
        for (const place of places.get(text.slice(next, next + pieceLength)) ?? []) {
            let before = 0;
            while (place - before > from && text[next - before - 1] === value[place - before - 1]) before++;
            let after = pieceLength;
            while (place + after < value.length && text[next + after] === value[place + after]) after++;
            const length = before + after;
            yield { at: next - before, length, isEnd: place + after === value.length };
            if (length < telling) continue;
            // The text after the part is looked at next.
            next += after - 1;
            break;
        }
}

function* placesOf(part: string, text: string): Generator<number> {
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) yield at;
}

function lastOf(text: string): string {
    return Array.from(text.slice(-2)).at(-1) ?? "";
}

function firstOf(text: string): string {
    return Array.from(text.slice(0, 2))[0] ?? "";
}

const escapes =
    /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([nrtbf"'\\/])|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos|nbsp);|((?:%[0-9a-f]{2})+)/gi;

const named: Readonly<Record<string, string>> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    n: "\n",
    r: "\r",
    t: "\t",
    b: "\b",
    f: "\f",
};

/** The form without one layer of escapes; `undefined` where there is none. */
function unescaped({ text, starts, ends }: Form): Form | undefined {
    const form: Form = { text: "", starts: [], ends: [] };
    const put = (chars: string, from: number, to: number) => append(form, chars, starts[from] ?? 0, ends[to - 1] ?? 0);
    let at = 0;
    const copy = (to: number) => {
        for (; at < to; at++) put(text[at] ?? "", at, at + 1);
    };
    for (const match of text.matchAll(escapes)) {
        const [whole, unicode, byte, letter, hex, decimal, entity, percent] = match;
        copy(match.index);
        const to = at + whole.length;
        if (percent !== undefined)
            for (const { chars, length } of decodedBytes(percent, cutEscape.test(text.slice(to, to + 4)))) {
                put(chars, at, at + length);
                at += length;
            }
        else {
            const code = Number.parseInt(unicode ?? byte ?? hex ?? decimal ?? "", decimal === undefined ? 16 : 10);
            const name = letter ?? entity?.toLowerCase();
            if (name !== undefined) put(named[name] ?? name, at, to);
            else
                put(
                    code <= 0x10ffff ? (unicode ? String.fromCharCode(code) : String.fromCodePoint(code)) : whole,
                    at,
                    to,
                );
        }
        at = to;
    }
    if (at === 0) return undefined;
    copy(text.length);
    return form;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The characters after a percent-encoded character that was cut off. */
const cutEscape = /^(?:%[0-9a-f]?)?(?:$|\u2026|\.\.\.|["'])/i;

/** The characters of percent-encoded bytes: in UTF-8, else in Latin-1. `length`: that in the text. `isCut`: the last one may be incomplete. */
function* decodedBytes(percent: string, isCut: boolean): Generator<{ chars: string; length: number }> {
    const bytes = Buffer.from(percent.replaceAll("%", ""), "hex");
    for (let at = 0; at < bytes.length; ) {
        const first = bytes[at] ?? 0;
        const wanted = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        let [chars, count] = [String.fromCharCode(first), 1];
        try {
            [chars, count] = [utf8.decode(bytes.subarray(at, at + wanted)), Math.min(wanted, bytes.length - at)];
        } catch {
            if (isCut && first >= 0xc0 && at + wanted > bytes.length) [chars, count] = ["\ufffd", bytes.length - at];
        }
        yield { chars, length: count * 3 };
        at += count;
    }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: services replace them by spaces
const space = /^[\s+\u0000-\u001f\u007f\u200b\ufeff]$/;

/** The text in one case and one Unicode form, with one space for several. Web forms encode a space as a plus sign. */
function folded({ text, starts, ends }: Form): Form {
    const form: Form = { text: "", starts: [], ends: [] };
    let at = 0;
    for (const char of text) {
        const [start, end] = [starts[at] ?? 0, ends[at + char.length - 1] ?? 0];
        at += char.length;
        const isPlain = /[!-*,-~]/.test(char);
        const isSpace = !isPlain && space.test(char);
        if (isSpace && form.text.endsWith(" ")) {
            form.ends[form.ends.length - 1] = end;
            continue;
        }
        // Most characters are plain, and normalizing takes long.
        const chars = isSpace ? " " : isPlain ? char.toLowerCase() : char.normalize("NFKD").toUpperCase().toLowerCase();
        append(form, chars, start, end);
    }
    return form;
}

/** Appends characters, which are all of one range of the original. */
function append(form: Form, chars: string, start: number, end: number): void {
    form.text += chars;
    for (let unit = 0; unit < chars.length; unit++) {
        form.starts.push(start);
        form.ends.push(end);
    }
}
