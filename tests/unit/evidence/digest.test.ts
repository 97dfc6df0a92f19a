/** The digests of journal entries and markers: what is the same, without saying what it is. */
import assert from "node:assert/strict";
import { digestOfInputs, digestOfTitle } from "../../../provider/dist/evidence/digest.js";

describe("the digest of a value", () => {
    const value = [["subtitle", [{ languageCode: "fr", url: "https://a.test/fr.vtt" }]]];

    it("depends on the order of items, on every value and on every key, and not on the order of keys", () => {
        const same = [["subtitle", [{ url: "https://a.test/fr.vtt", languageCode: "fr" }]]];
        const others = [
            [["subtitle", [{ languageCode: "de", url: "https://a.test/fr.vtt" }]]],
            [["subtitle", [{ code: "fr", url: "https://a.test/fr.vtt" }]]],
            [["subtitle", []]],
            [["subtitle", null]],
        ];
        const digests = [value, same, ...others, [1, 2], [2, 1]].map((one) => digestOfInputs(one, "key"));
        assert.equal(digests[0], digests[1]);
        assert.equal(new Set(digests).size, digests.length - 1);
    });

    it("S3: cannot be compared with that of another create", () => {
        assert.notEqual(digestOfInputs(value, "one"), digestOfInputs(value, "two"));
    });

    const long = "The long way round ".repeat(20);
    for (const [what, kept, written] of [
        ["trimmed, and composed", "\u00c1 b", "  A\u0301  b "],
        ["escaped for HTML", "Rock &amp; Roll &#39;n&#x27; &lt;more&gt;", "Rock & Roll 'n' <more>"],
        ["in lower case", "my trailer", "My Trailer"],
        ["cut", long.slice(0, 100), long],
    ] as const)
        it(`is the same for a title that a service keeps ${what}`, () =>
            assert.equal(digestOfTitle(kept), digestOfTitle(written)));

    it("is another one for another title", () => assert.notEqual(digestOfTitle("Part 1"), digestOfTitle("Part 2")));
});
