/** The inputs of an object that exists already: what a program would declare for it (N2). */
import assert from "node:assert/strict";
import { importable } from "../../../provider/dist/lifecycle/state/properties.js";
import { normalizeUnknowns, unknownValue } from "../../../provider/dist/lifecycle/state/unknown.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";

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
    });
});

describe("unknown values", () => {
    it("of every type are one", () => {
        const list = "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2";
        const flag = "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7";
        assert.deepEqual(normalizeUnknowns({ tags: list, watermark: [{ url: flag, opacity: 1 }], title: "a" }), {
            tags: unknownValue,
            watermark: [{ url: unknownValue, opacity: 1 }],
            title: "a",
        });
    });
});
