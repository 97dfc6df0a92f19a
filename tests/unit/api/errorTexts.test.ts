/** The service's own words for a person are found in an answer. */
import assert from "node:assert/strict";
import { errorTexts } from "../../../provider/dist/api/errorTexts.js";

describe("the service's own words in an answer", () => {
    it("are quoted without those that another one contains (P3)", () => {
        for (const [answer, quoted] of [
            [{ message: "Invalid: b; a", data: { errors: ["a", "b"] } }, ["Invalid: b; a"]],
            [{ errors: ["a is wrong", "b is"], message: "Invalid" }, ["a is wrong", "b is", "Invalid"]],
            [{ errors: [{ message: "No" }, { message: "No" }], error: "Not found" }, ["Not found"]],
            [{ message: "Same", error: "Same" }, ["Same"]],
            [{ errors: ["1", "2", "3", "4", "5"], message: "12345" }, ["12345"]],
            [{ errors: ["1", "2", "3", "4", "5"], message: "6" }, ["1", "2", "3", "4", "5"]],
        ] as const)
            assert.deepEqual(errorTexts(answer), quoted);
    });
});
