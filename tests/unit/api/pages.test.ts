/** S4: lists of any paging behaviour are read whole, each object once; a list that cannot be read whole is an error. */
import assert from "node:assert/strict";
import {
    ApiError,
    AuthenticationError,
    BadRequestError,
    IncompleteListError,
    ServerError,
} from "../../../provider/dist/api/errors.js";
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
    /** The page without a size. */
    standard?: number;
    /** A larger size is refused. */
    refusedAbove?: number;
    refusal?: number;
}

const paging =
    ({ total, most = 1000, standard = 10, refusedAbove = 1000, refusal = 400 }: Paging) =>
    (seen: Seen): Reply => {
        const { limit = String(standard) } = query(seen);
        if (Number(limit) > refusedAbove) return { status: refusal };
        return page(ids(total).slice(startOf(seen), startOf(seen) + Math.min(Number(limit), most)));
    };

describe("lists", () => {
    const held = useService();
    const run = <T>(promise: Promise<T>) => held.service.clock.runUntil(promise);
    /** Ids, and how each page was asked for. */
    const read = async (kind: "contents" | "livestreams", script: (seen: Seen, number: number) => Reply, from = 0) => {
        const { service } = held;
        const before = service.requests.length;
        service.script = (seen, number) => script(seen, number - before);
        const api = service.api();
        const pages = kind === "contents" ? api.contents({}, from) : api.livestreams({ record: true });
        const items: string[] = [];
        for await (const { items: some } of pages) {
            items.push(...some.map((item) => ("contentId" in item ? item.contentId : item.streamUUID)));
        }
        return { items, queries: service.requests.slice(before).map(query) };
    };
    const contents = (script: (seen: Seen, number: number) => Reply) => run(read("contents", script));
    const livestreams = (script: (seen: Seen, number: number) => Reply) => run(read("livestreams", script));
    const fails = <E extends ApiError>(
        kind: new (...rest: never[]) => E,
        list: "contents" | "livestreams",
        script: (seen: Seen, number: number) => Reply,
    ) => run(rejection(kind, read(list, script)));

    describe("of contents", () => {
        for (const [what, behaviour, requests] of [
            ["with pages as asked for", { total: 250 }, 4],
            ["with smaller pages than asked for", { total: 45, most: 20 }, 4],
            ["that are empty", { total: 0 }, 1],
            ["of one content", { total: 1 }, 2],
            ["with at most 30 per page", { total: 45, refusedAbove: 30 }, 4],
            ["with at most 30 per page, as unprocessable", { total: 45, refusedAbove: 30, refusal: 422 }, 4],
            ["with no limit allowed at all", { total: 15, refusedAbove: 10 }, 5],
        ] as const) {
            it(`${what} are read whole`, async () => {
                const { items, queries } = await contents(paging(behaviour));
                assert.deepEqual(items, ids(behaviour.total));
                assert.equal(queries.length, requests);
            });
        }
        it("are asked for in the page size that was accepted once", async () => {
            const { service } = held;
            service.script = paging({ total: 5, refusedAbove: 30 });
            const api = service.api();
            const both = async () => {
                for (const _ of [1, 2]) for await (const _ of api.contents());
            };
            await run(both());
            assert.deepEqual(
                service.requests.map((seen) => query(seen).limit),
                ["100", "30", "30", "30", "30"],
            );
        });
        it("begin where they are asked to, and an error there is no empty list", async () => {
            const { items } = await run(read("contents", paging({ total: 5 }), 3));
            assert.deepEqual(items, ["c3", "c4"]);
            const refused = read("contents", (seen) => (startOf(seen) === 3 ? notFound() : page(ids(1))), 3);
            await run(rejection(ApiError, refused));
            for (const reply of [{ status: 404, body: "<html>" }, notFound()]) {
                await fails(ApiError, "contents", () => reply);
            }
            const error = await fails(BadRequestError, "contents", () => ({ status: 400, body: { message: "none" } }));
            assert.match(error.message, /^GET \/contents: .*none/);
        });

        for (const status of [400, 404, 405, 410, 413, 414, 416, 422]) {
            it(`that refuse what is beyond their end with ${status} are whole where the position before shows it`, async () => {
                for (const total of [1, 150]) {
                    const behave = paging({ total });
                    const { items, queries } = await contents((seen) =>
                        startOf(seen) >= total ? { status } : behave(seen),
                    );
                    assert.deepEqual(items, ids(total));
                    assert.deepEqual([...new Set(queries.map(({ limit }) => limit))], ["100"]);
                    assert.equal(queries.at(-1)?.start ?? "0", String(total - 1));
                }
            });
        }
        it("that a gateway refuses beyond their end are not asked for again and again", async () => {
            const behave = paging({ total: 150 });
            const { queries } = await contents((seen) =>
                startOf(seen) >= 150 ? { status: 404, body: "<html>" } : behave(seen),
            );
            assert.deepEqual(
                queries.map(({ start }) => start),
                [undefined, "100", "150", "149"],
            );
        });
        for (const status of [401, 403, 409, 429, 500]) {
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
        }
        for (const [what, overlap] of [
            ["is refused as well", undefined],
            ["shows nothing", []],
            ["shows a full page of what is known", ids(100)],
            ["shows more than a page of what is known", ids(120)],
        ] as const) {
            it(`are never whole where the position before a refused one ${what}`, async () => {
                const behave = paging({ total: 500 });
                const error = await fails(IncompleteListError, "contents", (seen) => {
                    if (startOf(seen) === 199 && overlap !== undefined) return page(overlap);
                    return startOf(seen) >= 199 ? { status: 413 } : behave(seen);
                });
                assert.deepEqual([error.endpoint, error.status, error.outcome], ["GET /contents", 413, "refused"]);
                assert.match(error.message, /^GET \/contents: .*\[VG5209/);
            });
        }
        it("are whole where the position before their end shows less than a page, all of it known", async () => {
            for (const overlap of [ids(1, 149), ids(2, 148), ids(99)]) {
                const behave = paging({ total: 150 });
                const { items } = await contents((seen) =>
                    startOf(seen) === 149 ? page(overlap) : startOf(seen) >= 150 ? { status: 400 } : behave(seen),
                );
                assert.deepEqual(items, ids(150));
            }
        });
        it("are read on where the position before a refused one shows more", async () => {
            const behave = paging({ total: 250 });
            const { items, queries } = await contents((seen) =>
                startOf(seen) === 200 ? { status: 400 } : behave(seen),
            );
            assert.deepEqual(items, ids(250));
            assert.deepEqual(
                queries.map(({ start }) => start),
                [undefined, "100", "200", "199", "250"],
            );
        });

        it("that ignore the position end, unless they show as many as are asked for", async () => {
            for (const count of [10, 99]) {
                const { items, queries } = await contents(() => page(ids(count)));
                assert.deepEqual(items, ids(count));
                assert.equal(queries.length, 3);
            }
            for (const count of [100, 101]) await fails(IncompleteListError, "contents", () => page(ids(count)));
        });
        it("that grow by a whole page while they are read have all contents that were there", async () => {
            let added = 0;
            const { items } = await contents((seen) => {
                const all = [...ids(added, 1000), ...ids(250)];
                if (startOf(seen) === 0) added = 100;
                return page(all.slice(startOf(seen), startOf(seen) + 100));
            });
            assert.deepEqual(items.sort(), ids(250).sort());
        });
        it("that move while they are read have each content once", async () => {
            const pages = [ids(4), ids(4, 2), ids(4, 4), []];
            const { items } = await contents((_, number) => page(pages[number - 1] ?? []));
            assert.deepEqual(items, ids(8));
        });
        it("bear five pages in a row without anything new, if they differ, and no sixth", async () => {
            const other = (number: number) => page(number % 2 === 1 ? ids(3) : ids(3, 3));
            // After something new they are counted again.
            const { items } = await contents((_, number) =>
                number === 8 ? page(ids(3, 6)) : number <= 13 ? other(number) : page([]),
            );
            assert.deepEqual(items, ids(9));
            await fails(IncompleteListError, "contents", (_, number) => other(number));
        });
        it("repeat only the page that failed, and are requested no further than they are read", async () => {
            const behave = paging({ total: 150 });
            const { queries } = await contents((seen, number) => (number === 2 ? { status: 500 } : behave(seen)));
            assert.equal(queries.length, 4);
            const { service } = held;
            const before = service.requests.length;
            for await (const _ of service.api().contents()) break;
            assert.equal(service.requests.length - before, 1);
        });
        it("whose second page is not allowed fail", async () => {
            const behave = paging({ total: 150 });
            await fails(AuthenticationError, "contents", (seen) =>
                startOf(seen) === 0 ? behave(seen) : { status: 401 },
            );
        });
        it("tell when each content was created, and the service's time", async () => {
            const { service } = held;
            service.script = () => ({
                ...success([{ contentId: "a", created_at: 1_750_000_000_000 }]),
                headers: { date: "Tue, 29 Oct 2024 16:56:32 GMT" },
            });
            for await (const { items, serverTime } of service.api().contents()) {
                assert.equal(items[0]?.createdOn, 1_750_000_000_000);
                assert.equal(serverTime, Date.UTC(2024, 9, 29, 16, 56, 32));
                break;
            }
        });
    });

    describe("of livestreams", () => {
        for (const [what, script, total, starts] of [
            ["are empty", paging({ total: 0 }), 0, [undefined]],
            ["are short", paging({ total: 9 }), 9, [undefined, "9"]],
            ["have 10 and more", paging({ total: 25 }), 25, [undefined, "10", "20", "25"]],
            ["are paged in less than 10", paging({ total: 7, standard: 3 }), 7, [undefined, "3", "6", "7"]],
            ["ignore the position", () => page(ids(12)), 12, [undefined, "12"]],
            ["ignore it, however many they are", () => page(ids(150)), 150, [undefined, "150"]],
        ] as const) {
            it(`are whole where they ${what}`, async () => {
                const { items, queries } = await livestreams(script);
                assert.deepEqual(items, ids(total));
                assert.deepEqual(
                    queries.map(({ start }) => start),
                    starts,
                );
                assert.equal(queries[0]?.record, "true");
            });
        }
        for (const status of [400, 404, 405, 422]) {
            it(`are whole where they refuse every position, or those beyond their end, with ${status}`, async () => {
                for (const total of [1, 12, 150]) {
                    const { items } = await livestreams((seen) =>
                        "start" in query(seen) ? { status } : page(ids(total)),
                    );
                    assert.deepEqual(items, ids(total));
                    const behave = paging({ total });
                    const whole = await livestreams((seen) => (startOf(seen) >= total ? { status } : behave(seen)));
                    assert.deepEqual(whole.items, ids(total));
                }
            });
        }
        it("that are paged and cut off in the middle are an error", async () => {
            const behave = paging({ total: 100 });
            await fails(IncompleteListError, "livestreams", (seen) =>
                startOf(seen) >= 29 ? { status: 400 } : behave(seen),
            );
            // One came in at the front between the two pages, so they share a livestream.
            await fails(IncompleteListError, "livestreams", (seen) =>
                startOf(seen) >= 19 ? { status: 400 } : page(ids(10, Math.max(0, startOf(seen) - 1))),
            );
        });
        it("that ignore the position and change while they are read have each livestream once", async () => {
            const { items } = await livestreams((_, number) =>
                page(number === 1 ? ids(5) : number === 2 ? ids(6) : ids(5, 1)),
            );
            assert.deepEqual(items, ids(6));
            // Every page is the whole list, and one that is refused does not make it a paged one.
            const refused = await livestreams((seen, number) =>
                startOf(seen) > 5 ? { status: 400 } : page(ids(number === 1 ? 5 : 6)),
            );
            assert.deepEqual(refused.items, ids(6));
        });
        it("whose rest cannot be read fail, as those whose first page does", async () => {
            await fails(ServerError, "livestreams", (seen) =>
                "start" in query(seen) ? { status: 500 } : page(ids(12)),
            );
            await fails(ApiError, "livestreams", () => notFound());
        });
    });
});
