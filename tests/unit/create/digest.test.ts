/** The digests of journal entries and markers: what is the same, without saying what it is. */
import assert from "node:assert/strict";
import { inputsDigest, titleDigest } from "../../../provider/dist/evidence/digest.js";

describe("the digest of a value", () => {
    const value = [["subtitle", [{ languageCode: "fr", url: "https://a.test/fr.vtt" }]]];
    const digest = (one: unknown) => inputsDigest(one, "key");

    it("does not depend on the order of keys", () => {
        const other = [["subtitle", [{ url: "https://a.test/fr.vtt", languageCode: "fr" }]]];
        assert.equal(digest(other), digest(value));
    });

    it("depends on the order of items, on every value and on every key", () => {
        const others = [
            [["subtitle", [{ languageCode: "de", url: "https://a.test/fr.vtt" }]]],
            [["subtitle", [{ code: "fr", url: "https://a.test/fr.vtt" }]]],
            [["subtitle", []]],
            [["subtitle", null]],
        ];
        const digests = [value, ...others, [1, 2], [2, 1]].map(digest);
        assert.equal(new Set(digests).size, digests.length);
    });

    it("S3: cannot be compared with that of another create", () => {
        assert.notEqual(inputsDigest(value, "one"), inputsDigest(value, "two"));
    });

    it("is the same for titles that a service may rewrite", () => {
        assert.equal(titleDigest("  A\u0301  b "), titleDigest("\u00c1 b"));
        assert.notEqual(titleDigest("a"), titleDigest("A"));
    });
});
