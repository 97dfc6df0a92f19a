/** `__meta` of the outputs. */
import assert from "node:assert/strict";
import { metaOf, newMeta } from "../../../provider/dist/inputs/recordedMeta.js";

describe("what is recorded beside the outputs", () => {
    it("S4: is read as it was written; a record of a newer version is refused", () => {
        const meta = { ...newMeta("e", "m"), imported: true, unseenSince: 5, handled: ["s"] };
        assert.deepEqual(metaOf({ __meta: meta }), meta);
        assert.equal("mark" in newMeta("e", undefined), false);
        for (const __meta of [undefined, null]) assert.deepEqual(metaOf({ __meta }), { v: 1, fingerprint: "" });
        assert.throws(() => metaOf({ __meta: { ...meta, v: 2 } }), /newer version.*Upgrade the package/);
    });
});
