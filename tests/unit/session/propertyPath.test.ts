/** Which property paths the engine can read again. */
import assert from "node:assert/strict";
import { hasReadableKeys, isReadable } from "../../../provider/dist/session/propertyPath.js";

describe("a property path", () => {
    it("is read again unless a key in it is empty or ends with a backslash", () => {
        for (const key of ["a", " ", "a.b", 'a"b', "\\a", "[0]"]) assert.equal(isReadable(key), true, key);
        for (const key of ["", "\\", "a\\"]) assert.equal(isReadable(key), false, key);
    });

    it("is read again if all keys in the value are, however deep", () => {
        for (const value of [undefined, null, "", "a\\", 1, true, [], {}, { a: [{ b: null }] }])
            assert.equal(hasReadableKeys(value), true, JSON.stringify(value));
        for (const value of [{ "": 1 }, { a: 1, "b\\": 1 }, { a: { b: { "": 1 } } }, [{ a: 1 }, { "": 1 }]])
            assert.equal(hasReadableKeys(value), false, JSON.stringify(value));
    });
});
