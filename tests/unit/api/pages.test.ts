/** Lists of any paging behaviour are read whole, each object once. */
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
const query = (seen: Seen) => Object.fromEntries(new URL(seen.path, "http://x").searchParams);

interface Paging {
    total: number;
    most?: number;
    standard?: number;
    refusedAbove?: number;
    refusal?: number;
}

/** A service with a default and a largest page. */
const paging =
    ({ total, most = 1000, standard = 10, refusedAbove = 1000, refusal = 400 }: Paging, key = "contentId") =>
    (seen: Seen): Reply => {
        const { start = "0", limit = String(standard) } = query(seen);
        if (Number(limit) > refusedAbove) return { status: refusal };
        const page = ids(total).slice(Number(start), Number(start) + Math.min(Number(limit), most));
        return success(page.map((id) => ({ [key]: id })));
    };

async function all<T>(pages: AsyncIterable<{ items: T[] }>): Promise<T[]> {
    const items: T[] = [];
    for await (const page of pages) items.push(...page.items);
    return items;
}

describe("the list of contents", () => {
    const held = useService();
    const list = async () => {
        const { service } = held;
        const items = await service.clock.runUntil(all(service.api().contents()));
        return items.map(({ contentId }) => contentId);
    };

    for (const [what, behaviour, requests] of [
        ["with pages as asked for", { total: 250 }, 4],
        ["with smaller pages than asked for", { total: 45, most: 20 }, 4],
        ["that is empty", { total: 0 }, 1],
        ["of one content", { total: 1 }, 2],
        ["with at most 30 per page", { total: 45, refusedAbove: 30 }, 4],
        ["with at most 30 per page, as unprocessable", { total: 45, refusedAbove: 30, refusal: 422 }, 4],
        ["with no limit allowed at all", { total: 15, refusedAbove: 10 }, 5],
    ] as const) {
        it(`${what} is read whole`, async () => {
            held.service.script = paging(behaviour);
            assert.deepEqual(await list(), ids(behaviour.total));
            assert.equal(held.service.requests.length, requests);
        });
    }

    it("remembers the page size", async () => {
        const { service } = held;
        service.script = paging({ total: 5, refusedAbove: 30 });
        const api = service.api();
        await service.clock.runUntil(all(api.contents()));
        await service.clock.runUntil(all(api.contents()));
        assert.deepEqual(
            service.requests.map((seen) => query(seen).limit),
            ["100", "30", "30", "30", "30"],
        );
    });

    it("that ignores where to start ends", async () => {
        held.service.script = () => success(ids(10).map((contentId) => ({ contentId })));
        assert.deepEqual(await list(), ids(10));
        assert.equal(held.service.requests.length, 3);
    });

    for (const status of [400, 404, 416, 422]) {
        it(`that answers ${status} beyond its end is read whole, with pages as large as before`, async () => {
            const { service } = held;
            const behave = paging({ total: 150 });
            service.script = (seen) => (Number(query(seen).start ?? 0) >= 150 ? { status } : behave(seen));
            const api = service.api();
            for (const _ of [1, 2]) {
                const items = await service.clock.runUntil(all(api.contents()));
                assert.deepEqual(
                    items.map(({ contentId }) => contentId),
                    ids(150),
                );
            }
            assert.deepEqual([...new Set(service.requests.map((seen) => query(seen).limit))], ["100"]);
        });
    }

    for (const status of [400, 404, 413, 416, 422]) {
        it(`that is cut off by a ${status} in the middle is an error, never whole`, async () => {
            const { service } = held;
            // The position before the refused one has a full page, so the list goes on there.
            const behave = paging({ total: 500 });
            service.script = (seen) => (Number(query(seen).start ?? 0) >= 199 ? { status } : behave(seen));
            const error = await service.clock.runUntil(rejection(IncompleteListError, all(service.api().contents())));
            assert.match(
                error.message,
                /^GET \/contents: the list could not be read completely \(refused positions 199 and 200\)/,
            );
            assert.equal(error.status, status);
        });
    }

    it("one of whose pages is refused is read on where the position before it shows more", async () => {
        const { service } = held;
        const behave = paging({ total: 250 });
        service.script = (seen) => (query(seen).start === "200" ? { status: 400 } : behave(seen));
        assert.deepEqual(await list(), ids(250));
        assert.ok(service.requests.some((seen) => query(seen).start === "199"));
    });

    it("that is cut off where it says more follows is an error", async () => {
        const { service } = held;
        // Known items only, but a full page of them: the position is not heeded there.
        const behave = paging({ total: 500 });
        service.script = (seen) => {
            const start = Number(query(seen).start ?? 0);
            if (start >= 200) return { status: 400 };
            return behave(start === 199 ? { ...seen, path: "/contents?limit=100" } : seen);
        };
        await service.clock.runUntil(rejection(IncompleteListError, all(service.api().contents())));
    });

    it("proves its end by one more request where positions beyond it are refused", async () => {
        const behave = paging({ total: 150 });
        held.service.script = (seen) => (Number(query(seen).start ?? 0) >= 150 ? { status: 400 } : behave(seen));
        assert.deepEqual(await list(), ids(150));
        assert.deepEqual(
            held.service.requests.map((seen) => query(seen).start),
            [undefined, "100", "150", "149"],
        );
    });

    it("that ignores the position and shows only as many as are asked for is an error", async () => {
        const { service } = held;
        service.script = () => success(ids(100).map((contentId) => ({ contentId })));
        await service.clock.runUntil(rejection(IncompleteListError, all(service.api().contents())));
    });

    it("that answers its first page with 404 is no empty list", async () => {
        const { service } = held;
        for (const reply of [{ status: 404, body: "<html>" }, notFound()]) {
            service.script = () => reply;
            await service.clock.runUntil(rejection(ApiError, all(service.api().contents())));
        }
    });

    it("is requested no further than it is read, and tells when each content was created", async () => {
        const { service } = held;
        service.script = () => success(ids(100).map((contentId) => ({ contentId, created_at: 1_750_000_000_000 })));
        for await (const { items } of service.api().contents()) {
            assert.equal(items[0]?.createdOn, 1_750_000_000_000);
            break;
        }
        assert.equal(service.requests.length, 1);
    });

    it("that grows by a whole page while it is read has all contents that were there", async () => {
        let added = 0;
        held.service.script = (seen) => {
            const { start = "0", limit = "10" } = query(seen);
            const all = [...ids(added, 1000), ...ids(250)];
            if (start === "0") added = 100;
            return success(all.slice(Number(start), Number(start) + Number(limit)).map((contentId) => ({ contentId })));
        };
        assert.deepEqual((await list()).sort(), ids(250).sort());
    });

    it("whose second page is not allowed fails", async () => {
        const { service } = held;
        const behave = paging({ total: 150 });
        service.script = (seen) => (query(seen).start === undefined ? behave(seen) : { status: 401 });
        await service.clock.runUntil(rejection(AuthenticationError, all(service.api().contents())));
    });

    it("that moves while it is read has each content once", async () => {
        held.service.script = (seen) =>
            success(
                (query(seen).start === undefined ? ids(100, 5) : query(seen).start === "100" ? ids(10, 98) : []).map(
                    (contentId) => ({ contentId }),
                ),
            );
        assert.deepEqual(await list(), ids(103, 5));
    });

    it("repeats only the page that failed", async () => {
        const { service } = held;
        const behave = paging({ total: 150 });
        service.script = (seen, number) => (number === 2 ? { status: 500 } : behave(seen));
        assert.equal((await list()).length, 150);
        assert.equal(service.requests.length, 4);
    });

    it("that is refused for another reason fails", async () => {
        const { service } = held;
        service.script = () => ({ status: 400, body: { message: "no such environment" } });
        const error = await service.clock.runUntil(rejection(BadRequestError, all(service.api().contents())));
        assert.match(error.message, /^GET \/contents: .*no such environment/);
        assert.equal(service.requests.length, 3);
    });

    it("tells the service's time", async () => {
        const { service } = held;
        service.script = () => ({
            ...success([{ contentId: "a" }]),
            headers: { date: "Tue, 29 Oct 2024 16:56:32 GMT" },
        });
        for await (const page of service.api().contents()) {
            assert.equal(page.serverTime, Date.UTC(2024, 9, 29, 16, 56, 32));
            break;
        }
    });
});

describe("the lists of livestreams", () => {
    const held = useService();
    const list = async (record: boolean) => {
        const { service } = held;
        const items = await service.clock.runUntil(all(service.api().livestreams({ record })));
        return items.map(({ streamUUID }) => streamUUID);
    };

    it("that are empty cost one request", async () => {
        held.service.script = paging({ total: 0 }, "streamUUID");
        assert.deepEqual(await list(true), []);
        assert.equal(held.service.requests.length, 1);
    });

    it("that are short are asked for more as well", async () => {
        held.service.script = paging({ total: 9 }, "streamUUID");
        assert.deepEqual(await list(true), ids(9));
        assert.deepEqual(
            held.service.requests.map(({ path }) => path),
            ["/livestreams?record=true", "/livestreams?record=true&start=9"],
        );
    });

    it("of 10 and more are asked for the rest", async () => {
        held.service.script = paging({ total: 25 }, "streamUUID");
        assert.deepEqual(await list(false), ids(25));
        assert.deepEqual(
            held.service.requests.map(({ path }) => path),
            ["", "&start=10", "&start=20", "&start=25"].map((more) => `/livestreams?record=false${more}`),
        );
    });

    for (const status of [400, 404, 405, 422]) {
        it(`that cannot be paged (${status}) are whole`, async () => {
            const behave = paging({ total: 12, standard: 50 }, "streamUUID");
            held.service.script = (seen) => (query(seen).start ? { status } : behave(seen));
            assert.deepEqual(await list(true), ids(12));
        });
    }

    it("that are paged and cut off in the middle are an error", async () => {
        const { service } = held;
        const behave = paging({ total: 100 }, "streamUUID");
        service.script = (seen) => (Number(query(seen).start ?? 0) >= 29 ? { status: 400 } : behave(seen));
        await service.clock.runUntil(rejection(IncompleteListError, all(service.api().livestreams({ record: true }))));
    });

    it("that are paged, grow and are cut off in the middle are an error", async () => {
        const { service } = held;
        // One came in at the front between the two pages, so they share a livestream.
        service.script = (seen) => {
            const start = Number(query(seen).start ?? 0);
            if (start >= 19) return { status: 400 };
            return success(ids(10, start === 0 ? 0 : start - 1).map((streamUUID) => ({ streamUUID })));
        };
        await service.clock.runUntil(rejection(IncompleteListError, all(service.api().livestreams({ record: true }))));
    });

    it("that are paged in less than 10 are read whole", async () => {
        held.service.script = paging({ total: 7, standard: 3 }, "streamUUID");
        assert.deepEqual(await list(true), ids(7));
    });

    it("that are paged and refuse what is beyond their end are whole", async () => {
        const behave = paging({ total: 25 }, "streamUUID");
        held.service.script = (seen) => (Number(query(seen).start ?? 0) >= 25 ? { status: 400 } : behave(seen));
        assert.deepEqual(await list(true), ids(25));
    });

    it("that ignore where to start and change while they are read have each livestream once", async () => {
        const { service } = held;
        service.script = (_, number) => {
            const now = number === 1 ? ids(5) : number === 2 ? ids(6) : ids(5, 1);
            return success(now.map((streamUUID) => ({ streamUUID })));
        };
        assert.deepEqual(await list(true), ids(6));
    });

    it("whose rest cannot be read fail", async () => {
        const { service } = held;
        const behave = paging({ total: 12 }, "streamUUID");
        service.script = (seen) => (query(seen).start ? { status: 500 } : behave(seen));
        await service.clock.runUntil(rejection(ServerError, all(service.api().livestreams({ record: true }))));
    });

    it("that ignore where to start end", async () => {
        held.service.script = paging({ total: 12, standard: 50 }, "streamUUID");
        const behave = held.service.script;
        held.service.script = (seen, number) => behave({ ...seen, path: "/" }, number);
        assert.deepEqual(await list(true), ids(12));
    });
});
