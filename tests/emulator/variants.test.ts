import assert from "node:assert/strict";
import type { Variants } from "videograph-emulator";
import { channel, minimal, startCore } from "./support.ts";

type Core = ReturnType<typeof startCore>;

const titles = (items: { title: string }[]) => items.map((item) => item.title).join("");
const create = async ({ content, get }: Core, count: number) => {
    for (let index = 0; index < count; index++) await content({ title: "abcdefgh"[index] });
    return titles(await get("/contents"));
};
const fields = { description: "d", tags: ["a"], metadata: [{ key: "k", value: "v" }] };
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
        { createCode: 200, createData: "terse" },
        async ({ call }) => {
            const both = [await call("POST", "/contents", minimal), await call("POST", "/livestreams", channel)];
            return both.map(({ status, json }) => [status, json.code, ...Object.keys(json.data)]);
        },
        [
            [200, 200, "contentId", "status"],
            [200, 200, "streamUUID", "status"],
        ],
    ],
    [
        { dateSkewMs: 120_000 },
        async ({ core, call }) => {
            const ahead = Date.parse(String((await call("GET", "/contents")).headers.date)) - now;
            core.setVariants({ dateSkewMs: null });
            return [ahead, (await call("GET", "/contents")).headers.date];
        },
        [120_000, undefined],
    ],
    [
        { itemThumbnails: "ready" },
        async ({ core, content, get }) => {
            await content();
            const has = async () => "thumbnailUrl" in (await get("/contents"))[0];
            const before = await has();
            core.setVariants({ itemThumbnails: "always" });
            return [before, await has()];
        },
        [false, true],
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
            const token = { id: "other", secret: "s" };
            core.addToken({ ...token, environmentId: 2 });
            const ids = [await content(), await stream()];
            const elsewhere = await call("POST", "/contents", { ...minimal, title: "There" }, { token });
            await call("DELETE", "/contents/1", undefined, { token });
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
    [{ listOrder: "oldest" }, (core) => create(core, 3), "abc"],
    ...(["unstable", "random"] as const).map((listOrder): (typeof cases)[number] => [
        { listOrder },
        async (core) => {
            const seen = [await create(core, 8)];
            for (let turn = 0; turn < 4; turn++) seen.push(titles(await core.get("/contents")));
            return [new Set(seen).size > 2, new Set(seen.map((one) => [...one].sort().join(""))).size];
        },
        [true, 1],
    ]),
    [
        { pageDefault: 2, pageMaximum: 3 },
        async (core) => {
            await create(core, 5);
            const length = async (query: string) => (await core.get(`/contents${query}`)).length;
            const lengths = [await length(""), await length("?limit=3"), await length("?limit=4")];
            core.core.setVariants({ overMaximum: "reject" });
            const status = (limit: number) => core.status("GET", `/contents?limit=${limit}`);
            return [...lengths, await status(4), await status(3)];
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
        ["cba", "cb", "a"],
    ],
    [
        { pastEnd: 416, offsetMaximum: 5 },
        async (core) => {
            const empty = await core.status("GET", "/contents");
            await create(core, 3);
            const at = (start: number) => core.status("GET", `/contents?start=${start}`);
            return [empty, await at(2), await at(3), await at(5), await at(6)];
        },
        [200, 200, 416, 416, 400],
    ],
    [
        { put: "replace" },
        async ({ core, call, content, stream }) => {
            const one = await content({ ...fields, mp4_support: true });
            const two = await stream({ ...fields, dvrDurationInMins: 9 });
            await call("PUT", `/contents/${one}`, { title: "n", tags: ["b"] });
            await call("PUT", `/livestreams/${two}`, { title: "n" });
            const [kept, left] = [core.content(one), core.livestream(two)];
            return [
                [kept?.description, kept?.tags, kept?.metadata, kept?.mp4Support],
                [left?.tags, left?.dvrDurationInMins, left?.record],
            ];
        },
        [
            ["", ["b"], [], true],
            [[], 0, true],
        ],
    ],
    [
        { putData: false, deleteData: true },
        async ({ data, content }) => {
            const path = `/contents/${await content()}`;
            return [await data("PUT", path, { title: "n" }), (await data("DELETE", path)).title];
        },
        [undefined, "n"],
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
        { deletedShownMs: 2000 },
        async ({ status, get, content, clock }) => {
            const path = `/contents/${await content()}`;
            await status("DELETE", path);
            await clock.advance(1999);
            const before = [await status("GET", path), await status("DELETE", path), (await get("/contents")).length];
            await clock.advance(1);
            return [...before, await status("GET", path)];
        },
        [200, 404, 0, 404],
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
        { unauthorizedCode: 403, challenge: true },
        async ({ call }) => {
            const { status, headers } = await call("GET", "/contents", undefined, { token: null });
            return [status, /^Basic/.test(String(headers["www-authenticate"]))];
        },
        [403, true],
    ],
    [
        { whileDeleting: "notFound" },
        async ({ data, stream, status, get }) => {
            const path = `/livestreams/${await stream()}`;
            return [(await data("DELETE", path)).status, await status("GET", path), await get("/livestreams")];
        },
        ["Deleting", 404, []],
    ],
    [
        { subtitleBeforeReady: 409, subtitleList: "empty" },
        async ({ core, clock, content, get, status }) => {
            const path = `/contents/${await content()}/subtitles`;
            const subtitle = { url: "https://a.test/en.vtt", name: "English", language_code: "en" };
            const add = () => status("POST", path, { ...subtitle, support_closed_captions: false });
            const before = await add();
            await clock.advance(1000);
            const seen = [before, await add(), await get(path)];
            core.setVariants({ subtitleList: 404 });
            return [...seen, await status("GET", path)];
        },
        [409, 200, [], 404],
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
            const metadata = ["z", "a"].map((key) => ({ key, value: "1" }));
            const id = await content({ tags: ["b", "c", "a"], metadata });
            const seen = async () => {
                const { tags, metadata } = await get(`/contents/${id}`);
                return [...tags, ...metadata.map(({ key }: { key: string }) => key)].join("");
            };
            const sorted = await seen();
            core.setVariants({ collections: "reversed" });
            return [sorted, await seen()];
        },
        ["abcaz", "acbaz"],
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
    ...Object.entries({
        uuid: /^[0-9a-f]{8}-[0-9a-f-]{27}$/,
        opaque: /^v\.[\w-]{8}~[0-9A-F]{6}_-$/,
        numeric: /^\d{9}$/,
        number: /^\d{9}$/,
    }).map(([idShape, form]): (typeof cases)[number] => [
        { idShape: idShape as Variants["idShape"] },
        async ({ content, get, status }) => {
            const id = await content();
            const path = `/contents/${encodeURIComponent(id)}`;
            const { contentId } = await get(path);
            const codes = [await status("PUT", path, { title: "n" }), await status("DELETE", path)];
            return [form.test(id), typeof contentId, ...codes];
        },
        [true, idShape === "number" ? "number" : "string", 200, 200],
    ]),
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
    for (const [variants, act, expected] of cases) {
        it(JSON.stringify(variants), async () => assert.deepEqual(await act(startCore({ variants })), expected));
    }
    it("that do not exist, or not with that value, are refused", () => {
        assert.throws(() => startCore({ variants: { nonsense: 1 } as Partial<Variants> }), /Invalid variants/);
        assert.throws(() => startCore().core.setVariants({ createCode: 204 } as never), /createCode/);
    });
});
