/** S3, with a generator: a service that quotes random secrets in every encoding. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Redactor, SecretIndex } from "../../../provider/dist/secrets/redactor.js";
import { encodings } from "../../secrets/encodings.ts";

/** Texts as people write titles, with everything that an encoding changes: some of few letters. */
const parts = `R&D|ä|é|<b>|"x"|it's|100%|a/b|c:\\d|e+f|  |%41|&amp;|日本|😀|x_1|Launch|Москва`.split("|");
const secretText = fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 10 })
    .map((some) => some.join(" ").trim())
    .filter((text) => text !== "");
/** What is around a quotation. */
const around = fc.constantFrom(
    ["cannot accept '", "'"],
    ['{"message":"bad title ', '"}'],
    ["(", ")"],
    ["title is ", ", and so on"],
    ["", ""],
    ["The value ", " is too long"],
);
const letters = (text: string) => text.normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "").length;
/** Without those that are none where its own escapes are read. */
const sureLetters = (text: string) => letters(text.replace(/&amp;|%41|<b>/g, ""));
const notShown = (name: string) => `[not shown, because it may contain a secret: ${name}]`;

describe("generated secrets", () => {
    const more = {
        "a part of a URL, in lower case": (text: string) =>
            encodeURIComponent(text).replace(/%../g, (part) => part.toLowerCase()),
        "a whole URL": encodeURI,
        "with tags": (text: string) => text.replaceAll(" ", " <em>&nbsp;</em> "),
    };
    for (const [name, encode] of Object.entries({ ...encodings, ...more }))
        it(`S3: are not shown where they are quoted as ${name}`, () => {
            let short = 0;
            let long = 0;
            fc.assert(
                fc.property(secretText, around, (secret, [before, after]) => {
                    const isCut = name.startsWith("cut") || name === "with tags";
                    // The rest of what was cut off has to be long enough.
                    const quoted = isCut ? secret.slice(0, secret.length * 0.8 - 2) : secret;
                    const isLong = Math.min(sureLetters(quoted), sureLetters(secret)) >= 12;
                    if (isCut && !isLong) return;
                    const text = `${before}${encode(secret)}${after}`;
                    const own = new Redactor([{ name: "it", value: secret }]);
                    if (!isLong) {
                        short += 1;
                        // As it is, its name takes its place; else nothing is shown.
                        const shown = own.quote(text);
                        assert.ok(shown === notShown("it") || shown.startsWith(`${before}[it]`), `${secret}: ${shown}`);
                        const isPlain = encode(secret) === secret && letters(secret) < 12;
                        if (isPlain) assert.equal(shown, `${before}[it]${after}`);
                        return;
                    }
                    long += 1;
                    // As it is, its name takes its place; else nothing is shown.
                    const shown = text.includes(secret) ? text.replace(secret, "[it]") : notShown("it");
                    assert.equal(own.quote(text), shown);
                    // Another resource has it too, or alone.
                    const index = new SecretIndex(own.secrets());
                    const others = new Redactor([], { others: () => index });
                    assert.equal(others.with(own).quote(text), shown);
                    const another = others.with(new Redactor([{ name: "title", value: "another" }]));
                    assert.equal(another.quote(text), notShown("it of another resource"));
                }),
                { numRuns: 100 },
            );
            assert.ok(long > 10 && (short > 10 || name.startsWith("cut") || name === "with tags"));
        });

    it("S3: are not shown where any twelve letters of one are quoted, and are where fewer are", () => {
        const word = fc.string({
            unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789"),
            minLength: 12,
            maxLength: 60,
        });
        fc.assert(
            fc.property(word, fc.nat(), fc.integer({ min: 6, max: 14 }), (secret, place, length) => {
                const from = place % (secret.length - 11);
                const part = secret.slice(from, from + length);
                const own = new Redactor([{ name: "it", value: secret }]);
                const text = `Ж _${part}_ Ж`;
                const shown = part === secret ? "Ж _[it]_ Ж" : part.length >= 12 ? notShown("it") : text;
                assert.equal(own.quote(text), shown);
                const index = new SecretIndex(own.secrets());
                const other = new Redactor([], { others: () => index }).quote(text);
                assert.equal(other, part.length >= 12 ? notShown("it of another resource") : text);
            }),
            { numRuns: 500 },
        );
    });

    it("X6: leave a text without them as it is", () => {
        const plain = "must not name|a policy|twice|profile|2|of|12 %|(id 7)".split("|");
        const texts = fc.array(fc.constantFrom(...plain), { maxLength: 9 }).map((words) => words.join(" "));
        const secretTexts = secretText.filter((text) => sureLetters(text) > 1);
        fc.assert(
            fc.property(texts, secretTexts, (text, secret) => {
                const own = new Redactor([{ name: "it", value: secret }]);
                const index = new SecretIndex(own.secrets());
                assert.equal(own.quote(text), text);
                assert.equal(new Redactor([], { others: () => index }).quote(text), text);
            }),
            { numRuns: 200 },
        );
    });

    it("X6: of another resource are no short texts, and are found among many", () => {
        const index = new SecretIndex();
        for (let count = 0; count < 2_000; count++) {
            const url = `https://media.example.com/videos/launch/${count}.mp4?sig=${count}abcdefghij`;
            for (const value of ["unsupported", `Launch film no. ${count}`, url])
                index.add({ name: "title", value, isUnsure: true });
        }
        const redactor = new Redactor([], { others: () => index });
        assert.equal(redactor.quote("unsupported codec of launch film"), "unsupported codec of launch film");
        for (const text of [
            "launch film no. 77: no codec",
            "cannot read https://media.example.com/videos/launch/78.mp4",
        ])
            assert.equal(redactor.quote(text), notShown("title of another resource"));
    });
});
