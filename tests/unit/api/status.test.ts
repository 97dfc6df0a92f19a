/** What a status means, whatever its case. */
import assert from "node:assert/strict";
import * as status from "../../../provider/dist/api/status.js";

const failures = ["failed", "Errored", "ERROR", "Rejected", "canceled", "Aborted", "TranscodeFailure"];
const meanings: Record<string, (string | undefined)[]> = {
    "isReady isFinal": ["Ready", "READY"],
    "isFailed isFinal": failures,
    "isBeingDeleted isFinal": ["Deleted", "DELETED", "deleting", "Deletion pending"],
    "": ["DeleteFailed", "deletion_error", "Undeleted", "Processing", "NotReady", "", undefined],
};

it("the status of an object means what it says", () => {
    const { isReady, isFailed, isBeingDeleted, isFinal } = status;
    const questions = { isReady, isFailed, isBeingDeleted, isFinal };
    for (const [expected, ones] of Object.entries(meanings))
        for (const one of ones) {
            const means = Object.entries(questions).flatMap(([name, isIt]) => (isIt(one) ? [name] : []));
            assert.equal(means.join(" "), expected, one);
        }
});
