/** Values that a preview does not know yet. */
import assert from "node:assert/strict";
import { normalizeUnknowns, unknownValue } from "../../../provider/dist/inputs/unknown.js";

describe("unknown values", () => {
    it("of every type of the engine are one, at any depth", () => {
        const ofEngine = [
            "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
            "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
            "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
            "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
            "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
        ];
        for (const one of ofEngine)
            assert.deepEqual(normalizeUnknowns({ list: [{ url: one, n: 1 }, null] }), {
                list: [{ url: unknownValue, n: 1 }, null],
            });
    });
});
