// What the test of the probe does not show: that turns each variant that an account can show, one by one.
import assert from "node:assert/strict";
import type { Variants } from "videograph-emulator";
import { minimal, startCore } from "./support.ts";

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
    [{ createdSkewMs: -300_000 }, "content", { created_at: now - 300_000 }],
    [{ createdSkewMs: -300_000 }, "stream", { createdOn: now - 300_000 }],
    [{ emptyFields: "null" }, "content", { description: null, tags: null, metadata: null, duration: null }],
    [{ statusId: "pending" }, "content", { statusId: undefined }, "Ready"],
    [{ statusId: "all" }, "content", { statusId: 2 }, "Ready"],
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
        { dateSkewMs: 120_000 },
        async ({ call }) => Date.parse(String((await call("GET", "/contents")).headers.date)) - now,
        120_000,
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
        { deleteBody: "failure" },
        async ({ core, call, content }) => {
            const { status, json } = await call("DELETE", `/contents/${await content()}`);
            return [status, json, core.contents().length];
        },
        [200, { success: false }, 0],
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
    for (const [variants, act, expected] of cases) {
        it(JSON.stringify(variants), async () => assert.deepEqual(await act(startCore({ variants })), expected));
    }
    it("that do not exist, or not with that value, are refused", () => {
        assert.throws(() => startCore({ variants: { nonsense: 1 } as Partial<Variants> }), /Invalid variants/);
        assert.throws(() => startCore().core.setVariants({ createCode: 204 } as never), /createCode/);
    });
});
