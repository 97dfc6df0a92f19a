import assert from "node:assert/strict";
import type { Emulator, Variants } from "videograph-emulator";
import { type Clock, call, channel, createContent, createLivestream, minimal, startStill } from "./support.ts";

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

    it("createData: no more than id and status", () =>
        withVariants({ createData: "terse" }, async ({ emulator }) => {
            const content = (await call(emulator, "POST", "/contents", minimal)).json.data;
            assert.deepEqual(Object.keys(content), ["contentId", "status"]);
            const stream = (await call(emulator, "POST", "/livestreams", channel)).json.data;
            assert.deepEqual(Object.keys(stream), ["streamUUID", "status"]);
        }));

    it("titles: kept, trimmed, collapsed; by PUT as well", async () => {
        const title = "  a   b ";
        for (const [titles, expected] of [
            ["kept", title],
            ["trimmed", "a   b"],
            ["collapsed", "a b"],
        ] as const) {
            await withVariants({ titles }, async ({ emulator }) => {
                const ids = [await createContent(emulator, { title }), await createContent(emulator)];
                await call(emulator, "PUT", `/contents/${ids[1]}`, { title });
                const stream = await createLivestream(emulator, { title });
                const seen = [...ids.map((id) => emulator.content(id)?.title), emulator.livestream(stream)?.title];
                assert.deepEqual(seen, [expected, expected, expected]);
            });
        }
    });

    it("idShape: sequential ids coincide in two environments", () =>
        withVariants({ idShape: "sequential" }, async ({ emulator }) => {
            emulator.addToken({ id: "other", secret: "s", environmentId: 2 });
            const there = { token: { id: "other", secret: "s" } };
            assert.deepEqual([await createContent(emulator), await createLivestream(emulator)], ["1", "2"]);
            const elsewhere = await call(emulator, "POST", "/contents", { ...minimal, title: "There" }, there);
            assert.equal(elsewhere.json.data.contentId, "1");
            assert.equal((await get(emulator, "/contents/1")).title, minimal.title);
            assert.equal((await call(emulator, "DELETE", "/contents/1", undefined, there)).status, 200);
            assert.equal((await get(emulator, "/contents/1")).title, minimal.title);
        }));

    it("ingestKey: both", () =>
        withVariants({ ingestKey: "both" }, async ({ emulator }) => {
            const stream = await get(emulator, `/livestreams/${await createLivestream(emulator)}`);
            assert.equal(stream.rtmpUrl, stream.ingestUrl);
        }));

    it("streamKeyInPlaybackUrl: plays all the same, and with no other key", () =>
        withVariants({ streamKeyInPlaybackUrl: true }, async ({ emulator }) => {
            const id = await createLivestream(emulator);
            emulator.updateLivestream(id, { status: "Active" });
            const { streamKey, playbackUrl } = await get(emulator, `/livestreams/${id}`);
            assert.ok(playbackUrl.includes(`/${streamKey}/`));
            assert.equal((await fetch(playbackUrl)).status, 200);
            assert.equal((await fetch(playbackUrl.replace(streamKey, "0"))).status, 404);
        }));

    it("statusId: 1 until Ready, with guesses, never", async () => {
        for (const [statusId, pending, ready] of [
            ["pending", 1, undefined],
            ["all", 1, 2],
            ["none", undefined, undefined],
        ] as const) {
            await withVariants({ statusId }, async ({ emulator, clock }) => {
                const id = await createContent(emulator);
                assert.equal((await get(emulator, `/contents/${id}`)).statusId, pending);
                clock.advance(1000);
                assert.equal((await get(emulator, `/contents/${id}`)).statusId, ready);
            });
        }
    });

    it("itemThumbnails: the thumbnail of what is not Ready can be had, unless lists leave it out", () =>
        withVariants({}, async ({ emulator }) => {
            await createContent(emulator);
            const [item] = await get(emulator, "/contents");
            assert.equal((await fetch(item.thumbnailUrl)).status, 200);
            emulator.setVariants({ itemThumbnails: "ready" });
            assert.ok(!("thumbnailUrl" in (await get(emulator, "/contents"))[0]));
        }));

    it("collections: tags and metadata in another order", () =>
        withVariants({ collections: "sorted" }, async ({ emulator }) => {
            const metadata = [
                { key: "z", value: "1" },
                { key: "a", value: "2" },
            ];
            const id = await createContent(emulator, { tags: ["b", "c", "a"], metadata });
            const seen = async () => {
                const content = await get(emulator, `/contents/${id}`);
                return [content.tags.join(""), content.metadata.map(({ key }: { key: string }) => key).join("")];
            };
            assert.deepEqual(await seen(), ["abc", "az"]);
            emulator.setVariants({ collections: "reversed" });
            assert.deepEqual(await seen(), ["acb", "az"]);
            assert.deepEqual(emulator.content(id)?.tags, ["b", "c", "a"]);
        }));

    it("fields: each form, by name, in single answers and in lists", () =>
        withVariants({}, async ({ emulator }) => {
            const id = await createContent(emulator, { tags: ["a"] });
            const stream = await createLivestream(emulator);
            emulator.setVariants({
                fields: {
                    ...{ title: "absent", tags: "string", duration: "array", mp4_support: "object" },
                    ...{ status: "number", streamKey: "number", rtmpsUrl: "null", created_at: "boolean" },
                },
            });
            const content = await get(emulator, `/contents/${id}`);
            assert.ok(!("title" in content));
            assert.deepEqual(
                [content.tags, content.duration, content.mp4_support, content.status, content.created_at],
                ['["a"]', [0], { value: false }, 1, true],
            );
            const shown = await get(emulator, `/livestreams/${stream}`);
            assert.equal(shown.streamKey, Number(emulator.livestream(stream)?.streamKey));
            assert.equal(shown.rtmpsUrl, null);
            assert.equal((await get(emulator, "/contents"))[0].status, 1);
        }));

    it("randomFields: any form of any field but the essential ones, the same from the same seed", async () => {
        const shapes = async (randomFields: number) => {
            const shown: string[] = [];
            await withVariants({ randomFields }, async ({ emulator }) => {
                await createContent(emulator);
                for (let index = 0; index < 50; index++) {
                    const [item] = await get(emulator, "/contents");
                    assert.equal(typeof item.contentId, "string");
                    assert.deepEqual([item.title, item.status], ["Trailer", "Preparing"]);
                    shown.push("thumbnailUrl" in item ? typeof item.thumbnailUrl : "absent");
                }
            });
            return shown;
        };
        const first = await shapes(5);
        assert.deepEqual([...new Set(first)].sort(), ["absent", "boolean", "number", "object", "string"]);
        assert.deepEqual(await shapes(5), first);
        assert.notDeepEqual(await shapes(6), first);
    });

    it("createdSkewMs, dateSkewMs", () =>
        withVariants({ createdSkewMs: -300_000, dateSkewMs: 120_000 }, async ({ emulator, clock }) => {
            const answer = await call(emulator, "POST", "/contents", minimal);
            assert.equal(answer.json.data.created_at, clock.time - 300_000);
            assert.equal(Date.parse(answer.headers.get("date") ?? ""), clock.time + 120_000);
            const stream = await get(emulator, `/livestreams/${await createLivestream(emulator)}`);
            assert.equal(stream.createdOn, clock.time - 300_000);
            emulator.setVariants({ dateSkewMs: null });
            assert.equal((await call(emulator, "GET", "/contents")).headers.get("date"), null);
        }));

    it("listOrder: random, another one each time", () =>
        withVariants({ listOrder: "random" }, async ({ emulator }) => {
            for (let index = 0; index < 8; index++) await createContent(emulator, { title: `t${index}` });
            const orders = new Set<string>();
            for (let index = 0; index < 5; index++) {
                const seen: string[] = titles(await get(emulator, "/contents"));
                assert.equal(new Set(seen).size, 8);
                orders.add(seen.join());
            }
            assert.ok(orders.size > 2);
        }));

    it("pastEnd: a page after the last one is refused, an empty list is not", async () => {
        for (const pastEnd of [400, 404, 413, 416, 422] as const) {
            await withVariants({ pastEnd }, async ({ emulator }) => {
                const status = async (query: string) => (await call(emulator, "GET", `/contents${query}`)).status;
                assert.equal(await status(""), 200);
                for (let index = 0; index < 3; index++) await createContent(emulator);
                assert.deepEqual(
                    [await status("?start=2"), await status("?start=3"), await status("?start=9")],
                    [200, pastEnd, pastEnd],
                );
            });
        }
    });

    it("offsetMaximum, offsetCode: later pages are refused though there is more", () =>
        withVariants({ offsetMaximum: 2, offsetCode: 413, livestreamPaging: true }, async ({ emulator }) => {
            for (let index = 0; index < 5; index++) await createLivestream(emulator);
            const status = async (start: number) =>
                (await call(emulator, "GET", `/livestreams?record=true&start=${start}&limit=1`)).status;
            assert.deepEqual([await status(2), await status(3)], [200, 413]);
        }));

    it("listStaleMs, readStaleMs: answers show what was, and writes act on what is", () =>
        withVariants({ listStaleMs: 5000, readStaleMs: 2000 }, async ({ emulator, clock }) => {
            const id = await createContent(emulator, { title: "Old" });
            const stream = await createLivestream(emulator);
            clock.advance(10_000);
            await call(emulator, "PUT", `/contents/${id}`, { title: "New" });
            await call(emulator, "DELETE", `/livestreams/${stream}`);
            const added = await createContent(emulator, { title: "Added" });
            const seen = async () => [
                titles(await get(emulator, "/contents")).join(),
                (await get(emulator, "/livestreams")).length,
                (await get(emulator, `/contents/${id}`)).title,
                (await call(emulator, "GET", `/contents/${added}`)).status,
                (await call(emulator, "GET", `/livestreams/${stream}`)).status,
            ];
            assert.deepEqual(await seen(), ["Old", 1, "Old", 404, 200]);
            assert.equal((await call(emulator, "PUT", `/contents/${added}`, { title: "Added" })).status, 200);
            clock.advance(2000);
            assert.deepEqual(await seen(), ["Old", 1, "New", 200, 200]);
            clock.advance(2000);
            assert.deepEqual(await seen(), ["Old", 1, "New", 200, 404]);
            clock.advance(2000);
            assert.deepEqual(await seen(), ["Added,New", 0, "New", 200, 404]);
            await call(emulator, "DELETE", `/contents/${id}`);
            assert.deepEqual(titles(await get(emulator, "/contents")), ["Added", "New"]);
            assert.equal((await call(emulator, "DELETE", `/contents/${id}`)).status, 404);
        }));

    it("visibleAfterMs, listedAfterMs: a time of its own for each object", () =>
        withVariants({ listedAfterMs: [0, 1000] }, async ({ emulator, clock }) => {
            for (let index = 0; index < 20; index++) await createContent(emulator);
            clock.advance(500);
            const half = (await get(emulator, "/contents?limit=100")).length;
            assert.ok(half > 0 && half < 20, `${half} of 20`);
            clock.advance(500);
            assert.equal((await get(emulator, "/contents?limit=100")).length, 20);
        }));

    it("deleteBody: carried out, whatever it says", async () => {
        for (const [deleteBody, expected] of [
            ["ok", { status: "OK", code: 200 }],
            ["success", { success: true }],
            ["failure", { success: false }],
            ["empty", undefined],
        ] as const) {
            await withVariants({ deleteBody }, async ({ emulator }) => {
                const answer = await call(emulator, "DELETE", `/contents/${await createContent(emulator)}`);
                assert.deepEqual([answer.status, answer.json], [200, expected]);
                assert.deepEqual(emulator.contents(), []);
            });
        }
    });

    it("notFoundBody: of 404 alone", () =>
        withVariants({ errorBody: "json", notFoundBody: "html" }, async ({ emulator }) => {
            assert.match((await call(emulator, "GET", "/contents/none")).text, /^<html>/);
            assert.deepEqual(Object.keys((await call(emulator, "POST", "/contents", {})).json), ["error"]);
        }));

    it("unauthorizedCode, challenge", () =>
        withVariants({ unauthorizedCode: 403, challenge: true }, async ({ emulator }) => {
            const answer = await call(emulator, "GET", "/contents", undefined, { token: null });
            assert.equal(answer.status, 403);
            assert.match(answer.headers.get("www-authenticate") ?? "", /^Basic/);
        }));

    it("can be set from JSON by name, as a report on an account would have them", async () => {
        const report = JSON.parse(
            '{"variants":{"createCode":200,"listedAfterMs":[0,9],"pendingStatuses":["Pending"]}}',
        );
        await withVariants(report.variants, async ({ emulator }) => {
            for (const [name, value] of Object.entries(report.variants)) {
                assert.deepEqual(emulator.variants[name as keyof Variants], value);
            }
        });
    });

    it("refuses a switch that does not exist", async () => {
        await assert.rejects(startStill({ variants: { nonsense: 1 } as Partial<Variants> }), /Invalid variants/);
        await withVariants({}, async ({ emulator }) => {
            assert.throws(() => emulator.setVariants({ createCode: 204 } as never), /Invalid variants: createCode/);
        });
    });
});
