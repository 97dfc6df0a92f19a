/** S3, with a generator: a service that quotes random secrets in every encoding. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Redactor, SharedSecrets } from "../../../provider/dist/api/redact.js";
import { encodings } from "../../secrets/encodings.ts";

/** Texts as people write titles, with everything that an encoding changes. Long enough that a part of them tells something. */
const parts = `R&D|ä|é|<b>|"x"|it's|100%|a/b|c:\\d|e+f|  |%41|&amp;|日本|😀|x_1`.split("|");
const secretText = fc
    .array(fc.constantFrom(...parts), { minLength: 3, maxLength: 8 })
    .map((some) => some.join(" ").trim())
    .filter((text) => text.replace(/\s+/g, " ").length >= 16 && !/\s{4}/.test(text));
/** What is around a quotation. */
const around = fc.constantFrom(
    ["cannot accept '", "'"],
    ['{"message":"bad title ', '"}'],
    ["<p>", "</p>"],
    ["title is ", ", and so on"],
    ["", ""],
    ["The value ", " is too long"],
);

describe("redaction of generated secrets", () => {
    const cut = (name: string) => name.startsWith("cut");
    /** What is left of an escape that was cut off. */
    const partOfEscape = /(?:%[0-9a-f]{0,2})*(?=(?:\.\.\.)?'?$)/i;

    const more = {
        "a part of a URL, in lower case": (text: string) =>
            encodeURIComponent(text).replace(/%../g, (part) => part.toLowerCase()),
        "a whole URL": encodeURI,
    };
    for (const [name, encode] of Object.entries({ ...encodings, ...more }))
        it(`S3: leaves nothing of a secret that is quoted as ${name}`, () => {
            fc.assert(
                fc.property(secretText, around, (secret, [before, after]) => {
                    // What was cut off ends a text or a quotation.
                    if (cut(name) && after !== "'" && after !== "") return;
                    // Its own apostrophe may end the quotation as well.
                    if (cut(name) && secret.includes("'")) return;
                    const own = new Redactor([{ name: "it", value: secret }]);
                    // Another resource has it too, or alone.
                    const shared = new SharedSecrets();
                    shared.join(own, "its resource");
                    for (const [redactor, shown] of [
                        [own, "it"],
                        [shared.join(own), "it"],
                        [shared.join(new Redactor([{ name: "title", value: "another" }])), "it of another resource"],
                    ] as const) {
                        const clean = redactor.redact(`${before}${encode(secret)}${after}`);
                        const rest = cut(name) ? clean.replace(partOfEscape, "").replace("...", "") : clean;
                        assert.equal(rest, `${before}[${shown}]${after}`);
                    }
                }),
                { numRuns: 60 },
            );
        });

    it("X6: changes no text that has no secret", () => {
        const plain = "must not name|a policy|twice|profile|2|of|12 %|(id 7)".split("|");
        const texts = fc.array(fc.constantFrom(...plain), { maxLength: 9 }).map((words) => words.join(" "));
        fc.assert(
            fc.property(texts, secretText, (text, secret) => {
                const own = new Redactor([{ name: "it", value: secret }]);
                const shared = new SharedSecrets();
                assert.equal(shared.join(own, "its resource").redact(text), text);
                assert.equal(shared.join(new Redactor([])).redact(text), text);
            }),
            { numRuns: 200 },
        );
    });

    it("X6: takes no short text of another resource for one, and finds those of many", () => {
        const shared = new SharedSecrets();
        for (let index = 0; index < 2_000; index++) {
            const url = `https://media.example.com/videos/${index}.mp4?sig=${index}abcdefghij`;
            const values = ["unsupported", `Launch film no. ${index}`, url];
            shared.join(new Redactor(values.map((value) => ({ name: "title", value }))), `resource ${index}`);
        }
        const redactor = shared.join(new Redactor([]));
        const text = "unsupported codec in launch film no. 77, as in https://media.example.com/videos/78.mp4";
        const hidden = "[title of another resource]";
        assert.equal(redactor.redact(text), `unsupported codec in ${hidden}, as in ${hidden}`);
    });
});
