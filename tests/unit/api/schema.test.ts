/** S4: every disagreement of the API contract is absorbed, and an id that was seen is never lost. */
import assert from "node:assert/strict";
import { readList, readObject } from "../../../provider/dist/api/answer.js";
import { MalformedAnswerError } from "../../../provider/dist/api/errors.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import { contentSchema, livestreamSchema, signingKeySchema } from "../../../provider/dist/api/schema.js";

const reading = {
    endpoint: "GET /contents/{id}",
    requestLine: "GET /contents/c1",
    id: "c1",
    redactor: new Redactor([{ name: "title", value: "hunter2" }]),
};
const raw = (body: string, status = 200) => ({ status, headers: {}, body });
const json = (body: unknown, status = 200) => raw(JSON.stringify(body), status);
const data = (value: unknown) => json({ status: "Success", code: 200, message: "ok", data: value });
const content = (value: object) => readObject(contentSchema, data({ contentId: "c1", ...value }), reading);
const livestream = (value: object) => readObject(livestreamSchema, data({ streamUUID: "s1", ...value }), reading);

describe("a content", () => {
    it("has no keys for what is absent", () => assert.deepEqual(content({}), { contentId: "c1" }));

    for (const [what, given, expected] of [
        ["policy in camel case", { playbackPolicy: ["signed"] }, { playbackPolicy: ["signed"] }],
        ["policy in both cases", { playback_policy: null, playbackPolicy: ["a"] }, { playbackPolicy: ["a"] }],
        [
            "camel-case flags",
            { mp4Support: false, saveOriginalCopy: true },
            { mp4Support: false, saveOriginalCopy: true },
        ],
        ["createdOn", { createdOn: 1_750_000_000_001 }, { createdOn: 1_750_000_000_001 }],
        ["a time in digits", { created_at: "1750000000000" }, { createdOn: 1_750_000_000_000 }],
        ["a time in ISO", { created_at: "2026-01-02T03:04:05Z" }, { createdOn: Date.UTC(2026, 0, 2, 3, 4, 5) }],
        ["a time that is none", { created_at: "yesterday" }, {}],
        ["an impossible ISO time", { created_at: "2026-99-99T00:00:00Z" }, {}],
        [
            "an ISO time of another zone",
            { created_at: "2026-01-02T08:34:05+05:30" },
            { createdOn: Date.UTC(2026, 0, 2, 3, 4, 5) },
        ],
        ["an ISO time without a zone", { created_at: "2026-01-02T03:04:05" }, {}],
        ["a day", { created_at: "2026-01-02" }, {}],
        ["a time in seconds", { created_at: 1_750_000_000 }, { createdOn: 1_750_000_000_000 }],
        ["a time in digits of seconds", { created_at: "1750000000.1239" }, { createdOn: 1_750_000_000_124 }],
        ["a time of nothing", { createdOn: 0, created_at: 1_750_000_000_000 }, { createdOn: 1_750_000_000_000 }],
        ["a negative time", { createdOn: -62_135_596_800_000 }, {}],
        ["a time before the service was", { createdOn: 900_000_000_000 }, {}],
        ["an ISO time of nothing", { createdOn: "0001-01-01T00:00:00Z" }, {}],
        ["an early ISO time, which is not in seconds", { createdOn: "1970-01-20T06:06:40Z" }, {}],
        ["a time beyond all dates", { createdOn: 1.75e18 }, {}],
        ["a policy in capitals", { playback_policy: ["PUBLIC", "Signed"] }, { playbackPolicy: ["public", "signed"] }],
        ["a policy as one word", { playbackPolicy: "Public" }, { playbackPolicy: ["public"] }],
        ["tags in capitals, which mean something", { tags: ["Go"] }, { tags: ["Go"] }],
        ["thumbnails", { thumbnails: ["u1", "u2"] }, { thumbnailUrl: "u1" }],
        ["thumbnails as objects", { thumbnails: [{ url: "u1" }] }, { thumbnailUrl: "u1" }],
        ["no thumbnails", { thumbnails: [] }, {}],
        ["both kinds of thumbnail", { thumbnailUrl: "u0", thumbnails: ["u1"] }, { thumbnailUrl: "u0" }],
        ["a duration in digits", { duration: "12.5" }, { duration: 12.5 }],
        ["a duration that is none", { duration: "long" }, {}],
        [
            "cleared fields",
            { description: null, tags: null, metadata: null },
            { description: "", tags: [], metadata: {} },
        ],
        ["other nulls", { title: null, duration: null, playback_policy: null, status: null }, {}],
        ["wrong types", { title: {}, tags: {}, mp4_support: "yes", metadata: 7, resolution: [] }, {}],
        ["metadata as a map", { metadata: { a: 1, b: null } }, { metadata: { a: "1", b: "" } }],
        [
            "metadata with oddities",
            {
                metadata: [
                    { key: "a", value: 1 },
                    { key: "a", value: true },
                    { key: 2, value: {} },
                    { key: "b" },
                    "x",
                    {},
                    null,
                ],
            },
            { metadata: { a: "true", b: "", "2": "{}" } },
        ],
        ["no metadata pairs", { metadata: [] }, { metadata: {} }],
        ["tags that are numbers", { tags: ["a", 1] }, { tags: ["a", "1"] }],
        [
            "text that came as numbers",
            { title: 1, status: 7, resolution: 720 },
            { title: "1", status: "7", resolution: "720" },
        ],
        ["numbers that came as text", { duration: "61000" }, { duration: 61_000 }],
        ["an odd status", { status: "  Ready " }, { status: "Ready" }],
    ] as const) {
        it(`absorbs ${what}`, () => assert.deepEqual(content(given), { contentId: "c1", ...expected }));
    }

    it("keeps a metadata key that means something to JavaScript", () => {
        const { metadata } = content({ metadata: [{ key: "__proto__", value: "x" }] });
        assert.deepEqual(Object.entries(metadata ?? {}), [["__proto__", "x"]]);
    });

    for (const id of [7, "7", "a/b?c", "ünï"]) {
        it(`may have the id ${JSON.stringify(id)}`, () =>
            assert.equal(content({ contentId: id }).contentId, String(id)));
    }
    for (const [id, read] of [
        ["9007199254740993", "9007199254740993"],
        ["-12345678901234567890123", "-12345678901234567890123"],
        ["9007199254740991", "9007199254740991"],
        ["1e3", "1000"],
        ['"9007199254740993"', "9007199254740993"],
        ['"007"', "007"],
    ] as const) {
        it(`may have the id ${id} as JSON writes it, of which no digit is lost`, () => {
            const answer = (data: string) => raw(`{"status":"Success","code":200,"data":${data}}`);
            const object = `{"title":"a","contentId":${id},"metadata":[{"key":"n","value":${id}}]}`;
            const got = readObject(contentSchema, answer(object), reading);
            assert.deepEqual(got, { contentId: read, title: "a", metadata: { n: read } });
            assert.deepEqual(readList(contentSchema, answer(`[${object}]`), reading), [got]);
        });
    }
    for (const id of ["", ".", "..", null, {}, true, undefined]) {
        it(`cannot have the id ${JSON.stringify(id)}`, () =>
            assert.throws(() => content({ contentId: id }), MalformedAnswerError));
    }
});

describe("a failed content's reason", () => {
    const reason = (value: object, envelope: object = {}) =>
        readObject(contentSchema, json({ ...envelope, data: { contentId: "c", status: "Failed", ...value } }), reading)
            .reason;

    it("is found wherever it looks like one, and is not the user's own words", () => {
        assert.equal(reason({ failureReason: "no codec" }), "no codec");
        assert.equal(reason({ error: { code: 7, message: "no codec" } }), "no codec");
        assert.equal(reason({ processing: { errors: ["a", { detail: "b" }] } }), "a; b");
        assert.equal(reason({ statusMessage: "a", error_message: "a" }), "a");
        assert.equal(reason({ metadata: { message: "hi" }, title: "error" }), undefined);
    });
    for (const [status, isFailed] of [
        ["Failed", true],
        ["FAILED", true],
        ["error", true],
        ["Errored", true],
        ["No error", false],
        ["not failed", false],
        ["Ready", false],
    ] as const) {
        it(`is ${isFailed ? "" : "not "}looked for where the status is ${status}`, () =>
            assert.equal(reason({ status, message: "gone" }), isFailed ? "gone" : undefined));
    }
    for (const [text, isReason] of [
        ["source gone", true],
        ["not ok", true],
        ["okra is no codec", true],
        ["unsuccessful", true],
        ["not found", true],
        ["OK", false],
        ["ok, here it is", false],
        ["Content fetched", false],
        ["successfully read", false],
        ["found one", false],
        ["Retrieved", false],
    ] as const) {
        it(`${isReason ? "may" : "cannot"} be an envelope's "${text}", and never before the object's own`, () => {
            assert.equal(reason({}, { message: text }), isReason ? text : undefined);
            assert.equal(reason({ reason: "own" }, { message: text }), "own");
        });
    }
    it("is redacted and short", () => {
        assert.equal(
            reason({ reason: "hunter2 at https://h.example/x?sig=1" }),
            "[title] at https://h.example/x?[redacted]",
        );
        assert.equal(reason({ reason: "x".repeat(999) })?.length, 300);
    });
});

describe("a livestream", () => {
    for (const [what, given, rtmpUrl] of [
        ["ingestUrl", { ingestUrl: "i" }, "i"],
        ["both, one empty", { rtmpUrl: "", ingestUrl: "i" }, "i"],
        ["both", { rtmpUrl: "r", ingestUrl: "i" }, "r"],
        ["an empty one", { rtmpUrl: "" }, ""],
    ] as const) {
        it(`has its ingest address from ${what}`, () => assert.equal(livestream(given).rtmpUrl, rtmpUrl));
    }
    it("keeps all digits of a stream key that came as a number", () => {
        const read = (key: string) =>
            readObject(livestreamSchema, raw(`{"data":{"streamUUID":"s1","streamKey":${key}}}`), reading).streamKey;
        for (const key of ["123456", "012345678901234567".slice(1), "12345678901234567890"])
            assert.equal(read(key), key);
    });
    it("has its creation time under either name", () => {
        assert.equal(livestream({ created_at: 1_750_000_000_006 }).createdOn, 1_750_000_000_006);
    });
    it("has its policies in small letters", () => {
        const { playbackPolicy, recordingsPlaybackPolicy } = livestream({
            playback_policy: ["PUBLIC"],
            recordings_playback_policy: ["Signed"],
        });
        assert.deepEqual(
            { playbackPolicy, recordingsPlaybackPolicy },
            {
                playbackPolicy: ["public"],
                recordingsPlaybackPolicy: ["signed"],
            },
        );
    });
});

describe("a signing key", () => {
    it("has the six fields", () => {
        const key = {
            id: 3,
            productTypeId: 1,
            environmentId: 9,
            signingKeyId: "k",
            createdOn: 1_750_000_000_000,
            createdBy: "a@example.com",
        };
        assert.deepEqual(readList(signingKeySchema, data([{ ...key, more: 1 }, {}]), reading), [key]);
    });
});
