/** S4: every disagreement of the API contract is absorbed, no optional field fails a read, and an id that was seen is never lost. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readContent, readLivestream, readSigningKey } from "../../../provider/dist/api/schema.js";
import type { SigningKey } from "../../../provider/dist/api/signingKey.js";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import { type Definition, partsOf, returnedFields } from "../../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { success, useService } from "./support.ts";

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number" && Number.isFinite(value);
const flag: Check = (value) => typeof value === "boolean";
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const map: Check = (value) => typeof value === "object" && value !== null && Object.values(value).every(text);

const byType: Readonly<Record<string, Check>> = { number, boolean: flag, array: texts, record: map };
function checksOf(definition: Definition): Record<string, Check> {
    const returned = Object.entries(returnedFields(definition));
    const fields = returned.map(([name, schema]) => [name, byType[partsOf(schema).type] ?? text]);
    return { ...Object.fromEntries(fields), [definition.idName]: text };
}
const signingKey: Record<keyof SigningKey, Check> = {
    ...{ id: number, productTypeId: number, environmentId: number, signingKeyId: text, createdOn: number },
    createdBy: text,
};

/** Any JSON, in which large numbers and odd keys are as likely as anything else. */
const json = fc.oneof(
    fc.constantFrom(null, "", " ", 0, -1, 1e300, true, false, "true", "NaN", "__proto__", [], {}, [[]], [null]),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom({ url: 1 }, { key: null, value: {} }, [{ key: {} }], [{ url: null }], { __proto__: null }),
);

describe("an answer of which any field but the id is missing, null or of any type", () => {
    const otherNames = ["playback_policy", "created_at", "thumbnails", "ingestUrl"];
    for (const [what, id, read, checks] of [
        ["a content", "contentId", readContent, checksOf(contentDefinition)],
        ["a livestream", "streamUUID", readLivestream, checksOf(livestreamDefinition)],
        ["a signing key", "signingKeyId", readSigningKey, signingKey],
    ] as const)
        it(`is ${what} all the same, and every field that is read has its own type`, () => {
            const fields = [...Object.keys(checks), ...otherNames].map((name) => [name, json] as const);
            fc.assert(
                fc.property(fc.record(Object.fromEntries(fields), { requiredKeys: [] }), (raw) => {
                    const wire = JSON.parse(JSON.stringify({ ...raw, [id]: "x1" }));
                    const object = read(wire) as unknown as Record<string, unknown>;
                    assert.equal(object[id], "x1");
                    for (const [name, value] of Object.entries(object)) {
                        const check = (checks as Record<string, Check>)[name];
                        assert.ok(check?.(value), `${name} is ${JSON.stringify(value)}`);
                    }
                }),
                { numRuns: 500 },
            );
        });
});

describe("a content", () => {
    const read = (value: object) => readContent({ contentId: "c1", ...value }) ?? assert.fail("no content");
    const twice = [1, true].map((value) => ({ key: "a", value }));
    const oddPairs = [...twice, { key: 2, value: {} }, { key: "b" }, "x", null];

    for (const [what, given, expected] of [
        ["unknown and missing fields", { later: 1 }, {}],
        ["policy in snake case", { playback_policy: ["public"] }, { playbackPolicy: ["public"] }],
        ["policy in camel case", { playbackPolicy: ["signed"] }, { playbackPolicy: ["signed"] }],
        ["policy in both cases", { playback_policy: null, playbackPolicy: ["a"] }, { playbackPolicy: ["a"] }],
        ["policy in capitals", { playback_policy: ["PUBLIC"] }, { playbackPolicy: ["public"] }],
        ["a flag in snake case", { mp4_support: false }, { mp4Support: false }],
        ["a flag in camel case", { saveOriginalCopy: true }, { saveOriginalCopy: true }],
        ["created_at", { created_at: 1_750_000_000_001 }, { createdOn: 1_750_000_000_001 }],
        ["createdOn", { createdOn: 1_750_000_000_001 }, { createdOn: 1_750_000_000_001 }],
        ["a time of nothing", { createdOn: 0, created_at: 1_750_000_000_000 }, { createdOn: 1_750_000_000_000 }],
        ["a time in seconds", { createdOn: 1_750_000_000 }, {}],
        ["a time beyond all dates", { createdOn: 1.75e18 }, {}],
        ["a time that is none", { created_at: "yesterday" }, {}],
        ["thumbnails", { thumbnails: ["u1", "u2"] }, { thumbnailUrl: "u1" }],
        ["no thumbnails", { thumbnails: [] }, {}],
        ["both kinds of thumbnail", { thumbnailUrl: "u0", thumbnails: ["u1"] }, { thumbnailUrl: "u0" }],
        ["a cleared text", { description: null }, { description: "" }],
        ["cleared collections", { tags: null, metadata: null }, { tags: [], metadata: {} }],
        ["other nulls", { title: null, duration: null, playback_policy: null, status: null }, {}],
        ["wrong types", { title: {}, tags: {}, mp4_support: "yes", metadata: 7, resolution: [], duration: "long" }, {}],
        ["metadata as a map", { metadata: { a: 1, b: null } }, { metadata: { a: "1", b: "" } }],
        ["metadata with oddities", { metadata: oddPairs }, { metadata: { a: "true", b: "", "2": "{}" } }],
        ["text that came as a number", { title: 1, status: 7 }, { title: "1", status: "7" }],
        ["a text of a list that came as a number", { tags: ["a", 1] }, { tags: ["a", "1"] }],
        ["numbers that came as text", { duration: "61000" }, { duration: 61_000 }],
        ["an odd status", { status: "  Ready " }, { status: "Ready" }],
    ] as const)
        it(`absorbs ${what}`, () => assert.deepEqual(read(given), { contentId: "c1", ...expected }));

    it("keeps a metadata key that means something to JavaScript", () => {
        const { metadata } = read({ metadata: [{ key: "__proto__", value: "x" }] });
        assert.deepEqual(Object.entries(metadata ?? {}), [["__proto__", "x"]]);
    });
    it("may have any text or number as its id, but nothing that is none", () => {
        for (const id of [7, "007", "a/b?c", "ünï"]) assert.equal(read({ contentId: id }).contentId, String(id));
        for (const id of ["", ".", "..", null, {}, true, undefined]) assert.throws(() => read({ contentId: id }));
    });
});

describe("a failed content's reason", () => {
    const held = useService();
    const reason = async (value: object) => {
        held.service.script = () => success({ contentId: "c1", status: "Failed", ...value });
        return (await held.service.clock.runUntil(held.service.api().contents.get("c1"))).reason;
    };

    it("is found wherever it looks like one, and is not the user's own words", async () => {
        assert.equal(await reason({ failureReason: "no codec" }), "no codec");
        assert.equal(await reason({ error: { code: 7, message: "no codec" } }), "no codec");
        assert.equal(await reason({ processing: { errors: ["a", { detail: "b" }] } }), "a; b");
        assert.equal(await reason({ statusMessage: "a", error_message: "a" }), "a");
        assert.equal(await reason({ metadata: { message: "hi" }, title: "error" }), undefined);
    });
    it("is looked for where the status says failure", async () => {
        for (const status of ["FAILED", "Errored"]) assert.equal(await reason({ status, message: "gone" }), "gone");
        for (const status of ["No error", "Ready"]) assert.equal(await reason({ status, message: "gone" }), undefined);
    });
    it("S3: has no secret, and is short", async () => {
        const given = "s3cr3t-key at https://h/x?sig=1";
        assert.equal(await reason({ reason: given }), "[not shown, because it may contain a secret: a URL or a key]");
        assert.equal(await reason({ reason: "s3cr3t-key at https://h/x" }), "[secretKey] at https://h/x");
        assert.equal((await reason({ reason: "x".repeat(999) }))?.length, 300);
    });
});

describe("a livestream", () => {
    const read = (value: object) => readLivestream({ streamUUID: "s1", ...value }) ?? assert.fail("no livestream");

    for (const [what, given, expected] of [
        ["ingestUrl", { ingestUrl: "i" }, { rtmpUrl: "i" }],
        ["both ingest addresses, one empty", { rtmpUrl: "", ingestUrl: "i" }, { rtmpUrl: "i" }],
        ["both ingest addresses", { rtmpUrl: "r", ingestUrl: "i" }, { rtmpUrl: "r" }],
        ["an empty ingest address", { rtmpUrl: "" }, { rtmpUrl: "" }],
        ["a stream key that is a number", { streamKey: 123456 }, { streamKey: "123456" }],
        ["created_at", { created_at: 1_750_000_000_006 }, { createdOn: 1_750_000_000_006 }],
        ["policies in capitals", { recordings_playback_policy: ["Signed"] }, { recordingsPlaybackPolicy: ["signed"] }],
    ] as const)
        it(`absorbs ${what}`, () => assert.deepEqual(read(given), { streamUUID: "s1", ...expected }));
});
