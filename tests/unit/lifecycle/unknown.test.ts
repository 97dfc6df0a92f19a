/** Values that a preview does not know yet. */
import assert from "node:assert/strict";
import { hasUnknown, isUnknownAt, normalizeUnknowns } from "../../../provider/dist/inputs/unknown.js";

/** The engine's own, by type. */
const unknown = {
    text: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    flag: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    number: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    list: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    object: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
};

describe("unknown values", () => {
    it("of every type are one", () => {
        for (const value of Object.values(unknown)) assert.equal(normalizeUnknowns(value), unknown.text);
        assert.deepEqual(
            normalizeUnknowns({ tags: unknown.list, watermark: [{ url: unknown.flag, opacity: 1 }], title: "a" }),
            { tags: unknown.text, watermark: [{ url: unknown.text, opacity: 1 }], title: "a" },
        );
        assert.deepEqual(normalizeUnknowns([null, undefined, 0, { a: null }]), [null, undefined, 0, { a: null }]);
    });

    it("are found at any depth", () => {
        assert.equal(hasUnknown(unknown.text), true);
        assert.equal(hasUnknown([{ url: unknown.text }]), true);
        for (const known of [null, undefined, "a", 0, { a: null }, [{ url: "a" }]])
            assert.equal(hasUnknown(known), false);
    });

    it("are found by their path, and by that of what may be in them", () => {
        const value = { title: unknown.text, list: [unknown.text, { url: "a" }, null], known: "a" };
        const at = (...path: (string | number)[]) => isUnknownAt(value, path);
        assert.equal(at("title"), true);
        assert.equal(at("title", "any"), true);
        assert.equal(at("list", 0), true);
        assert.equal(at("list", 0, "url"), true);
        assert.equal(at("list", 1, "url"), false);
        assert.equal(at("list", 2, "url"), false);
        assert.equal(at("list"), false);
        assert.equal(at("known", "length", "any"), false);
        assert.equal(at("missing", "any"), false);
        assert.equal(isUnknownAt(unknown.text, []), true);
    });
});
