/** S4: no optional field of an answer fails a create or a read, whatever is in it; and what counts as success. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readList, readObject, readOptionalObject } from "../../../provider/dist/api/answer.js";
import type { VideographApi } from "../../../provider/dist/api/client.js";
import { ApiError, MalformedAnswerError, NotFoundError, ServerError } from "../../../provider/dist/api/errors.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import type { ContentObject, LivestreamObject } from "../../../provider/dist/api/schema.js";
import { contentSchema, livestreamSchema, signingKeySchema } from "../../../provider/dist/api/schema.js";
import type { SigningKey } from "../../../provider/dist/api/signingKey.js";
import { rejection, success, useService } from "./support.ts";

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number" && Number.isFinite(value);
const flag: Check = (value) => typeof value === "boolean";
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const map: Check = (value) => typeof value === "object" && value !== null && Object.values(value).every(text);

const content: Record<keyof ContentObject, Check> = {
    contentId: text,
    status: text,
    reason: text,
    title: text,
    description: text,
    tags: texts,
    metadata: map,
    playbackPolicy: texts,
    mp4Support: flag,
    saveOriginalCopy: flag,
    testVideo: flag,
    playbackUrl: text,
    thumbnailUrl: text,
    duration: number,
    resolution: text,
    createdOn: number,
};
const livestream: Record<keyof LivestreamObject, Check> = {
    streamUUID: text,
    status: text,
    reason: text,
    title: text,
    description: text,
    tags: texts,
    metadata: map,
    region: text,
    record: flag,
    dvrDurationInMins: number,
    playbackPolicy: texts,
    recordingsPlaybackPolicy: texts,
    streamKey: text,
    rtmpUrl: text,
    rtmpsUrl: text,
    playbackUrl: text,
    createdOn: number,
};
const signingKey: Record<keyof SigningKey, Check> = {
    id: number,
    productTypeId: number,
    environmentId: number,
    signingKeyId: text,
    createdOn: number,
    createdBy: text,
};

const contentFields = {
    status: "Ready",
    title: "t",
    description: "d",
    tags: ["a"],
    metadata: [{ key: "a", value: "1" }],
    playback_policy: ["public"],
    playbackPolicy: ["public"],
    mp4_support: true,
    save_original_copy: true,
    test_video: false,
    playbackUrl: "https://s.example/1.m3u8",
    thumbnailUrl: "https://s.example/1.jpg",
    thumbnails: ["https://s.example/1.jpg"],
    duration: 1,
    resolution: "1080p",
    created_at: 1_750_000_000_000,
    createdOn: 1_750_000_000_000,
    statusId: 1,
    reason: "r",
};
const livestreamFields = {
    ...contentFields,
    region: "us-east-1",
    record: true,
    dvrDurationInMins: 30,
    recordings_playback_policy: ["public"],
    streamKey: "123456",
    rtmpUrl: "rtmp://s.example/live",
    ingestUrl: "rtmp://s.example/live",
    rtmpsUrl: "rtmps://s.example/live",
};
const signingKeyFields = {
    id: 1,
    productTypeId: 1,
    environmentId: 1,
    createdOn: 1_750_000_000_000,
    createdBy: "a@example.com",
};

/** Any JSON, in which large numbers and odd keys are as likely as anything else. */
const json = fc.oneof(
    fc.constantFrom(null, "", " ", 0, -1, 1e300, true, false, "true", "NaN", "__proto__", [], {}, [[]], [null]),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom({ url: 1 }, { key: null, value: {} }, [{ key: {} }], [{ url: null }], { __proto__: null }),
);

/** The object with some of its fields missing and some of another type. */
const spoiled = (fields: Record<string, unknown>) =>
    fc.record(
        Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [
                name,
                fc.oneof(fc.constant(value), fc.constant(null), json),
            ]),
        ),
        { requiredKeys: [] },
    );

describe("an answer of which any optional field is missing, null or of another type", () => {
    for (const [what, id, schema, checks, fields] of [
        ["a content", "contentId", contentSchema, content, contentFields],
        ["a livestream", "streamUUID", livestreamSchema, livestream, livestreamFields],
        ["a signing key", "signingKeyId", signingKeySchema, signingKey, signingKeyFields],
    ] as const) {
        it(`is ${what} all the same, and every field that is read has its own type`, () => {
            fc.assert(
                fc.property(spoiled(fields), (raw) => {
                    const wire = JSON.parse(JSON.stringify({ ...raw, [id]: "x1" }));
                    const object = schema.parse(wire) as unknown as Record<string, unknown>;
                    assert.equal(object[id], "x1");
                    for (const [name, value] of Object.entries(object)) {
                        const check = (checks as Record<string, Check>)[name];
                        assert.ok(check?.(value), `${name} is ${JSON.stringify(value)}`);
                    }
                }),
                { numRuns: 500 },
            );
        });
    }
});

const reading = { endpoint: "PUT /contents/{id}", requestLine: "PUT /contents/c1", id: "c1", redactor: Redactor.none };
const answer = (body: unknown) => ({
    status: 200,
    headers: {},
    body: typeof body === "string" ? body : JSON.stringify(body),
});
const object = (body: unknown) => readObject(contentSchema, answer(body), reading);
const optional = (body: unknown) => readOptionalObject(contentSchema, answer(body), reading);
const list = (body: unknown) => readList(contentSchema, answer(body), reading);

describe("the answer to a DELETE or a PUT", () => {
    for (const body of [
        // Words of success, whatever else is missing.
        ..."Success|SUCCESSFULLY|succeeded|ok|OKAY|accepted|created|updated|deleted|deleting"
            .split("|")
            .map((status) => ({ status })),
        ..."done|complete|completed| Success |true".split("|").map((status) => ({ status })),
        // Words that say nothing, with a code that says success.
        ..."Archived|notified|badge issued|no error|Disabled".split("|").map((status) => ({ status, code: 200 })),
        ...[299, "204", " 201 "].map((code) => ({ status: "Archived", code })),
        // Codes that deny nothing by themselves.
        ...[200, 302, 399, "399", "x500", "500x", "5000", "50", "500 x", 500.5, null, [500]].map((code) => ({ code })),
        ...[
            { status: true },
            { status: 200, message: "Deleted" },
            { success: true },
            { success: "true" },
            { status: {} },
        ],
        { status: "Success", data: { contentId: "c1", status: "Failed" } },
        { success: "disabled" },
        ...[{}, { data: null }, { data: [] }, "", " ", "\r\n\t "],
    ]) {
        it(`is a success with ${JSON.stringify(body)}`, () => void optional(body));
    }

    for (const body of [
        ..."unsuccessful|not ok|was accepted|accepted by nobody|okayish|done?|enabled|pending|"
            .split("|")
            .map((status) => ({ status })),
        // Words of failure, even with a code that says success.
        ..."Error|err|Failed|failure|invalid title|denied|Refused|rejected|forbidden"
            .split("|")
            .map((status) => ({ status, code: 200 })),
        ...["Unauthorized", "unauthorised", "Not found", "bad request", " error ", "false", false].map((status) => ({
            status,
            code: 200,
        })),
        // Words that say nothing, without a code that says success.
        ...[undefined, 100, 199, 300, 404, 500, "2", "2000", "x200", {}].map((code) => ({ status: "Archived", code })),
        ...[400, 404, 500, "500", " 500 ", "\t503\n"].flatMap((code) => [
            { code },
            { status: code },
            { status: "Success", code },
            { success: true, code },
        ]),
        ...[{ success: false }, { success: "FALSE" }, { status: "Success", success: false, code: 200 }],
        { status: "Error", code: 409, data: { contentId: "c1", status: "Ready" } },
        { success: false, data: { contentId: "c1" } },
    ]) {
        it(`denies success with ${JSON.stringify(body)}`, () => assert.throws(() => optional(body), ApiError));
    }

    it("may be the object itself, whose status is its own", () => {
        assert.deepEqual(optional({ contentId: "c1", status: "Error" }), { contentId: "c1", status: "Error" });
    });
    it("that denies success by its code alone gives up no object, unlike one whose status does", () => {
        for (const code of [404, "410"]) {
            assert.throws(() => optional({ code }), MalformedAnswerError);
            assert.throws(() => optional({ status: "Error", code }), NotFoundError);
            assert.throws(() => list({ status: "Error", code, data: [] }), MalformedAnswerError);
        }
    });
});

describe("an object that is asked for", () => {
    it("is found without an envelope, and whatever the envelope says", () => {
        assert.equal(object({ contentId: "c1", status: "Ready" }).status, "Ready");
        assert.equal(object({ status: "Error", code: 500, message: "x", data: { contentId: "c1" } }).contentId, "c1");
    });
    it("is missed by name", () => {
        for (const body of [
            "",
            " \n",
            "<html><title>Login</title></html>",
            '{"data":{"contentI',
            [],
            null,
            { data: {} },
        ]) {
            assert.throws(
                () => object(body),
                (error) => error instanceof MalformedAnswerError && error.message.startsWith("PUT /contents/c1: "),
            );
        }
    });
});

describe("a list", () => {
    it("leaves out what has no id, and keeps the rest, whatever the envelope says", () => {
        const data = [{ contentId: "a", title: {} }, { title: "b" }, null, 7, { contentId: 2 }];
        for (const envelope of [
            { status: "Success", code: 200 },
            { status: "Error", code: 500 },
        ]) {
            assert.deepEqual(list({ ...envelope, data }), [{ contentId: "a" }, { contentId: "2" }]);
        }
    });
    it("may come without an envelope, or empty", () => {
        assert.deepEqual(list([{ contentId: "a" }]), [{ contentId: "a" }]);
        assert.deepEqual(list([]), []);
        assert.deepEqual(list({ data: [] }), []);
    });
    it("is not empty when it says that it failed, or is none, or has only strangers", () => {
        for (const data of [[], [{}]]) assert.throws(() => list({ status: "Error", code: 500, data }), ServerError);
        for (const body of [{ data: null }, { data: {} }, { data: [{ id: 1 }, null] }, [{}], {}, 7, null, "", "[{"]) {
            assert.throws(() => list(body), MalformedAnswerError);
        }
    });
});

describe("an answer about another object", () => {
    const held = useService();
    const calls: Record<string, (api: VideographApi, id: string) => Promise<unknown>> = {
        "a read": (api, id) => api.getContent(id),
        "an update": (api, id) => api.updateContent(id, { title: "t" }),
        "a deletion": (api, id) => api.deleteContent(id),
        "a read of a livestream": (api, id) => api.getLivestream(id),
    };
    const answered = (id: unknown, call: Promise<unknown>) => {
        held.service.script = () => success({ contentId: id, streamUUID: id });
        return held.service.clock.runUntil(call);
    };

    for (const [what, call] of Object.entries(calls)) {
        it(`is malformed and names both, for ${what}`, async () => {
            const failed = rejection(MalformedAnswerError, call(held.service.api(), "5f2a"));
            await answered("9c1d", failed);
            assert.match((await failed).message, /^\w+ \/\w+\/5f2a: .*9c1d/);
        });
        it(`is none where the same id is a number or in the other case, for ${what}`, async () => {
            await answered(42, call(held.service.api(), "42"));
            await answered("abc-def", call(held.service.api(), "ABC-DEF"));
        });
    }
});
