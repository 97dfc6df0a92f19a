/** How far a list of the service is read (K17): its order is not documented. */
import assert from "node:assert/strict";
import type { ObjectList } from "../../../provider/dist/api/pages.js";
import { Lists, type ServiceObject } from "../../../provider/dist/evidence/lists.js";
import { FakeClock } from "../../support/fakeClock.ts";

const day = 86_400_000;

describe("a list that is read as far back as now", () => {
    const clock = new FakeClock();
    /** Pages of thirty, of objects that are each a day older than the one before. */
    const falling = (titles: (index: number) => string): ServiceObject[] =>
        Array.from({ length: 60 }, (_, index) => ({
            title: titles(index),
            createdOn: clock.now() - (index + 2) * day,
        }));

    async function read(items: readonly ServiceObject[]): Promise<readonly ServiceObject[]> {
        const list: ObjectList<ServiceObject> = {
            name: "contents",
            async *pages() {
                for (let start = 0; start < items.length; start += 30) yield { items: items.slice(start, start + 30) };
            },
        };
        const waiter = { signal: new AbortController().signal };
        return (await clock.runUntil(new Lists(clock).read(list, { since: clock.now() }, waiter))).items;
    }

    const wanted = { title: "Wanted", createdOn: clock.now() };
    const number = (index: number) => String(index).padStart(3, "0");

    it("ends where its order shows that the rest is older", async () => {
        const items = falling((index) => `Film ${(index * 7) % 60}`);
        assert.equal((await read(items)).length, 30);
    });

    for (const [order, titles] of [
        ["rising", (index: number) => `Film ${number(index)}`],
        ["falling", (index: number) => `Film ${number(999 - index)}`],
    ] as const)
        it(`goes on where it may be sorted by its ${order} titles, which are older by chance`, async () => {
            assert.ok((await read([...falling(titles), wanted])).includes(wanted));
        });

    it("goes on where an object has no date, or one is newer than the one before", async () => {
        const items = falling((index) => `Film ${(index * 7) % 60}`);
        assert.ok(
            (await read([...items.slice(0, 20), { title: "No date" }, ...items.slice(20), wanted])).includes(wanted),
        );
        assert.ok((await read([...items.slice(0, 5), wanted, ...items.slice(5)])).length === 61);
    });
});
