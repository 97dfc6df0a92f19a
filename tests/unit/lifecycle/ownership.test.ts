/** Which resource of a run manages which object (L8, S2). */
import assert from "node:assert/strict";
import { Managed } from "../../../provider/dist/lifecycle/index.js";

const shown = { id: "1", olds: { title: "One" } };

describe("the objects that a run knows", () => {
    let managed: Managed;
    beforeEach(() => {
        managed = new Managed();
    });

    it("L8: an object is the resource's that was noted, until it is forgotten", () => {
        managed.note("1", "urn:a");
        assert.equal(managed.by("1"), "urn:a");
        assert.equal(managed.by("2"), undefined);
        managed.forget("1");
        assert.equal(managed.by("1"), undefined);
    });

    it("L8: an operation without a URN takes no object from the resource that has it", () => {
        managed.note("1", "urn:a");
        managed.note("1", undefined);
        assert.equal(managed.by("1"), "urn:a");
        managed.noteRecorded(undefined, shown);
        assert.equal(managed.by("1"), "urn:a");
    });

    it("S2: a create replaces the object that the engine has shown for its URN", () => {
        assert.equal(managed.predecessorOf("urn:a"), undefined);
        managed.noteRecorded("urn:a", shown);
        assert.deepEqual(managed.predecessorOf("urn:a"), shown);
        assert.equal(managed.predecessorOf("urn:b"), undefined);
        assert.equal(managed.by("1"), "urn:a");
    });

    it("an operation without a URN has no predecessor", () => {
        managed.noteRecorded(undefined, shown);
        assert.equal(managed.predecessorOf(undefined), undefined);
    });
});
