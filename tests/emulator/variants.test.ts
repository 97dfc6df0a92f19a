import assert from "node:assert/strict";
import type { Variants } from "videograph-emulator";
import { channel, minimal, startCore, startStill } from "./support.ts";

type Core = ReturnType<typeof startCore>;

const titles = (items: { title: string }[]) => items.map((item) => item.title);
const order = async ({ content, get }: Core, count: number) => {
    for (let index = 0; index < count; index++) await content({ title: "abcdefgh"[index] });
    return titles(await get("/contents")).join("");
};
const fields = { description: "d", tags: ["a"], metadata: [{ key: "k", value: "v" }] };
const other = { id: "other", secret: "s" };

const now = Date.UTC(2026, 0, 1);

/** What one of these, created just now or Ready by now, shows of these fields; `undefined`: nothing. */
const shown: [Partial<Variants>, "content" | "stream", Record<string, unknown>, "Ready"?][] = [
    [{ policyKey: "playbackPolicy" }, "content", { playbackPolicy: ["public"], playback_policy: undefined }],
    [{ contentCreatedKey: "createdOn" }, "content", { createdOn: now, created_at: undefined }],
    [{ livestreamCreatedKey: "created_at" }, "stream", { created_at: now, createdOn: undefined }],
    [{ createdSkewMs: -300_000 }, "content", { created_at: now - 300_000 }],
    [{ createdSkewMs: -300_000 }, "stream", { createdOn: now - 300_000 }],
    [{ ingestKey: "ingestUrl" }, "stream", { rtmpUrl: undefined }],
    [{ rtmpsUrl: "empty" }, "stream", { rtmpsUrl: "" }],
    [{ thumbnails: "thumbnails" }, "content", { thumbnailUrl: undefined }, "Ready"],
    [{ thumbnails: "none" }, "content", { thumbnailUrl: undefined, thumbnails: undefined }, "Ready"],
    [{ emptyFields: "omitted" }, "content", { description: undefined, tags: undefined, metadata: undefined }],
    [{ emptyFields: "null" }, "content", { description: null, tags: null, metadata: null, duration: null }],
    [{ emptyFields: "null" }, "stream", { description: null, tags: null, metadata: null }],
    [{ statusId: "pending" }, "content", { statusId: 1 }],
    [{ statusId: "pending" }, "content", { statusId: undefined }, "Ready"],
    [{ statusId: "all" }, "content", { statusId: 2 }, "Ready"],
    [{ statusId: "none" }, "content", { statusId: undefined }],
    [{ fields: { title: "absent", tags: "string" } }, "content", { title: undefined, tags: "[]" }],
    [
        { fields: { duration: "array", mp4_support: "object" } },
        "content",
        { duration: [0], mp4_support: { value: false } },
    ],
    [{ fields: { status: "number", created_at: "boolean" } }, "content", { status: 1, created_at: true }],
    [{ fields: { rtmpsUrl: "null" } }, "stream", { rtmpsUrl: null }],
];

/** What is done with these variants, and what is seen. */
const cases: [Partial<Variants>, (core: Core) => Promise<unknown>, unknown][] = [
    [
        { ingestKey: "both" },
        async ({ get, stream }) => {
            const { ingestUrl, rtmpUrl } = await get(`/livestreams/${await stream()}`);
            return ingestUrl === rtmpUrl;
        },
        true,
    ],
    [
        { pendingStatuses: ["Pending", "Processing"] },
        async ({ get, content, clock }) => {
            const id = await content();
            const seen: string[] = [];
            for (let at = 0; at <= 1000; at += 250) {
                seen.push((await get(`/contents/${id}`)).status);
                await clock.advance(250);
            }
            return seen;
        },
        ["Pending", "Pending", "Processing", "Processing", "Ready"],
    ],
    [
        { idShape: "sequential" },
        async ({ call, content, stream, core, get }) => {
            core.addToken({ ...other, environmentId: 2 });
            const ids = [await content(), await stream()];
            const elsewhere = await call("POST", "/contents", { ...minimal, title: "There" }, { token: other });
            await call("DELETE", "/contents/1", undefined, { token: other });
            return [ids, elsewhere.json.data.contentId, (await get("/contents/1")).title];
        },
        [["1", "2"], "1", minimal.title],
    ],
    [
        { listMetadata: true, listTags: true },
        async ({ get, content, stream }) => {
            await content(fields);
            await stream(fields);
            const items = [...(await get("/contents")), ...(await get("/livestreams?record=true"))];
            return items.map(({ tags, metadata }) => ({ tags, metadata }));
        },
        Array(2).fill({ tags: fields.tags, metadata: fields.metadata }),
    ],
    [{ listOrder: "oldest" }, (core) => order(core, 3), "abc"],
    [{ listOrder: "newest" }, (core) => order(core, 3), "cba"],
    [
        { listOrder: "unstable" },
        async (core) => {
            const seen = [await order(core, 3)];
            for (let turn = 0; turn < 2; turn++) seen.push(titles(await core.get("/contents")).join(""));
            return [new Set(seen).size, seen.map((one) => [...one].sort().join(""))];
        },
        [3, ["abc", "abc", "abc"]],
    ],
    [
        { listOrder: "random" },
        async (core) => {
            const seen = [await order(core, 8)];
            for (let turn = 0; turn < 4; turn++) seen.push(titles(await core.get("/contents")).join(""));
            return [new Set(seen).size > 2, new Set(seen.map((one) => [...one].sort().join(""))).size];
        },
        [true, 1],
    ],
    [
        { pageDefault: 2, pageMaximum: 3 },
        async (core) => {
            await order(core, 5);
            const length = async (query: string) => (await core.get(`/contents${query}`)).length;
            const lengths = [await length(""), await length("?limit=3"), await length("?limit=4")];
            core.core.setVariants({ overMaximum: "reject" });
            return [
                ...lengths,
                await core.status("GET", "/contents?limit=4"),
                await core.status("GET", "/contents?limit=3"),
            ];
        },
        [2, 3, 3, 400, 200],
    ],
    [
        { pageDefault: 2 },
        async ({ core, get, stream }) => {
            for (const title of ["a", "b", "c"]) await stream({ title });
            const path = "/livestreams?record=true";
            const whole = titles(await get(`${path}&start=2&limit=1`));
            core.setVariants({ livestreamPaging: true });
            return [whole, titles(await get(path)), titles(await get(`${path}&start=2&limit=1`))];
        },
        [["c", "b", "a"], ["c", "b"], ["a"]],
    ],
    [
        { put: "replace" },
        async ({ core, call, content, stream }) => {
            const [one, two] = [
                await content({ ...fields, mp4_support: true }),
                await stream({ ...fields, dvrDurationInMins: 9 }),
            ];
            await call("PUT", `/contents/${one}`, { title: "n", tags: ["b"] });
            await call("PUT", `/livestreams/${two}`, { title: "n" });
            const [kept, left] = [core.content(one), core.livestream(two)];
            return [
                kept?.description,
                kept?.tags,
                kept?.metadata,
                kept?.mp4Support,
                left?.tags,
                left?.dvrDurationInMins,
                left?.record,
            ];
        },
        ["", ["b"], [], true, [], 0, true],
    ],
    [
        { putData: false, deleteData: true },
        async ({ call, content }) => {
            const id = await content();
            const put = (await call("PUT", `/contents/${id}`, { title: "n" })).json.data;
            return [put, (await call("DELETE", `/contents/${id}`)).json.data.contentId === id];
        },
        [undefined, true],
    ],
    [
        { visibleAfterMs: 100, listedAfterMs: 200 },
        async ({ status, get, content, stream, clock }) => {
            const [one, two] = [await content(), await stream()];
            const seen: number[][] = [];
            for (let at = 0; at <= 200; at += 100) {
                const put = await status("PUT", `/livestreams/${two}`, { title: "n" });
                const lists = [await get("/contents"), await get("/livestreams?record=true")];
                seen.push([await status("GET", `/contents/${one}`), put, ...lists.map(({ length }) => length)]);
                await clock.advance(100);
            }
            return seen;
        },
        [
            [404, 404, 0, 0],
            [200, 200, 0, 0],
            [200, 200, 1, 1],
        ],
    ],
    [
        { listedAfterMs: [0, 1000] },
        async ({ content, get, clock }) => {
            for (let index = 0; index < 20; index++) await content();
            await clock.advance(500);
            const half = (await get("/contents?limit=100")).length;
            await clock.advance(500);
            return [half > 0 && half < 20, (await get("/contents?limit=100")).length];
        },
        [true, 20],
    ],
    [
        { errorBody: "json", invalidCode: 422 },
        async ({ core, call }) => {
            const { status, json } = await call("POST", "/contents", {});
            core.setVariants({ errorBody: "html" });
            const { text } = await call("GET", "/contents/x");
            core.setVariants({ errorBody: "empty" });
            return [status, Object.keys(json), /<html>/.test(text), (await call("GET", "/contents/x")).text];
        },
        [422, ["error"], true, ""],
    ],
    [
        { errorBody: "json", notFoundBody: "html" },
        async ({ call }) => {
            const { text } = await call("GET", "/contents/none");
            return [/^<html>/.test(text), Object.keys((await call("POST", "/contents", {})).json)];
        },
        [true, ["error"]],
    ],
    [
        { failureReasonKey: "reason" },
        async ({ core, content, get }) => {
            const id = await content();
            core.setContentStatus(id, "Failed", "no audio");
            const { reason } = await get(`/contents/${id}`);
            core.setVariants({ failureReasonKey: null });
            return [reason, JSON.stringify(await get(`/contents/${id}`)).includes("no audio")];
        },
        ["no audio", false],
    ],
    [
        { whileDeleting: "notFound" },
        async ({ call, stream, status, get }) => {
            const path = `/livestreams/${await stream()}`;
            const { json } = await call("DELETE", path);
            return [json.data.status, await status("GET", path), await get("/livestreams?record=true")];
        },
        ["Deleting", 404, []],
    ],
    [
        { createData: "terse" },
        async ({ call }) => {
            const [one, two] = [await call("POST", "/contents", minimal), await call("POST", "/livestreams", channel)];
            return [Object.keys(one.json.data), Object.keys(two.json.data)];
        },
        [
            ["contentId", "status"],
            ["streamUUID", "status"],
        ],
    ],
    ...Object.entries({ kept: "  a   b ", trimmed: "a   b", collapsed: "a b" }).map(
        ([how, title]): (typeof cases)[number] => [
            { titles: how as Variants["titles"] },
            async ({ core, call, content, stream }) => {
                const given = { title: "  a   b " };
                const [made, put, live] = [await content(given), await content(), await stream(given)];
                await call("PUT", `/contents/${put}`, given);
                return [core.content(made)?.title, core.content(put)?.title, core.livestream(live)?.title];
            },
            [title, title, title],
        ],
    ),
    [
        { collections: "sorted" },
        async ({ core, content, get }) => {
            const id = await content({
                tags: ["b", "c", "a"],
                metadata: ["z", "a"].map((key) => ({ key, value: "1" })),
            });
            const seen = async () => {
                const { tags, metadata } = await get(`/contents/${id}`);
                return [...tags, ...metadata.map(({ key }: { key: string }) => key)].join("");
            };
            const sorted = await seen();
            core.setVariants({ collections: "reversed" });
            return [sorted, await seen(), core.content(id)?.tags.join("")];
        },
        ["abcaz", "acbaz", "bca"],
    ],
    ...([400, 404, 413, 416, 422] as const).map((pastEnd): (typeof cases)[number] => [
        { pastEnd },
        async (core) => {
            const empty = await core.status("GET", "/contents");
            await order(core, 3);
            const at = (start: number) => core.status("GET", `/contents?start=${start}`);
            return [empty, await at(2), await at(3), await at(9)];
        },
        [200, 200, pastEnd, pastEnd],
    ]),
    [
        { offsetMaximum: 2, offsetCode: 413, livestreamPaging: true },
        async ({ stream, status }) => {
            for (let index = 0; index < 5; index++) await stream();
            const at = (start: number) => status("GET", `/livestreams?record=true&start=${start}&limit=1`);
            return [await at(2), await at(3)];
        },
        [200, 413],
    ],
    [
        { listStaleMs: 5000, readStaleMs: 2000 },
        async ({ content, stream, clock, call, get, status }) => {
            const [id, live] = [await content({ title: "Old" }), await stream()];
            await clock.advance(10_000);
            await call("PUT", `/contents/${id}`, { title: "New" });
            await call("DELETE", `/livestreams/${live}`);
            const added = await content({ title: "Added" });
            // Writes act on what is.
            const seen: unknown[] = [await status("PUT", `/contents/${added}`, { title: "Added" })];
            for (let at = 0; at <= 6000; at += 2000) {
                const lists = [titles(await get("/contents")).join(), (await get("/livestreams")).length];
                const single = [await status("GET", `/contents/${added}`), await status("GET", `/livestreams/${live}`)];
                seen.push([...lists, (await get(`/contents/${id}`)).title, ...single].join(" "));
                await clock.advance(2000);
            }
            return seen;
        },
        [200, "Old 1 Old 404 200", "Old 1 New 200 200", "Old 1 New 200 404", "Added,New 0 New 200 404"],
    ],
    ...Object.entries({
        ok: { status: "OK", code: 200 },
        success: { success: true },
        failure: { success: false },
        empty: undefined,
    }).map(([deleteBody, body]): (typeof cases)[number] => [
        { deleteBody: deleteBody as Variants["deleteBody"] },
        async ({ core, call, content }) => {
            const { status, json } = await call("DELETE", `/contents/${await content()}`);
            return [status, json, core.contents().length];
        },
        [200, body, 0],
    ]),
    [
        { unauthorizedCode: 403, challenge: true },
        async ({ call }) => {
            const { status, headers } = await call("GET", "/contents", undefined, { token: { id: "", secret: "" } });
            return [status, /^Basic/.test(String(headers["www-authenticate"]))];
        },
        [403, true],
    ],
];

describe("emulator: variants", () => {
    for (const [variants, kind, expected, ready] of shown) {
        it(`${JSON.stringify(variants)} shows ${JSON.stringify(expected)}`, async () => {
            const core = startCore({ variants });
            const path = kind === "content" ? "/contents/" : "/livestreams/";
            const id = await core[kind]();
            if (ready) await core.clock.advance(1000);
            const all = await core.get(path + id);
            assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]])), expected);
        });
    }
    it("createCode, dateSkewMs: of every answer", async () => {
        const { call, core, clock } = startCore({ variants: { createCode: 200, dateSkewMs: 120_000 } });
        const { status, json, headers } = await call("POST", "/livestreams", channel);
        assert.deepEqual([status, json.code, Date.parse(String(headers.date))], [200, 200, clock.now() + 120_000]);
        core.setVariants({ dateSkewMs: null });
        assert.equal((await call("GET", "/contents")).headers.date, undefined);
    });
    it("itemThumbnails: whether lists show that of what is not Ready", async () => {
        const { core, content, get } = startCore({ variants: { itemThumbnails: "ready" } });
        await content();
        assert.ok(!("thumbnailUrl" in (await get("/contents"))[0]));
        core.setVariants({ itemThumbnails: "always" });
        assert.ok("thumbnailUrl" in (await get("/contents"))[0]);
    });

    for (const [variants, act, expected] of cases) {
        it(JSON.stringify(variants), async () => assert.deepEqual(await act(startCore({ variants })), expected));
    }

    for (const [idShape, expected] of [
        ["uuid", /^[0-9a-f]{8}-[0-9a-f-]{27}$/],
        ["opaque", /^v\.[\w-]{8}~[0-9A-F]{6}_-$/],
        ["numeric", /^\d{9}$/],
        ["number", /^\d{9}$/],
    ] as const) {
        it(`idShape ${idShape}: can be read, updated and deleted by`, async () => {
            const { content, get, status } = startCore({ variants: { idShape } });
            const id = await content();
            const path = `/contents/${encodeURIComponent(id)}`;
            assert.match(id, expected);
            assert.equal(typeof (await get(path)).contentId, idShape === "number" ? "number" : "string");
            assert.deepEqual([await status("PUT", path, { title: "n" }), await status("DELETE", path)], [200, 200]);
        });
    }

    it("streamKeyInPlaybackUrl: plays all the same, and with no other key", async () => {
        const { emulator } = await startStill({ variants: { streamKeyInPlaybackUrl: true } });
        await using _ = emulator;
        const { streamUUID, streamKey } = emulator.addLivestream({ title: "a" });
        emulator.updateLivestream(streamUUID, { status: "Active" });
        const url = `${emulator.url}/playback/${streamUUID}/${streamKey}/master.m3u8`;
        const shown = await fetch(url).then(({ status }) => status);
        assert.deepEqual([shown, (await fetch(url.replace(`/${streamKey}/`, "/0/"))).status], [200, 404]);
    });

    it("randomFields: any form of any field but the essential ones, the same from the same seed", async () => {
        const shapes = async (randomFields: number) => {
            const { content, get } = startCore({ variants: { randomFields } });
            const shown: string[] = [];
            await content();
            for (let index = 0; index < 50; index++) {
                const [item] = await get("/contents");
                assert.deepEqual([typeof item.contentId, item.title, item.status], ["string", "Trailer", "Preparing"]);
                shown.push("thumbnailUrl" in item ? typeof item.thumbnailUrl : "absent");
            }
            return shown;
        };
        const first = await shapes(5);
        assert.deepEqual([...new Set(first)].sort(), ["absent", "boolean", "number", "object", "string"]);
        assert.deepEqual(await shapes(5), first);
        assert.notDeepEqual(await shapes(6), first);
    });

    it("refuses a switch or a value that does not exist", () => {
        assert.throws(() => startCore({ variants: { nonsense: 1 } as Partial<Variants> }), /Invalid variants/);
        assert.throws(() => startCore().core.setVariants({ createCode: 204 } as never), /createCode/);
    });
});
