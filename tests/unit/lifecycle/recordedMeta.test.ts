/** `__meta` of the outputs: read as it was written, and whatever else stands there. */
import assert from "node:assert/strict";
import { metaOf, newMeta } from "../../../provider/dist/inputs/recordedMeta.js";

describe("what is recorded beside the outputs", () => {
    const full = { v: 1, fingerprint: "e", mark: "m", imported: true, unfinished: true, unseen: 5, handled: ["s"] };

    it("S4: is read as it was written", () => {
        assert.deepEqual(metaOf({ __meta: full }), full);
        assert.equal("mark" in newMeta("e", undefined), false);
    });

    it("S4: is nothing where it is missing, or is nothing that this version knows", () => {
        const odd = {
            v: "1",
            fingerprint: 1,
            mark: 1,
            imported: "yes",
            unfinished: 1,
            unseen: "5",
            handled: 1,
            later: true,
        };
        for (const __meta of [undefined, null, "text", 5, [], true, odd])
            assert.deepEqual(JSON.parse(JSON.stringify(metaOf({ __meta }))), { v: 1, fingerprint: "" });
    });

    it("S4: is refused where a newer version has written it", () => {
        assert.throws(() => metaOf({ __meta: { ...full, v: 2 } }), /newer version.*Upgrade the package/);
    });
});
