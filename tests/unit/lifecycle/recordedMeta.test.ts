/** What the outputs remember beside what the user sees: written as it is read, and read whatever was written. */
import assert from "node:assert/strict";
import { metaOf, newMeta, recordedMeta } from "../../../provider/dist/inputs/recordedMeta.js";

const full = {
    ...{
        v: 1,
        env: "e",
        marker: "pulumi:p/s/n:11111111-22222222-33333333-0123456789ab",
        imported: true,
        unfinished: true,
        unseen: 5,
    },
};

describe("what is recorded beside the outputs", () => {
    it("S4: is read as it was written", () => {
        const { mark, ...rest } = recordedMeta(full);
        assert.equal(mark, full.marker);
        assert.ok(!("marker" in rest));
        assert.deepEqual(metaOf({ __meta: recordedMeta(full) }), full);
        assert.equal("mark" in recordedMeta(newMeta("e", undefined)), false);
        assert.deepEqual(newMeta("e", "m"), { v: 1, env: "e", marker: "m" });
    });

    it("S4: is read also where it is not there, or is nothing that this version knows", () => {
        const nothing = { v: 1, env: "", marker: undefined };
        assert.deepEqual(metaOf({}), nothing);
        for (const __meta of [null, "text", 5, [], true]) assert.deepEqual(metaOf({ __meta }), nothing);
        const odd = { v: "1", env: 1, mark: 1, imported: "yes", unfinished: 1, unseen: "5" };
        const { v, env, marker, ...rest } = metaOf({ __meta: { ...odd, later: true } });
        assert.deepEqual({ v, env, marker }, nothing);
        assert.deepEqual(
            Object.values(rest).filter((value) => value !== undefined),
            [],
        );
    });

    it("S4: is refused where a newer version has written it", () => {
        assert.throws(
            () => metaOf({ __meta: { ...full, v: 2 } }),
            /^LifecycleError: .*newer version.*Upgrade the package/,
        );
    });
});
