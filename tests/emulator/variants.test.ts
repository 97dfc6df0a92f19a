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
const now = Date.UTC(2026, 0, 1);
const inTwoMinutes = new Date(now + 120_000).toUTCString();

/** What one of these, created just now or Ready by now, shows of these fields; `undefined`: nothing. */
const shown: [Partial<Variants>, "content" | "stream", Record<string, unknown>, "Ready"?][] = [
    [{ createdSkewMs: -300_000 }, "content", { created_at: now - 300_000 }],
    [{ createdSkewMs: -300_000 }, "stream", { createdOn: now - 300_000 }],
    [{ statusId: "pending" }, "content", { statusId: undefined }, "Ready"],
    [{ statusId: "all" }, "content", { statusId: 2 }, "Ready"],
    [{ fields: { title: "absent", tags: "string" } }, "content", { title: undefined, tags: "[]" }],
    [{ fields: { duration: "array" } }, "content", { duration: [0] }],
    [{ fields: { mp4_support: "object" } }, "content", { mp4_support: { value: false } }],
    [{ fields: { status: "number", created_at: "boolean" } }, "content", { status: 1, created_at: true }],
    [{ fields: { rtmpsUrl: "null" } }, "stream", { rtmpsUrl: null }],
];

/** What is done with these variants, and what is seen. */
const cases: [Partial<Variants>, (core: Core) => Promise<unknown>, unknown][] = [
    [{ dateSkewMs: 120_000 }, async ({ call }) => (await call("GET", "/contents")).headers.date, inTwoMinutes],
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
        { deleteBody: "failure" },
        async ({ core, call, content }) => {
            const { status, json } = await call("DELETE", `/contents/${await content()}`);
            return [status, json, core.contents().length];
        },
        [200, { success: false }, 0],
    ],
];

describe("emulator: variants", () => {
    for (const [variants, kind, expected, ready] of shown)
        it(`${JSON.stringify(variants)} shows ${JSON.stringify(expected)}`, async () => {
            const core = startCore({ variants });
            const path = kind === "content" ? "/contents/" : "/livestreams/";
            const id = await core[kind]();
            if (ready) await core.clock.advance(1000);
            const all = await core.get(path + id);
            assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]])), expected);
        });
    for (const [variants, act, expected] of cases)
        it(JSON.stringify(variants), async () => assert.deepEqual(await act(startCore({ variants })), expected));
    it("that do not exist, or not with that value, are refused", () => {
        assert.throws(() => startCore({ variants: { nonsense: 1 } as Partial<Variants> }), /Invalid variants/);
        assert.throws(() => startCore().core.setVariants({ createCode: 204 } as never), /createCode/);
    });
});
