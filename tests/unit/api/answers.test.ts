/** S4: no optional field of an answer fails a create or a read, whatever is in it; and what counts as success. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { VideographApi } from "../../../provider/dist/api/client.js";
import { ApiError, MalformedAnswerError } from "../../../provider/dist/api/errors.js";
import type { ContentObject, LivestreamObject } from "../../../provider/dist/api/schema.js";
import { contentSchema, livestreamSchema, signingKeySchema } from "../../../provider/dist/api/schema.js";
import type { SigningKey } from "../../../provider/dist/api/signingKey.js";
import { type Reply, rejection, success, useService } from "./support.ts";

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
                { numRuns: 2_000 },
            );
        });
    }
});

describe("creates and reads", () => {
    const held = useService();

    it("succeed whatever the optional fields hold", async () => {
        const { service } = held;
        const api = service.api();
        const contentBody = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };
        const livestreamBody = { title: "t", region: "r", record: true };
        await fc.assert(
            fc.asyncProperty(spoiled(livestreamFields), async (raw) => {
                service.script = () => success({ ...raw, contentId: "x1", streamUUID: "x1" });
                const calls: Promise<unknown>[] = [
                    api.createContent(contentBody).then(({ object }) => object.contentId),
                    api.getContent("x1").then(({ contentId }) => contentId),
                    api.createLivestream(livestreamBody).then(({ object }) => object.streamUUID),
                    api.getLivestream("x1").then(({ streamUUID }) => streamUUID),
                ];
                const ids = await service.clock.runUntil(Promise.all(calls));
                assert.deepEqual(ids, ["x1", "x1", "x1", "x1"]);
            }),
            { numRuns: 40 },
        );
    });

    it("keep a stream key of six digits that came as a number, and a status that did", async () => {
        const { service } = held;
        service.script = () => success({ streamUUID: "s1", streamKey: 123456, status: 3, rtmpUrl: 5 });
        const got = await service.clock.runUntil(service.api().getLivestream("s1"));
        assert.deepEqual(got, { streamUUID: "s1", streamKey: "123456", status: "3", rtmpUrl: "5" });
    });

    it("keep all digits of a long stream key that came as a number", async () => {
        const { service } = held;
        service.script = () => ({ body: '{"data":{"streamUUID":"s1","streamKey":12345678901234567890}}' });
        const got = await service.clock.runUntil(service.api().getLivestream("s1"));
        assert.equal(got.streamKey, "12345678901234567890");
    });
});

describe("the answer to a DELETE or a PUT", () => {
    const held = useService();
    const calls: Record<string, (api: VideographApi) => Promise<unknown>> = {
        DELETE: (api) => api.deleteContent("c1"),
        PUT: (api) => api.updateContent("c1", { title: "t" }),
    };
    const answered = async (reply: Reply, call: (api: VideographApi) => Promise<unknown>) => {
        held.service.script = () => reply;
        return held.service.clock.runUntil(call(held.service.api()));
    };

    for (const body of [
        { status: "Success", code: 200 },
        { status: "OK", code: 200 },
        { status: "ok" },
        { status: "Deleted" },
        { status: "Archived", code: 204 },
        { status: "whatever", code: "200" },
        { status: true },
        { status: 200, message: "Deleted" },
        { success: true },
        { success: "true", message: "ok" },
        { code: 202 },
        { status: "Success", data: { contentId: "c1", status: "Failed" } },
        { contentId: "c1", status: "Failed" },
        {},
        "",
    ]) {
        it(`is a success with ${JSON.stringify(body)}`, async () => {
            for (const call of Object.values(calls)) await answered({ body }, call);
        });
    }

    for (const body of [
        { success: false },
        { success: "false" },
        { status: false },
        { status: "Error" },
        { status: "Error", code: 200 },
        { status: "failed", code: 200, message: "locked" },
        { status: "Archived" },
        { status: "Success", code: 500 },
        { code: "409" },
        { status: 409 },
        { status: "Error", code: 409, data: { contentId: "c1", status: "Ready" } },
        { success: false, data: { contentId: "c1" } },
    ]) {
        it(`denies success with ${JSON.stringify(body)}`, async () => {
            for (const call of Object.values(calls)) {
                await answered({ body }, (api) => rejection(ApiError, call(api)));
            }
        });
    }

    for (const [what, id, other, call] of [
        ["a read", "5f2a", "9c1d", (api: VideographApi) => api.getContent("5f2a")],
        ["an update", "5f2a", "9c1d", (api: VideographApi) => api.updateContent("5f2a", { title: "t" })],
        ["a deletion", "5f2a", "9c1d", (api: VideographApi) => api.deleteContent("5f2a")],
        ["a read of a livestream", "5f2a", "9c1d", (api: VideographApi) => api.getLivestream("5f2a")],
    ] as const) {
        it(`that is about another object is malformed and names both, for ${what}`, async () => {
            const error = await answered(success({ contentId: other, streamUUID: other }), (api) =>
                rejection(MalformedAnswerError, call(api)),
            );
            assert.ok(error instanceof MalformedAnswerError);
            assert.match(
                error.message,
                new RegExp(`^\\w+ /\\w+/${id}: the response describes a different object, ${other}`),
            );
        });
    }

    it("may write the same id as a number or in the other case", async () => {
        await answered(success({ contentId: 42 }), (api) => api.getContent("42"));
        await answered(success({ streamUUID: "abc-def" }), (api) => api.getLivestream("ABC-DEF"));
    });
});
