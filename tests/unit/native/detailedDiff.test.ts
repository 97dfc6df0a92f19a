/** The paths that the engine is given of a change. It reads each, and fails where it cannot. */
import assert from "node:assert/strict";
import { diffResponse } from "../../../provider/dist/native/detailedDiff.js";

const pathsOf = (oldMetadata: object, metadata: object) =>
    diffResponse(
        { kind: "update", because: ["metadata"] },
        { oldInputs: { metadata: oldMetadata }, news: { metadata } },
    )
        .getDetaileddiffMap()
        .toArray()
        .map(([path]) => path)
        .sort();

describe("the native provider's detailed diff", () => {
    it("L5: names what changed inside a map", () => {
        assert.deepEqual(pathsOf({ season: "1", "a.b": "1" }, { season: "2", "a.b": "2", 'say "x"': "1" }), [
            "metadata.season",
            'metadata["a.b"]',
            'metadata["say \\"x\\""]',
        ]);
    });

    for (const key of ["", "a\\"]) {
        it(`L5: names the map alone where the engine could not read a path with the key ${JSON.stringify(key)}`, () => {
            assert.deepEqual(pathsOf({ [key]: "1" }, { [key]: "2", season: "2" }), ["metadata"]);
        });
    }
});
