/** What a status means, whatever its case. */
import assert from "node:assert/strict";
import * as status from "../../../provider/dist/wait/status.js";

describe("the status of an object", () => {
    const { isReady, isFailed, isSettled, isDeleted, isBeingDeleted, isFinal } = status;
    const meanings = { isReady, isFailed, isSettled, isDeleted, isBeingDeleted, isFinal };
    const statuses: Record<string, string[]> = {
        "isReady isSettled isFinal": ["Ready", "READY"],
        "isFailed isSettled isFinal": [
            "failed",
            "Errored",
            "ERROR",
            "Rejected",
            "canceled",
            "Aborted",
            "TranscodeFailure",
        ],
        "isDeleted isBeingDeleted isFinal": ["Deleted", "DELETED"],
        "isBeingDeleted isFinal": ["deleting", "Deletion pending"],
        "": ["DeleteFailed", "deletion_error", "Undeleted", "Processing", "NotReady", ""],
    };
    for (const [expected, ones] of Object.entries(statuses))
        it(`is ${ones.join(", ")}: ${expected || "pending"}`, () => {
            for (const one of expected === "" ? [...ones, undefined] : ones) {
                const means = Object.entries(meanings).flatMap(([name, isIt]) => (isIt(one) ? [name] : []));
                assert.equal(means.join(" "), expected, one);
            }
        });
});
