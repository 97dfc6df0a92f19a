/** The digests of journal entries: what is the same object, and what an entry of an older build has. */
import assert from "node:assert/strict";
import { digest, valueDigest } from "../../../provider/dist/lifecycle/create/digest.js";

describe("the digest of a value", () => {
    const value = [["subtitle", [{ languageCode: "fr", url: "https://a.test/fr.vtt" }]]];

    it("does not depend on the order of keys", () => {
        const other = [["subtitle", [{ url: "https://a.test/fr.vtt", languageCode: "fr" }]]];
        assert.equal(valueDigest(other), valueDigest(value));
    });

    it("depends on the order of items, on every value and on every key", () => {
        const others = [
            [["subtitle", [{ languageCode: "de", url: "https://a.test/fr.vtt" }]]],
            [["subtitle", [{ code: "fr", url: "https://a.test/fr.vtt" }]]],
            [["subtitle", []]],
            [["subtitle", null]],
        ];
        const digests = [value, ...others, [1, 2], [2, 1]].map(valueDigest);
        assert.equal(new Set(digests).size, digests.length);
    });

    it("is what builds up to 0.1 wrote, for keys in the order that the wire gives them", () => {
        assert.equal(valueDigest(value), digest(JSON.stringify(value)));
    });
});
