/** The limits that other limits rely on. Each is named where it is used; here is why the numbers fit together. */
import assert from "node:assert/strict";
import * as limits from "../../../provider/dist/api/limits.js";
import { maxPauseMs } from "../../../provider/dist/lifecycle/wait/schedule.js";

describe("the limits", () => {
    it("let no request last longer than the longest", () => {
        for (const ms of Object.values(limits.requestTimeoutMs)) assert.ok(ms <= limits.longestRequestMs);
        assert.ok(limits.requestTimeoutMs.POST >= limits.requestTimeoutMs.GET, "a lost create is the dearest");
    });
    it("end a request by its own limit before the transport does, which cannot say what was sent", () => {
        assert.ok(limits.headersTimeoutMs > limits.longestRequestMs);
        assert.ok(limits.connectTimeoutMs < Math.min(...Object.values(limits.requestTimeoutMs)));
    });
    it("leave time for a second try of the slowest request", () => {
        assert.ok(limits.maxEffortMs >= 2 * limits.requestTimeoutMs.GET);
    });
    it("open the way for others before a hanging request is given up", () => {
        assert.ok(limits.maxAloneMs < limits.requestTimeoutMs.GET);
    });
    it("wait longer for an object to appear than for one to appear again", () => {
        assert.ok(limits.consistencyGraceMs > limits.missingGraceMs);
        assert.ok(limits.missingGraceMs >= maxPauseMs, "at least two GETs say 404");
    });
    it("let the last GET of a wait be sent more than once, and end", () => {
        assert.ok(limits.lastReadMs > maxPauseMs && limits.lastReadMs <= limits.requestTimeoutMs.GET);
    });
});
