/** What a status means, whatever its case. */
import assert from "node:assert/strict";
import { isDeleted, isFailed, isFinal, isLeaving, isReady, isSettled } from "../../../provider/dist/wait/status.js";

describe("the status of an object", () => {
    const meanings = { isReady, isFailed, isSettled, isDeleted, isLeaving, isFinal };
    const statuses: [string | undefined, (keyof typeof meanings)[]][] = [
        ["Ready", ["isReady", "isSettled", "isFinal"]],
        ["READY", ["isReady", "isSettled", "isFinal"]],
        ["failed", ["isFailed", "isSettled", "isFinal"]],
        ["Failed", ["isFailed", "isSettled", "isFinal"]],
        ...["Errored", "ERROR", "Rejected", "Cancelled", "canceled", "Aborted", "TranscodeFailure"].map(
            (status): [string, (keyof typeof meanings)[]] => [status, ["isFailed", "isSettled", "isFinal"]],
        ),
        ["Deleted", ["isDeleted", "isLeaving", "isFinal"]],
        ["DELETED", ["isDeleted", "isLeaving", "isFinal"]],
        ["deleting", ["isLeaving", "isFinal"]],
        ["Deletion pending", ["isLeaving", "isFinal"]],
        ["DeleteFailed", []],
        ["deletion_error", []],
        ["Undeleted", []],
        ["Processing", []],
        ["NotReady", []],
        ["", []],
        [undefined, []],
    ];
    for (const [status, expected] of statuses) {
        it(`${status === "" ? "empty" : status} means ${expected.join(", ") || "pending"}`, () => {
            for (const [name, means] of Object.entries(meanings)) {
                assert.equal(
                    means(status),
                    expected.some((one) => one === name),
                    name,
                );
            }
        });
    }
});
