/** What a message quotes of the service's own words. */
import assert from "node:assert/strict";
import { errorTexts } from "../../../provider/dist/api/quote.js";

describe("the service's words", () => {
    it("are quoted without those that another one contains (P3)", () => {
        const problems = ["title must not be empty", "region is unknown"];
        for (const [answer, quoted] of [
            [
                { message: `Invalid: ${problems.join("; ")}`, data: { errors: problems } },
                [`Invalid: ${problems.join("; ")}`],
            ],
            [{ errors: problems, message: "Invalid" }, [...problems, "Invalid"]],
            [{ errors: [{ message: "No" }, { message: "No" }], error: "Not found" }, ["Not found"]],
            [{ message: "Same", error: "Same" }, ["Same"]],
            [{ errors: ["1", "2", "3", "4", "5"], message: "12345" }, ["12345"]],
            [{ errors: ["1", "2", "3", "4", "5"], message: "6" }, ["1", "2", "3", "4", "5"]],
        ] as const)
            assert.deepEqual(errorTexts(answer), quoted);
    });
});
