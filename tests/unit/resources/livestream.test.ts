/** The end of a livestream, which the service deletes after its answer. */
import assert from "node:assert/strict";
import type { Fault } from "videograph-emulator";
import { Machine } from "../../support/machine.ts";

const broken: Fault = { kind: "status", status: 500 };
const missing: Fault = { kind: "status", status: 404 };
const silent: Fault = { kind: "hang" };
const hour = 3_600_000;

describe("the delete of a livestream", () => {
    /** Deletes a livestream, of which the GETs show a status from these times on, or fail. */
    const deleted = async (fates: Record<number, string | Fault>, limit: number) => {
        const machine = new Machine({ deletingTimeMs: 10 * hour });
        const { core, clock } = machine;
        const process = machine.start();
        const made = await process.create({ title: "Stage", region: "us-east-1" }, {}, process.livestream);
        const act = (fate: string | Fault) => {
            core.clearFaults();
            const json = { data: { streamUUID: made.id, status: fate } };
            const shown: Fault = typeof fate === "string" ? { kind: "answer", status: 200, json } : fate;
            core.inject({ ...shown, method: "GET", path: "/livestreams/*" });
        };
        const begin = clock.elapsed;
        for (const [ms, fate] of Object.entries(fates)) void clock.sleep(Number(ms)).then(() => act(fate));
        await process.delete(made, { timeouts: { delete: limit } }, process.livestream);
        return { took: clock.elapsed - begin, isLeaving: process.said.some((line) => line.includes("VG4103")) };
    };

    for (const [what, fates, limit, isLeaving, from, to] of [
        ["ends when it is not found", { 1: "Deleting", 3000: missing }, hour, false, 3_000, 3_600],
        ["ends when it is Deleted", { 1: "Active", 3000: "Deleted" }, hour, false, 3_000, 3_600],
        ["warns that it is not gone when its time is over", { 1: "Deleting" }, 10_000, true, 10_000, 10_000],
        ["looks once more when its time is over", { 1: "Deleting", 9999: missing }, 10_000, false, 10_000, 10_000],
        ["takes no failure for the end", { 1: broken, 20000: "Deleting" }, 60_000, true, 60_000, 60_000],
        ["takes no silence for the end", { 1: silent }, 10_000, true, 20_000, 20_000],
    ] as const)
        it(`L7: ${what}`, async () => {
            const end = await deleted(fates, limit);
            assert.equal(end.isLeaving, isLeaving);
            assert.ok(end.took >= from && end.took <= to, `${end.took} ms`);
        });

    for (const [status, code] of [
        [401, /VG1010/],
        [403, /VG1011/],
    ] as const)
        it(`ends with a ${status}, which no further request can change`, async () => {
            await assert.rejects(deleted({ 1: { kind: "status", status } }, hour), code);
        });
});
