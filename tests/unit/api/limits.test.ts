/** The limits that other limits rely on. Each is named where it is used; here is why the numbers fit together. */
import assert from "node:assert/strict";
import * as limits from "../../../provider/dist/api/limits.js";
import { maxPauseMs } from "../../../provider/dist/wait/schedule.js";

describe("the limits", () => {
    it("let no request last longer than the longest", () => {
        for (const ms of Object.values(limits.requestTimeoutMs)) assert.ok(ms <= limits.longestRequestMs);
        assert.ok(limits.requestTimeoutMs.POST >= limits.requestTimeoutMs.GET, "a lost create is the dearest");
    });
    it("report a connection that does not come about as one, before the request's time is over", () => {
        assert.ok(limits.connectTimeoutMs < Math.min(...Object.values(limits.requestTimeoutMs)));
    });
    it("take a content for deleted after several GETs, not after one", () => {
        assert.ok(limits.consistencyGraceMs >= 2 * maxPauseMs);
    });
    it("search for a lost create until nothing that was sent can be accepted any more, and wait for no process less than it may work", () => {
        assert.ok(limits.acceptanceMs > limits.longestRequestMs);
        assert.ok(limits.acceptanceMs > limits.consistencyGraceMs);
        assert.ok(limits.earlierRunMs > limits.engineGoneGraceMs, "a killed run's provider ends before it is given up");
        assert.ok(limits.engineGoneGraceMs > limits.longestRequestMs);
        assert.ok(Math.max(...limits.searchPausesMs) < limits.acceptanceMs);
    });
    it("read the state before anybody misses the time for it", () => {
        assert.ok(limits.gatherQuietMs < limits.ownStateMs);
        assert.ok(limits.interruptGraceMs + limits.farewellMs < 5_000, "the engine kills the process after 5 s");
    });
    it("let the last GET of a wait end", () => {
        assert.ok(limits.lastReadMs <= limits.requestTimeoutMs.GET);
    });
});
