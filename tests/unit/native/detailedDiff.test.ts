/** The paths that the engine is given of a change: it reads each, and fails where it cannot (L5). Others: tests/native/plugin.test.ts. */
import assert from "node:assert/strict";
import { diffResponse } from "../../../provider/dist/native/detailedDiff.js";

describe("the native provider's detailed diff", () => {
    for (const key of ["", "a\\"])
        it(`L5: names the map alone where the engine could not read a path with the key ${JSON.stringify(key)}`, () => {
            const [olds, news] = [{ metadata: { [key]: "1" } }, { metadata: { [key]: "2", season: "2" } }];
            const diff = diffResponse({ kind: "update", because: ["metadata"] }, olds, news);
            const paths = diff.getDetaileddiffMap().toArray();
            assert.deepEqual(
                paths.map(([path]) => path),
                ["metadata"],
            );
        });
});
