/** S3: what a value is in each encoding that it may be echoed in, and which part of the original that is. */
import assert from "node:assert/strict";
import { decodings } from "../../../provider/dist/api/decode.js";
import { Redactor } from "../../../provider/dist/api/redact.js";

const texts = (original: string) => decodings(original).map(({ text }) => text);
/** The text with one layer of encoding less; undefined when there is none. */
const once = (original: string) => texts(original)[1];
/** The parts of the original that the units of the text with one layer less come from. */
const parts = (original: string) => {
    const [, layer] = decodings(original);
    return [...(layer?.start.entries() ?? [])].map(([unit, from]) => original.slice(from, layer?.end[unit]));
};

describe("decoding", () => {
    it("begins with the text itself in lower case, each unit from its own place", () => {
        assert.deepEqual(decodings("aB "), [{ text: "ab ", start: [0, 1, 2], end: [1, 2, 3] }]);
        assert.deepEqual(decodings(""), [{ text: "", start: [], end: [] }]);
    });

    for (const [encoded, plain] of [
        ["%41%62", "ab"],
        ["%C3%A9", "é"],
        ["%c3", "\ufffd"],
        ["x%3ay%3Az", "x:y:z"],
        ["\\u0041\\u00E9", "aé"],
        ["\\uD83D\\uDE00", "😀"],
        ["\\uD801\\uDC00", "𐐨"],
        ["\\u004", "u004"],
        ["&#65;", "a"],
        ["&#0000065;", "a"],
        ["&#x41;", "a"],
        ["&#X000041;", "a"],
        ["&#x10ffff;", "\u{10ffff}"],
        ["&#1114111;", "\u{10ffff}"],
        ["&#x110000;", "&#x110000;"],
        ["&#1114112;", "&#1114112;"],
        ["&lt;&gt;&quot;&apos;&AMP;", "<>\"'&"],
        ["\\b\\f\\n\\r\\t\\v", "\b\f\n\r\t\v"],
        ['\\"\\\\\\/\\x', '"\\/x'],
        ["\\\n", "\n"],
        ["a+b", "a b"],
    ] as const) {
        it(`undoes ${JSON.stringify(encoded)}`, () => assert.equal(once(encoded), plain));
    }

    for (const text of [
        "%4g",
        "%g4",
        "%4",
        "u0041",
        "&#00000065;",
        "&#x0000041;",
        "&#;",
        "&#x;",
        "&#x4g;",
        "&#6a;",
        "&nbsp;",
        "&amp",
        "amp;",
        "\\",
    ]) {
        it(`leaves ${JSON.stringify(text)} alone`, () => assert.equal(once(text), undefined));
    }

    it("goes on from layer to layer, six in all", () => {
        assert.deepEqual(texts("%2541"), ["%2541", "%41", "a"]);
        assert.deepEqual(texts("\\\\u0041&amp;%2B"), ["\\\\u0041&amp;%2b", "\\u0041&+", "a& "]);
        const deep = `%${"25".repeat(7)}41`;
        assert.deepEqual(
            texts(deep),
            [7, 6, 5, 4, 3, 2].map((times) => `%${"25".repeat(times)}41`),
        );
    });

    it("knows the place of each unit, also after several layers", () => {
        assert.deepEqual(parts("x%41%42y\\u0043\\u0044&lt;z+\\n-"), [
            ...["x", "%41", "%42", "y", "\\u0043", "\\u0044", "&lt;", "z", "+", "\\n", "-"],
        ]);
        const original = "a%2541%26lt;z";
        const layer = decodings(original).at(-1);
        assert.equal(layer?.text, "aa<z");
        assert.deepEqual(
            layer?.start.map((from, unit) => original.slice(from, layer.end[unit])),
            ["a", "%2541", "%26lt;", "z"],
        );
    });

    it("has a unit stand for its whole run where codes and units are not as many", () => {
        const run = "%3a%c3%a9%3a";
        assert.deepEqual(parts(`(${run})`), ["(", run, run, run, ")"]);
        // Here the run is a whole number of times as long as its text: that says nothing about the places in it.
        const longer = "%3d%3d%3d%3d%e5%af%86%e7%a0%81";
        assert.deepEqual(parts(longer), Array(6).fill(longer));
        assert.deepEqual(parts("&#x1f600;"), ["&#x1f600;", "&#x1f600;"]);
    });

    it("leaves nothing of a value to be seen whose place in a run is not known", () => {
        const redactor = new Redactor([{ name: "it", value: "密码密码" }]);
        for (let before = 0; before < 12; before++) {
            for (let after = 0; after < 12; after++) {
                const run = encodeURIComponent(`${"=".repeat(before)}密码密码${"é".repeat(after)}`);
                assert.equal(redactor.redact(`see ${run}.`), "see [it].", run);
            }
        }
    });

    it("writes every letter small without moving another", () => {
        for (const [text, small] of [
            ["ÀΣ", "àσ"],
            ["ΑΣ ς", "ασ σ"],
            // This one has a small form of two units, so it stays.
            ["İAÉΣ ΑΣ ςz", "İaéσ ασ σz"],
            ["İ😀Z\n𐐀", "İ😀z\n𐐨"],
            ["𐐀ΑΣ", "𐐨ασ"],
        ] as const) {
            assert.deepEqual(texts(text), [small]);
            assert.equal(small.length, text.length);
        }
    });
});
