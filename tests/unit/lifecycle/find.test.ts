/** The inputs of an object that exists already: what a program would declare for it (N2). */
import assert from "node:assert/strict";
import { importable } from "../../../provider/dist/inputs/properties.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { livestreamDefinition } from "../../../provider/dist/resources/livestream/definition.js";

const contentTable = contentDefinition.inputs;

describe("an existing object", () => {
    it("N2: has the inputs of which something was set", () => {
        const object = {
            title: "a",
            description: "",
            tags: [],
            metadata: {},
            mp4Support: false,
            testVideo: true,
            duration: 1,
        };
        assert.deepEqual(importable(contentTable, object), { title: "a", testVideo: true });
        assert.deepEqual(importable(contentTable, { title: "a", tags: ["b"], metadata: { k: "" }, mp4Support: null }), {
            ...{ title: "a", tags: ["b"], metadata: { k: "" } },
            mp4Support: null,
        });
        const stream = { title: "a", dvrDurationInMins: 0, record: false };
        assert.deepEqual(importable(livestreamDefinition.inputs, stream), { title: "a" });
        assert.deepEqual(importable(livestreamDefinition.inputs, { dvrDurationInMins: 1 }), { dvrDurationInMins: 1 });
    });
});
