/** S4: when a list that is read page by page is whole, and when it is an error; without a network. */
import assert from "node:assert/strict";
import {
    type ApiError,
    BadRequestError,
    ClientError,
    IncompleteListError,
    ServerError,
    UnprocessableError,
} from "../../../provider/dist/api/errors.js";
import { contentPages, livestreamPages, type PageQuery, PageSize } from "../../../provider/dist/api/pages.js";
import { rejection } from "./support.ts";

type Answer = string[] | Error;

const error = (status: number, Kind: typeof ApiError = ClientError) =>
    new Kind(`refused with ${status}` as never, { endpoint: "e", status, outcome: "refused" });
const bad = error(400, BadRequestError);
const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `c${index + from}`);

/** What a list has, as it answers the queries, and the queries. */
async function read(
    kind: "contents" | "livestreams",
    answers: (query: { start: number; limit: number | undefined }, number: number) => Answer,
    { size = new PageSize(), from = 0 } = {},
): Promise<{ items: string[]; queries: PageQuery[]; pages: number }> {
    const queries: PageQuery[] = [];
    const fetch = async (query: PageQuery) => {
        const items = answers({ start: query.start ?? 0, limit: query.limit }, queries.push(query));
        if (items instanceof Error) throw items;
        return { items };
    };
    const identify = (item: string) => item;
    const list = kind === "contents" ? contentPages(size, fetch, identify, from) : livestreamPages(fetch, identify);
    const items: string[] = [];
    let pages = 0;
    for await (const page of list) {
        items.push(...page.items);
        pages++;
    }
    return { items, queries, pages };
}
const incomplete = async (...parameters: Parameters<typeof read>) => {
    const failed = await rejection(IncompleteListError, read(...parameters));
    assert.equal(failed.outcome, "refused");
    return failed;
};

describe("the page size", () => {
    for (const Kind of [BadRequestError, UnprocessableError]) {
        it(`goes down where the larger one is refused with a ${Kind.name}`, async () => {
            const size = new PageSize();
            assert.equal(size.limit, 100);
            const { items, queries } = await read(
                "contents",
                ({ start, limit }) => (limit === undefined ? ids(3).slice(start) : error(400, Kind)),
                { size },
            );
            assert.deepEqual(items, ids(3));
            assert.deepEqual(queries, [{ limit: 100 }, { limit: 30 }, {}, { start: 3 }]);
            assert.equal(size.limit, undefined);
        });
    }
    it("does not go down for another failure, and is not refused for ever", async () => {
        for (const failed of [error(500, ServerError), error(404), new Error("no")]) {
            let requests = 0;
            const answers = () => {
                requests++;
                return failed;
            };
            await assert.rejects(read("contents", answers), (thrown) => thrown === failed);
            assert.equal(requests, 1);
        }
        const refused: unknown[] = [];
        const answers = ({ limit }: { limit: number | undefined }) => {
            refused.push(limit);
            return bad;
        };
        await assert.rejects(read("contents", answers), (thrown) => thrown === bad);
        assert.deepEqual(refused, [100, 30, undefined]);
    });
    it("stays as it is once it was accepted, also for another list", async () => {
        const size = new PageSize();
        await read("contents", ({ start, limit = 0 }) => (limit > 30 ? bad : ids(2).slice(start)), { size });
        await assert.rejects(
            read("contents", () => bad, { size }),
            (thrown) => thrown === bad,
        );
        assert.equal(size.limit, 30);
    });
    it("goes down only once where several lists find out at the same time", async () => {
        const size = new PageSize();
        const answers = ({ start, limit = 0 }: { start: number; limit: number | undefined }) =>
            limit > 30 ? bad : ids(2).slice(start);
        await Promise.all([read("contents", answers, { size }), read("contents", answers, { size })]);
        assert.equal(size.limit, 30);
    });
});

describe("a list of contents", () => {
    const paged =
        (total: number, most = 100) =>
        ({ start, limit = most }: { start: number; limit: number | undefined }) =>
            ids(total).slice(start, start + Math.min(limit, most));

    it("begins where it is asked to", async () => {
        const { items, queries } = await read("contents", paged(5), { from: 3 });
        assert.deepEqual(items, ["c3", "c4"]);
        assert.deepEqual(queries, [
            { start: 3, limit: 100 },
            { start: 5, limit: 100 },
        ]);
    });
    it("that refuses where it is asked to begin is an error, not empty", async () => {
        const refused = error(404);
        await assert.rejects(
            read("contents", ({ start }) => (start === 3 ? refused : ids(1)), { from: 3 }),
            (thrown) => thrown === refused,
        );
    });
    it("without an item is whole after one request", async () => {
        assert.deepEqual(await read("contents", paged(0)), { items: [], queries: [{ limit: 100 }], pages: 0 });
    });

    for (const status of [400, 404, 405, 410, 413, 414, 416, 422]) {
        it(`that refuses what is beyond it with ${status} is whole where the position before shows its end`, async () => {
            const behave = paged(150);
            const { items, queries } = await read("contents", (query) =>
                query.start >= 150 ? error(status) : behave(query),
            );
            assert.deepEqual(items, ids(150));
            assert.deepEqual(
                queries.map(({ start }) => start),
                [undefined, 100, 150, 149],
            );
        });
        it(`of one content that refuses what is beyond it with ${status} is whole`, async () => {
            const { items } = await read("contents", ({ start }) => (start > 0 ? error(status) : ids(1)));
            assert.deepEqual(items, ids(1));
        });
    }
    for (const failed of [error(500, ServerError), error(401), error(403), error(409), error(429)]) {
        it(`is not ended by ${failed.status}, neither beyond it nor at the position before`, async () => {
            const behave = paged(150);
            for (const from of [150, 149]) {
                const answers = (query: { start: number; limit: number | undefined }) =>
                    query.start === from ? failed : query.start > 149 ? bad : behave(query);
                await assert.rejects(read("contents", answers), (thrown) => thrown === failed);
            }
        });
    }
    it("is not ended by what is no answer of the service", async () => {
        for (const failed of [Object.assign(new Error("no"), { status: 404 }), new TypeError("no")]) {
            const behave = paged(150);
            const answers = (query: { start: number; limit: number | undefined }) =>
                query.start === 150 ? failed : behave(query);
            await assert.rejects(read("contents", answers), (thrown) => thrown === failed);
        }
    });

    it("is no whole list where the position before its end is refused as well", async () => {
        const behave = paged(500);
        const failed = await incomplete("contents", (query) => (query.start >= 199 ? error(413) : behave(query)));
        assert.match(
            failed.message,
            /^GET \/contents: the list could not be read completely \(refused positions 199 and 200\)/,
        );
        assert.match(failed.message, / refused with 413/);
        assert.deepEqual([failed.endpoint, failed.status], ["GET /contents", 413]);
    });
    for (const [what, overlap] of [
        ["nothing", []],
        ["a full page of what is known", ids(100)],
        ["more than a page of what is known", ids(120)],
    ] as const) {
        it(`is no whole list where the position before its end shows ${what}`, async () => {
            const behave = paged(150);
            const failed = await incomplete("contents", (query) =>
                query.start === 149 ? [...overlap] : query.start >= 150 ? bad : behave(query),
            );
            assert.match(failed.message, /a refused position 150 after a page that does not end the list/);
            assert.match(failed.message, / refused with 400/);
            assert.equal(failed.status, 400);
        });
    }
    it("is whole where the position before its end shows less than a page, all of it known", async () => {
        for (const overlap of [ids(1, 149), ids(2, 148), ids(99)]) {
            const behave = paged(150);
            const { items } = await read("contents", (query) =>
                query.start === 149 ? overlap : query.start >= 150 ? bad : behave(query),
            );
            assert.deepEqual(items, ids(150));
        }
    });
    it("goes on where the position before a refused one shows more", async () => {
        const behave = paged(250);
        const { items, queries } = await read("contents", (query) => (query.start === 200 ? bad : behave(query)));
        assert.deepEqual(items, ids(250));
        assert.deepEqual(
            queries.map(({ start = 0 }) => start),
            [0, 100, 200, 199, 250],
        );
    });

    it("that shows the same page again is whole at the second time, if the page is not full", async () => {
        const { items, queries } = await read("contents", () => ids(10));
        assert.deepEqual(items, ids(10));
        assert.deepEqual(
            queries.map(({ start = 0 }) => start),
            [0, 10, 20],
        );
        assert.deepEqual((await read("contents", () => ids(99))).items, ids(99));
    });
    it("that shows the same full page again is an error: more may follow", async () => {
        for (const count of [100, 101]) {
            const failed = await incomplete("contents", () => ids(count));
            assert.match(failed.message, /an ignored start position/);
            assert.equal(failed.status, undefined);
            assert.match(failed.message, /list all objects\. \[VG5209\]$/);
        }
        const size = new PageSize();
        const { items } = await read("contents", ({ limit }) => (limit === undefined ? ids(100) : bad), { size });
        assert.deepEqual(items, ids(100), "without a size nothing is asked for");
    });
    it("goes on after a page of nothing but known objects, which new ones have moved", async () => {
        const { items } = await read("contents", (_, number) =>
            number === 1 ? ids(4) : number === 2 ? ids(4) : ids(number === 3 ? 4 : 0, 4),
        );
        assert.deepEqual(items, ids(8));
    });
    it("bears five pages in a row without anything new, if they differ, and no sixth", async () => {
        const other = (number: number) => (number % 2 === 1 ? ids(3) : ids(3, 3));
        const { items, pages } = await read("contents", (_, number) =>
            number <= 7 ? other(number) : number === 8 ? ids(3, 6) : [],
        );
        assert.deepEqual([items, pages], [ids(9), 3]);
        const failed = await incomplete("contents", (_, number) => other(number));
        assert.match(failed.message, /^GET \/contents: .* \(repeated pages\)/);
        // Between them something new: they are counted anew.
        const again = await read("contents", (_, number) =>
            number <= 7 ? other(number) : number === 8 ? ids(3, 6) : number <= 13 ? other(number) : [],
        );
        assert.deepEqual(again.items, ids(9));
    });
    it("has each object once, whichever pages it is on", async () => {
        const pages = [ids(4), ids(4, 2), ids(4, 4), []];
        const { items } = await read("contents", (_, number) => pages[number - 1] ?? []);
        assert.deepEqual(items, ids(8));
    });
});

describe("a list of livestreams", () => {
    it("asks for the rest of a list of one, and for position 0 by name where that is refused", async () => {
        const { items, queries } = await read("livestreams", ({ start }) => (start > 0 ? bad : ids(1)));
        assert.deepEqual(items, ids(1));
        assert.deepEqual(queries, [{}, { start: 1 }, { start: 0 }]);
    });
    it("that refuses every position is whole: it is not paged", async () => {
        const { items } = await read("livestreams", (_, number) => (number > 1 ? error(405) : ids(150)));
        assert.deepEqual(items, ids(150));
    });
    it("that ignores the position, or refuses it beyond the end, is whole whatever its length", async () => {
        for (const count of [1, 10, 100, 150]) {
            assert.deepEqual((await read("livestreams", () => ids(count))).items, ids(count));
            const refusing = ({ start }: { start: number }) => (start >= count ? bad : ids(count));
            assert.deepEqual((await read("livestreams", refusing)).items, ids(count));
        }
    });
    it("ends at the first page that comes again, as long as no page brought more", async () => {
        const { queries } = await read("livestreams", () => ids(12));
        assert.deepEqual(queries, [{}, { start: 12 }]);
    });
    it("that shows more at the next position is paged: cut off in the middle it is an error", async () => {
        const failed = await incomplete("livestreams", ({ start }) => (start >= 19 ? bad : ids(10, start)));
        assert.match(failed.message, /^GET \/livestreams: .* \(refused positions 19 and 20\)/);
        assert.equal(failed.endpoint, "GET /livestreams");
        const empty = await incomplete("livestreams", ({ start }) =>
            start >= 20 ? bad : start === 19 ? [] : ids(10, start),
        );
        assert.match(empty.message, /refused position 20 after/);
    });
    it("that shows more beside all that it showed before is not known to be paged", async () => {
        // A livestream came in while the list was read, of which every page is the whole list.
        const { items } = await read("livestreams", ({ start }, number) =>
            start > 5 ? bad : ids(number === 1 ? 5 : 6),
        );
        assert.deepEqual(items, ids(6));
    });
    it("that moves on without anything new is not known to be paged", async () => {
        const { items } = await read("livestreams", (_, number) =>
            number === 1 ? ids(4) : number === 2 ? ids(3, 1) : bad,
        );
        assert.deepEqual(items, ids(4));
    });
    it("fails as its first page does", async () => {
        const refused = error(404);
        await assert.rejects(
            read("livestreams", () => refused),
            (thrown) => thrown === refused,
        );
    });
});
