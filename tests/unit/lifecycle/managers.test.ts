/** Which resource of a run manages which object (L8, S2). */
import assert from "node:assert/strict";
import { Managers } from "../../../provider/dist/lifecycle/index.js";

const shown = { id: "1", olds: { title: "One" } };

describe("the objects that a run knows", () => {
    let managers: Managers;
    beforeEach(() => {
        managers = new Managers();
    });

    it("L8: an object is the resource's that was noted, until it is forgotten", () => {
        managers.note("1", "urn:a");
        assert.equal(managers.by("1"), "urn:a");
        assert.equal(managers.by("2"), undefined);
        managers.forget("1");
        assert.equal(managers.by("1"), undefined);
    });

    it("L8: an operation without a URN takes no object from the resource that has it", () => {
        managers.note("1", "urn:a");
        managers.note("1", undefined);
        assert.equal(managers.by("1"), "urn:a");
        managers.noteRecorded(undefined, shown);
        assert.equal(managers.by("1"), "urn:a");
    });

    it("S2: a create replaces the object that the engine has shown for its URN", () => {
        assert.equal(managers.predecessorOf("urn:a"), undefined);
        managers.noteRecorded("urn:a", shown);
        assert.deepEqual(managers.predecessorOf("urn:a"), shown);
        assert.equal(managers.predecessorOf("urn:b"), undefined);
        assert.equal(managers.by("1"), "urn:a");
    });

    it("an operation without a URN has no predecessor", () => {
        managers.noteRecorded(undefined, shown);
        assert.equal(managers.predecessorOf(undefined), undefined);
    });
});
