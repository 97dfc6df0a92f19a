import assert from "node:assert/strict";
import type { Emulator, Variants } from "videograph-emulator";
import { type Clock, call, createContent, createLivestream, startStill } from "./support.ts";

interface Still {
    emulator: Emulator;
    clock: Clock;
}

async function withVariants(variants: Partial<Variants>, test: (still: Still) => Promise<void>): Promise<void> {
    const still = await startStill({ variants });
    await using _ = still.emulator;
    await test(still);
}

const get = async (emulator: Emulator, path: string) => (await call(emulator, "GET", path)).json.data;
const titles = (items: { title: string }[]) => items.map((item) => item.title);

describe("emulator: variants", () => {
    it("policyKey", () =>
        withVariants({ policyKey: "playbackPolicy" }, async ({ emulator }) => {
            const content = await get(emulator, `/contents/${await createContent(emulator)}`);
            assert.deepEqual(content.playbackPolicy, ["public"]);
            assert.ok(!("playback_policy" in content));
        }));

    it("createCode", () =>
        withVariants({ createCode: 200 }, async ({ emulator }) => {
            const body = { title: "t", region: "r", record: false };
            const answer = await call(emulator, "POST", "/livestreams", body);
            assert.deepEqual([answer.status, answer.json.code], [200, 200]);
        }));

    it("contentCreatedKey, livestreamCreatedKey", () =>
        withVariants(
            { contentCreatedKey: "createdOn", livestreamCreatedKey: "created_at" },
            async ({ emulator, clock }) => {
                const content = await get(emulator, `/contents/${await createContent(emulator)}`);
                assert.equal(content.createdOn, clock.time);
                assert.ok(!("created_at" in content));
                const stream = await get(emulator, `/livestreams/${await createLivestream(emulator)}`);
                assert.equal(stream.created_at, clock.time);
                assert.ok(!("createdOn" in stream));
            },
        ));

    it("ingestKey, rtmpsUrl", () =>
        withVariants({ ingestKey: "ingestUrl", rtmpsUrl: "empty" }, async ({ emulator }) => {
            const stream = await get(emulator, `/livestreams/${await createLivestream(emulator)}`);
            assert.match(stream.ingestUrl, /^rtmp:/);
            assert.ok(!("rtmpUrl" in stream));
            assert.equal(stream.rtmpsUrl, "");
        }));

    it("thumbnails", async () => {
        for (const [thumbnails, keys] of [
            ["thumbnailUrl", ["thumbnailUrl"]],
            ["thumbnails", ["thumbnails"]],
            ["none", []],
        ] as const) {
            await withVariants({ thumbnails }, async ({ emulator, clock }) => {
                const id = await createContent(emulator);
                clock.advance(1000);
                const content = await get(emulator, `/contents/${id}`);
                assert.deepEqual(
                    Object.keys(content).filter((key) => key.startsWith("thumb")),
                    keys,
                );
                if (thumbnails === "thumbnails") assert.ok(Array.isArray(content.thumbnails));
            });
        }
    });

    it("pendingStatuses", () =>
        withVariants({ pendingStatuses: ["Pending", "Processing"] }, async ({ emulator, clock }) => {
            const id = await createContent(emulator);
            const seen: string[] = [];
            for (let at = 0; at <= 1000; at += 250) {
                seen.push((await get(emulator, `/contents/${id}`)).status);
                clock.advance(250);
            }
            assert.deepEqual(seen, ["Pending", "Pending", "Processing", "Processing", "Ready"]);
        }));

    it("idShape: every shape can be read, updated and deleted by", async () => {
        const shapes = {
            uuid: /^[0-9a-f]{8}-[0-9a-f-]{27}$/,
            opaque: /^v\.[\w-]{8}~[0-9A-F]{6}_-$/,
            numeric: /^\d{9}$/,
            number: /^\d{9}$/,
        };
        for (const [idShape, expected] of Object.entries(shapes)) {
            await withVariants({ idShape: idShape as Variants["idShape"] }, async ({ emulator }) => {
                const id = await createContent(emulator);
                assert.match(id, expected);
                const shown = (await get(emulator, `/contents/${id}`)).contentId;
                assert.equal(typeof shown, idShape === "number" ? "number" : "string");
                assert.equal((await call(emulator, "PUT", `/contents/${id}`, { title: "n" })).status, 200);
                assert.equal((await call(emulator, "DELETE", `/contents/${encodeURIComponent(id)}`)).status, 200);
            });
        }
    });

    it("listMetadata, listTags", () =>
        withVariants({ listMetadata: true, listTags: true }, async ({ emulator }) => {
            const fields = { tags: ["a"], metadata: [{ key: "k", value: "v" }] };
            await createContent(emulator, fields);
            await createLivestream(emulator, fields);
            for (const path of ["/contents", "/livestreams?record=true"]) {
                const [item] = await get(emulator, path);
                assert.deepEqual({ tags: item.tags, metadata: item.metadata }, fields);
            }
        }));

    it("listOrder", async () => {
        const orders = async (listOrder: Variants["listOrder"]) => {
            const seen: string[][] = [];
            await withVariants({ listOrder }, async ({ emulator }) => {
                for (const title of ["a", "b", "c"]) await createContent(emulator, { title });
                for (let turn = 0; turn < 3; turn++) seen.push(titles(await get(emulator, "/contents")));
            });
            return seen;
        };
        assert.deepEqual((await orders("oldest"))[0], ["a", "b", "c"]);
        assert.deepEqual((await orders("newest"))[0], ["c", "b", "a"]);
        const unstable = await orders("unstable");
        assert.equal(new Set(unstable.map((order) => order.join())).size, 3);
        for (const order of unstable) assert.deepEqual(order.toSorted(), ["a", "b", "c"]);
    });

    it("pageDefault, pageMaximum, overMaximum", () =>
        withVariants({ pageDefault: 2, pageMaximum: 3 }, async ({ emulator }) => {
            for (let index = 0; index < 5; index++) await createContent(emulator);
            assert.equal((await get(emulator, "/contents")).length, 2);
            assert.equal((await get(emulator, "/contents?limit=3")).length, 3);
            assert.equal((await get(emulator, "/contents?limit=4")).length, 3);
            emulator.setVariants({ overMaximum: "reject" });
            assert.equal((await call(emulator, "GET", "/contents?limit=4")).status, 400);
            assert.equal((await call(emulator, "GET", "/contents?limit=3")).status, 200);
        }));

    it("livestreamPaging", () =>
        withVariants({ pageDefault: 2 }, async ({ emulator }) => {
            for (const title of ["a", "b", "c"]) await createLivestream(emulator, { title });
            assert.equal((await get(emulator, "/livestreams?record=true&start=2&limit=1")).length, 3);
            emulator.setVariants({ livestreamPaging: true });
            assert.deepEqual(titles(await get(emulator, "/livestreams?record=true")), ["c", "b"]);
            assert.deepEqual(titles(await get(emulator, "/livestreams?record=true&start=2&limit=1")), ["a"]);
        }));

    it("emptyFields", () =>
        withVariants({ emptyFields: "omitted" }, async ({ emulator }) => {
            const path = `/contents/${await createContent(emulator)}`;
            const omitted = await get(emulator, path);
            for (const key of ["description", "tags", "metadata", "duration"]) assert.ok(!(key in omitted), key);
            assert.equal(omitted.mp4_support, false);
            emulator.setVariants({ emptyFields: "null" });
            const nulled = await get(emulator, path);
            for (const key of ["description", "tags", "metadata", "duration"]) assert.equal(nulled[key], null, key);
            const stream = await get(emulator, `/livestreams/${await createLivestream(emulator)}`);
            assert.deepEqual([stream.description, stream.tags, stream.metadata], [null, null, null]);
        }));

    it("put", () =>
        withVariants({ put: "replace" }, async ({ emulator }) => {
            const fields = { description: "d", tags: ["a"], metadata: [{ key: "k", value: "v" }] };
            const content = await createContent(emulator, { ...fields, save_original_copy: true, mp4_support: true });
            await call(emulator, "PUT", `/contents/${content}`, { title: "n", tags: ["b"] });
            const kept = emulator.content(content);
            assert.deepEqual(
                [kept?.title, kept?.description, kept?.tags, kept?.metadata, kept?.saveOriginalCopy, kept?.mp4Support],
                ["n", "", ["b"], [], false, true],
            );
            const stream = await createLivestream(emulator, { ...fields, dvrDurationInMins: 9 });
            await call(emulator, "PUT", `/livestreams/${stream}`, { title: "n" });
            const left = emulator.livestream(stream);
            assert.deepEqual(
                [left?.description, left?.tags, left?.metadata, left?.dvrDurationInMins, left?.record],
                ["", [], [], 0, true],
            );
        }));

    it("putData, deleteData", () =>
        withVariants({ putData: false, deleteData: true }, async ({ emulator }) => {
            const content = await createContent(emulator);
            assert.ok(!("data" in (await call(emulator, "PUT", `/contents/${content}`, { title: "n" })).json));
            const deleted = await call(emulator, "DELETE", `/contents/${content}`);
            assert.equal(deleted.json.data.contentId, content);
            const stream = await createLivestream(emulator);
            assert.ok(!("data" in (await call(emulator, "PUT", `/livestreams/${stream}`, { title: "n" })).json));
        }));

    it("visibleAfterMs, listedAfterMs", () =>
        withVariants({ visibleAfterMs: 100, listedAfterMs: 200 }, async ({ emulator, clock }) => {
            const content = await createContent(emulator);
            const stream = await createLivestream(emulator);
            const seen = async () => [
                (await call(emulator, "GET", `/contents/${content}`)).status,
                (await call(emulator, "PUT", `/livestreams/${stream}`, { title: "n" })).status,
                (await get(emulator, "/contents")).length,
                (await get(emulator, "/livestreams?record=true")).length,
            ];
            assert.deepEqual(await seen(), [404, 404, 0, 0]);
            clock.advance(100);
            assert.deepEqual(await seen(), [200, 200, 0, 0]);
            clock.advance(100);
            assert.deepEqual(await seen(), [200, 200, 1, 1]);
        }));

    it("errorBody, invalidCode", () =>
        withVariants({ errorBody: "json", invalidCode: 422 }, async ({ emulator }) => {
            const invalid = await call(emulator, "POST", "/contents", {});
            assert.equal(invalid.status, 422);
            assert.deepEqual(Object.keys(invalid.json), ["error"]);
            emulator.setVariants({ errorBody: "html" });
            assert.match((await call(emulator, "GET", "/contents/x")).text, /<html>/);
            emulator.setVariants({ errorBody: "empty" });
            const empty = await call(emulator, "GET", "/contents/x");
            assert.deepEqual([empty.status, empty.text], [404, ""]);
        }));

    it("failureReasonKey", () =>
        withVariants({ failureReasonKey: "reason" }, async ({ emulator }) => {
            const id = await createContent(emulator);
            emulator.setContentStatus(id, "Failed", "no audio");
            assert.equal((await get(emulator, `/contents/${id}`)).reason, "no audio");
            emulator.setVariants({ failureReasonKey: null });
            assert.ok(!JSON.stringify(await get(emulator, `/contents/${id}`)).includes("no audio"));
        }));

    it("whileDeleting", () =>
        withVariants({ whileDeleting: "notFound" }, async ({ emulator }) => {
            const id = await createLivestream(emulator);
            assert.equal((await call(emulator, "DELETE", `/livestreams/${id}`)).json.data.status, "Deleting");
            assert.equal((await call(emulator, "GET", `/livestreams/${id}`)).status, 404);
            assert.deepEqual(await get(emulator, "/livestreams?record=true"), []);
        }));

    it("refuses a switch that does not exist", async () => {
        await assert.rejects(startStill({ variants: { nonsense: 1 } as Partial<Variants> }), /Invalid variants/);
        await withVariants({}, async ({ emulator }) => {
            assert.throws(() => emulator.setVariants({ createCode: 204 } as never), /Invalid variants: createCode/);
        });
    });
});
