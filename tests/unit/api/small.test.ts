/** The small parts: base address, ids, Retry-After, deadlines. */
import assert from "node:assert/strict";
import { parseBaseUrl } from "../../../provider/dist/api/baseUrl.js";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { isSameId } from "../../../provider/dist/api/ids.js";
import { parseRetryAfter } from "../../../provider/dist/api/requester.js";
import { LifecycleError } from "../../../provider/dist/messages/index.js";
import { FakeClock } from "../../support/fakeClock.ts";

describe("a base address", () => {
    for (const [text, normal] of [
        ["https://api.videograph.ai", "https://api.videograph.ai"],
        [" HTTPS://API.Videograph.ai:443/ ", "https://api.videograph.ai"],
        ["https://h.example:8443/a/b//", "https://h.example:8443/a/b"],
        ["http://localhost:8080", "http://localhost:8080"],
        ["http://127.0.0.1/", "http://127.0.0.1"],
        ["http://127.9.8.7:1", "http://127.9.8.7:1"],
        ["https://api.videograph.ai/video/services/api/v1/", "https://api.videograph.ai"],
        ["http://[::1]:2", "http://[::1]:2"],
    ] as const)
        it(`may be ${text}`, () => assert.equal(parseBaseUrl(text), normal));
    for (const text of [
        ...["", "api.videograph.ai", "https://", "ftp://localhost", "http://api.videograph.ai", "http://128.0.0.1"],
        ...["http://localhost.evil.example", "http://127.0.0.1.evil.example"],
        ...["https://hunter2@h.example", "https://u:hunter2@h.example"],
        ...["https://h.example/?hunter2=1", "https://h.example/?", "https://h.example/#hunter2"],
    ])
        it(`may not be ${text}, which is not quoted`, () => {
            const isClear = (error: unknown) => error instanceof LifecycleError && !/hunter2/.test(error.message);
            assert.throws(() => parseBaseUrl(text), isClear);
        });
});

describe("Retry-After", () => {
    const now = Date.UTC(2024, 9, 29, 16, 0, 0);
    for (const [text, ms] of [
        ["0", 0],
        ["7", 7000],
        [" 7 ", 7000],
        ["120", 120_000],
        ["121", 121_000],
        ["99999999999999", 99999999999999000],
        ["Tue, 29 Oct 2024 16:00:30 GMT", 30_000],
        ["Tue, 29 Oct 2024 15:00:30 GMT", 0],
        ["Tue, 29 Oct 2024 17:00:00 GMT", 3_600_000],
        ["-1", undefined],
        ["1.5", undefined],
        ["1e9", undefined],
        ["soon", undefined],
        ["", undefined],
        ["2024", 2_024_000],
        ["Tue, 99 Oct 2024 16:00:30 GMT", undefined],
        [undefined, undefined],
    ] as const)
        it(`${text} is ${ms} ms`, () => assert.equal(parseRetryAfter({ "retry-after": text }, now), ms));
    it("as a date is measured by the service's clock", () => {
        const headers = { "retry-after": "Tue, 29 Oct 2024 16:00:30 GMT", date: "Tue, 29 Oct 2024 16:00:20 GMT" };
        assert.equal(parseRetryAfter(headers, now + 3_600_000), 10_000);
    });
});

describe("a deadline", () => {
    it("passes when its time has passed, whatever becomes of the wall clock", async () => {
        const clock = new FakeClock();
        const deadline = new Deadline(clock, 1_000);
        clock.setForward(3_600_000);
        assert.deepEqual([deadline.left, deadline.passed], [1_000, false]);
        clock.setForward(-7_200_000);
        await clock.advance(999);
        assert.deepEqual([deadline.left, deadline.passed], [1, false]);
        await clock.advance(1);
        assert.deepEqual([deadline.left, deadline.passed], [0, true]);
    });
});

describe("two ids", () => {
    const uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301";
    for (const [one, other, same] of [
        [uuid, ` ${uuid.toLowerCase()}`, true],
        ["AbCdEf12", "AbCdEf12", true],
        ["AbCdEf12", "aBcdEf12", false],
        [uuid.slice(1), uuid.slice(1).toLowerCase(), false],
    ] as const)
        it(`${one} and ${other} are ${same ? "one object's" : "of two objects"}`, () =>
            assert.equal(isSameId(one, other), same));
});
