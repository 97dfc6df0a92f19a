/** S1: a list is read to its proven end, or not at all: a search that finds nothing creates an object. */
import assert from "node:assert/strict";
import { ApiError, IncompleteListError } from "../../../provider/dist/api/errors.js";
import { notFound, type Reply, rejection, type Seen, success, useService } from "./support.ts";

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `c${i + from}`);
const query = (seen: Seen): Record<string, string> => Object.fromEntries(new URL(seen.path, "http://x").searchParams);
/** The items of either kind of list. */
const page = (names: readonly string[]) => success(names.map((id) => ({ contentId: id, streamUUID: id })));
const startOf = (seen: Seen) => Number(query(seen).start ?? 0);

interface Paging {
    total: number;
    /** The largest page. */
    most?: number;
    /** A larger size is refused. */
    refusedAbove?: number;
    refusal?: number;
}

const paging =
    ({ total, most = 1000, refusedAbove = 1000, refusal = 400 }: Paging) =>
    (seen: Seen): Reply => {
        const { limit = "10" } = query(seen);
        if (Number(limit) > refusedAbove) return { status: refusal };
        return page(ids(total).slice(startOf(seen), startOf(seen) + Math.min(Number(limit), most)));
    };

type Answer = (seen: Seen, number: number) => Reply;

describe("lists", () => {
    const held = useService();
    /** Ids, and the positions that were asked for. */
    const read = async (kind: "contents" | "livestreams", script: Answer) => {
        const { service } = held;
        const before = service.requests.length;
        service.script = (seen, number) => script(seen, number - before);
        const api = service.api();
        const list = kind === "contents" ? api.contents.lists[0] : api.livestreams.lists.at(-1);
        const pages = list?.pages() ?? [];
        const items: string[] = [];
        const all = async () => {
            for await (const { items: some } of pages)
                items.push(...some.map((item) => ("contentId" in item ? item.contentId : item.streamUUID)));
        };
        await service.clock.runUntil(all());
        return { items, starts: service.requests.slice(before).map(({ path }) => /start=(\d+)/.exec(path)?.[1]) };
    };
    const fails = (kind: typeof ApiError, ...lists: Parameters<typeof read>) => rejection(kind, read(...lists));

    describe("of contents", () => {
        for (const [what, behaviour, requests] of [
            ["with pages as asked for", { total: 250 }, 4],
            ["with smaller pages than asked for", { total: 45, most: 20 }, 4],
            ["that are empty", { total: 0 }, 1],
            ["of one content", { total: 1 }, 2],
            ["that refuse the size of a page", { total: 15, refusedAbove: 30 }, 4],
            ["that refuse the size of a page as unprocessable", { total: 15, refusedAbove: 30, refusal: 422 }, 4],
        ] as const)
            it(`${what} are read whole`, async () => {
                const { items, starts } = await read("contents", paging(behaviour));
                assert.deepEqual(items, ids(behaviour.total));
                assert.equal(starts.length, requests);
            });
        it("whose first page is an error are not empty", async () => {
            await fails(ApiError, "contents", () => notFound());
            await fails(ApiError, "contents", () => ({ status: 404, body: "<html>" }));
            await fails(ApiError, "contents", () => ({ status: 400 }));
        });

        for (const status of [400, 404, 405, 410, 413, 414, 416, 422])
            it(`that refuse what is beyond their end with ${status} are whole where the position before shows it`, async () => {
                for (const total of [1, 150]) {
                    const behave = paging({ total });
                    const body = status === 404 ? "<html>" : {};
                    const { items, starts } = await read("contents", (seen) =>
                        startOf(seen) >= total ? { status, body } : behave(seen),
                    );
                    assert.deepEqual(items, ids(total));
                    assert.equal(starts.at(-1) ?? "0", String(total - 1));
                }
            });
        for (const status of [401, 403, 409, 500])
            it(`are not ended by ${status}, neither beyond their end nor at the position before`, async () => {
                const behave = paging({ total: 150 });
                for (const from of [150, 149]) {
                    const error = await fails(ApiError, "contents", (seen) =>
                        startOf(seen) === from ? { status } : startOf(seen) > 149 ? { status: 400 } : behave(seen),
                    );
                    assert.equal(error.status, status);
                    assert.ok(!(error instanceof IncompleteListError));
                }
            });
        for (const [what, overlap] of [
            ["is refused as well", undefined],
            ["shows nothing", []],
            ["shows a full page of what is known", ids(100)],
        ] as const)
            it(`K14: are never whole where the position before a refused one ${what}`, async () => {
                const behave = paging({ total: 500 });
                const error = await fails(IncompleteListError, "contents", (seen) => {
                    if (startOf(seen) === 199 && overlap !== undefined) return page(overlap);
                    return startOf(seen) >= 199 ? { status: 413 } : behave(seen);
                });
                assert.deepEqual([error.status, error.outcome], [413, "refused"]);
                assert.match(error.message, /^GET \/contents: .*\[VG5209/);
            });
        it("are read on where the position before a refused one shows more", async () => {
            const behave = paging({ total: 250 });
            const { items, starts } = await read("contents", (seen) =>
                startOf(seen) === 200 ? { status: 400 } : behave(seen),
            );
            assert.deepEqual([items, starts], [ids(250), [undefined, "100", "200", "199", "250"]]);
        });

        it("that ignore the position are never whole", async () => {
            await fails(IncompleteListError, "contents", () => page(ids(10)));
        });
        it("that grow by a whole page while they are read have all contents that were there", async () => {
            let added = 0;
            const { items } = await read("contents", (seen) => {
                const all = [...ids(added, 1000), ...ids(250)];
                if (startOf(seen) === 0) added = 100;
                return page(all.slice(startOf(seen), startOf(seen) + 100));
            });
            assert.deepEqual(items.sort(), ids(250).sort());
        });
        it("that move while they are read have each content once", async () => {
            const pages = [ids(4), ids(4, 2), ids(4, 4), []];
            const { items } = await read("contents", (_, number) => page(pages[number - 1] ?? []));
            assert.deepEqual(items, ids(8));
        });
        it("repeat only the page that failed, and are requested no further than they are read", async () => {
            const { service } = held;
            const behave = paging({ total: 150 });
            const { starts } = await read("contents", (seen, number) =>
                number === 2 ? { status: 500 } : behave(seen),
            );
            assert.equal(starts.length, 4);
            for await (const _ of service.api().contents.lists[0].pages()) break;
            assert.equal(service.requests.length, 5);
        });
        it("tell when each content was created, and the service's time", async () => {
            const headers = { date: "Tue, 29 Oct 2024 16:56:32 GMT" };
            held.service.script = () => ({ ...success([{ contentId: "a", created_at: 1_750_000_000_000 }]), headers });
            const { value } = await held.service.api().contents.lists[0].pages()[Symbol.asyncIterator]().next();
            assert.equal(value?.items[0]?.createdOn, 1_750_000_000_000);
            assert.equal(value.serverTime, Date.UTC(2024, 9, 29, 16, 56, 32));
        });
    });

    describe("of livestreams", () => {
        for (const [what, script, total, starts] of [
            ["are empty", paging({ total: 0 }), 0, [undefined]],
            ["are short", paging({ total: 9 }), 9, [undefined, "9"]],
            ["have 10 and more", paging({ total: 25 }), 25, [undefined, "10", "20", "25"]],
            ["ignore the position, however many they are", () => page(ids(150)), 150, [undefined, "150"]],
        ] as const)
            it(`are whole where they ${what}`, async () => {
                const got = await read("livestreams", script);
                assert.deepEqual([got.items, got.starts], [ids(total), starts]);
                assert.ok(held.service.requests.every(({ path }) => path.includes("record=true")));
            });
        for (const status of [400, 404, 405, 422])
            it(`are whole where they refuse every position, or those beyond their end, with ${status}`, async () => {
                for (const total of [1, 12, 150]) {
                    const isUnpaged: Answer = (seen) => ("start" in query(seen) ? { status } : page(ids(total)));
                    assert.deepEqual((await read("livestreams", isUnpaged)).items, ids(total));
                    const behave = paging({ total });
                    const isPaged: Answer = (seen) => (startOf(seen) >= total ? { status } : behave(seen));
                    assert.deepEqual((await read("livestreams", isPaged)).items, ids(total));
                }
            });
        it("that are paged and cut off in the middle are an error", async () => {
            const behave = paging({ total: 100 });
            const isCut: Answer = (seen) => (startOf(seen) >= 29 ? { status: 400 } : behave(seen));
            await fails(IncompleteListError, "livestreams", isCut);
        });
        it("that ignore the position and grow while they are read have each livestream once", async () => {
            const { items } = await read("livestreams", (_, number) => page(ids(number === 1 ? 5 : 6)));
            assert.deepEqual(items, ids(6));
        });
        it("whose rest cannot be read fail, as those whose first page does", async () => {
            const isHalf: Answer = (seen) => ("start" in query(seen) ? { status: 500 } : page(ids(12)));
            await fails(ApiError, "livestreams", isHalf);
            await fails(ApiError, "livestreams", () => notFound());
        });
    });
});
