/** What a wait for one content makes of each answer (A11, A18, C3). */
import assert from "node:assert/strict";
import type { Fault } from "videograph-emulator";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { AuthenticationError, PermissionError } from "../../../provider/dist/api/errors.js";
import { VideographApi } from "../../../provider/dist/api/index.js";
import { Schedule, type WaitOptions } from "../../../provider/dist/wait/schedule.js";
import { untilSettled, Vanished, WaitTimeout } from "../../../provider/dist/wait/untilSettled.js";
import { Machine } from "../../support/machine.ts";
import { rejection } from "../api/support.ts";

const hour = 3_600_000;
const broken: Fault = { kind: "status", status: 500 };
const missing: Fault = { kind: "status", status: 404 };
const silent: Fault = { kind: "hang" };

describe("a wait for one content", () => {
    let machine: Machine;
    let schedule: Schedule;
    let id: string;
    let begin: number;

    beforeEach(async () => {
        machine = new Machine();
        schedule = newSchedule();
        // Some time of the process has passed before.
        await machine.clock.advance(100_000);
        begin = machine.clock.elapsed;
    });

    function newSchedule(): Schedule {
        const { clock } = machine;
        const token = { accessTokenId: "first", secretKey: "key of the first" };
        const outside = { clock, random: () => 0.5, transport: machine.transport() };
        const api = new VideographApi({ baseUrl: "https://video.test", ...token, ...outside });
        return new Schedule(api, clock, new AbortController().signal);
    }

    /** What becomes of the object, from these times on: a status, or a fault of its GETs. */
    type Fates = Record<number, string | Fault>;
    function play(fates: Fates): void {
        const { core, clock } = machine;
        id = core.addContent({ title: "a" }).contentId;
        const act = (fate: string | Fault) => {
            core.clearFaults();
            if (typeof fate !== "string") core.inject({ ...fate, method: "GET", path: "/contents/*" } as Fault);
            else core.setContentStatus(id, fate);
        };
        for (const [ms, fate] of Object.entries(fates)) {
            if (ms === "0") act(fate);
            else void clock.sleep(Number(ms)).then(() => act(fate));
        }
    }
    const settled = (fates: Fates, limit = hour, more?: Partial<WaitOptions>) => {
        play(fates);
        return untilSettled(schedule, id, { deadline: new Deadline(machine.clock, limit), ...more });
    };
    const elapsed = () => machine.clock.elapsed - begin;
    const took = (from: number, to = from) => assert.ok(elapsed() >= from && elapsed() <= to, `${elapsed()} ms`);
    const run = <T>(promise: Promise<T>) => machine.run(promise);
    const timedOut = (fates: Fates, limit: number) => run(rejection(WaitTimeout, settled(fates, limit)));
    const gets = () =>
        machine.core.requests
            .filter(({ path }) => path.includes(id))
            .map(({ at }) => at - machine.clock.now() + elapsed());

    for (const status of ["Ready", "Failed"])
        it(`ends when a content is ${status}, and tells each status on the way`, async () => {
            const told = new Set<string>();
            const onStatus = (one: string) => told.add(one);
            const wait = settled({ 0: "Preparing", 1000: "Processing", 5000: status }, hour, { onStatus });
            assert.equal((await run(wait)).status, status);
            took(5_000, 6_500);
            assert.deepEqual([...told], ["Preparing", "Processing", status]);
        });
    for (const status of ["Deleting", "Deleted"])
        it(`ends when a content is ${status}`, async () => {
            const error = await run(rejection(Vanished, settled({ 0: status })));
            assert.ok(error.message.includes(id) && error.what.includes(status));
            assert.deepEqual(gets(), [0]);
        });
    const mended = { 0: broken, 20000: "Ready", 20001: "Processing" };
    for (const [what, fates, limit, lastStatus, last] of [
        ["the last status", { 0: "Processing" }, 12_000, "Processing", /12 s.*Processing$/],
        ["what the last request failed with", { 0: "Processing", 1000: broken }, 10_000, "Processing", /HTTP 500/],
        ["nothing of a failure before the last answer", mended, 60_000, "Processing", /Processing$/],
        ["the failure before a silence", { 0: broken, 20000: silent }, 40_000, undefined, /HTTP 500[^[]*[^.[]$/],
        ["that nothing was answered", { 0: silent }, 5_000, undefined, /15 s/],
    ] as const)
        it(`whose time is over tells ${what}`, async () => {
            const error = await timedOut(fates, limit);
            assert.equal(error.lastStatus, lastStatus);
            assert.match(error.what, last);
            assert.match(error.message, new RegExp(`${id}.*\\[VG4003`));
        });

    it("looks once more when its time is over, for ten seconds if it takes so long: Ready then is Ready", async () => {
        await timedOut({ 0: silent }, 5_000);
        assert.deepEqual([gets(), elapsed()], [[0, 5_000], 15_000]);
        assert.equal((await run(settled({ 0: "Processing", 5000: "Ready" }, 5_000))).status, "Ready");
        assert.equal(elapsed(), 20_000);
        await timedOut({ 0: "Processing", 5001: "Ready" }, 5_000);
    });

    for (const [status, kind] of [
        [401, AuthenticationError],
        [403, PermissionError],
    ] as const)
        it(`ends with a ${status}, which no further request can change`, async () => {
            await run(rejection(kind, settled({ 0: { kind: "status", status } })));
            assert.deepEqual(gets(), [0]);
        });
    for (const [what, fault] of [
        ["an error of the service", broken],
        ["too many requests", { kind: "status", status: 429 }],
        ["no answer", silent],
        ["a gateway's 404", { kind: "status", status: 404, body: "html" }],
    ] as const)
        it(`goes on after ${what}`, async () => {
            assert.equal((await run(settled({ 0: fault, 20000: "Ready" }))).status, "Ready");
        });

    const bad: Fault = { kind: "status", status: 400 };
    for (const [what, fates, from] of [
        ["for half a minute", { 0: missing }, 30_000],
        ["from when it was found last", { 0: missing, 1000: "Processing", 4000: missing }, 34_000],
        ["whatever else failed between", { 0: missing, 1000: bad, 4000: missing }, 30_000],
    ] as const)
        it(`A18: waits for a content that is not found ${what}`, async () => {
            const error = await run(rejection(Vanished, settled(fates)));
            assert.match(error.message, /404.*id is not one of a content.*VG4006/);
            took(from, from + 5_000);
        });
    for (const [what, fault, code] of [
        ["a 400", bad, "VG5101"],
        ["a 422", { kind: "status", status: 422 }, "VG5101"],
        ["a 409", { kind: "status", status: 409 }, "VG5103"],
        ["a redirect", { kind: "redirect" }, "VG1013"],
        ["an answer without an object", { kind: "body", body: "noData" }, "VG5201"],
        ["an answer without sense", { kind: "body", body: "text" }, "VG5201"],
        ["an answer about another object", { kind: "otherObject" }, "VG5201"],
    ] as [string, Fault, string][])
        it(`W9: ends after half a minute of nothing but ${what}, unless the content was seen`, async () => {
            machine.core.addContent({ title: "another" });
            const refused = { ...fault, times: 1_000 } as Fault;
            await run(assert.rejects(settled({ 0: refused }), new RegExp(code)));
            // An answer that breaks the contract is asked for five times.
            took(30_000, 40_000);
            machine.core.clearFaults();
            assert.equal((await run(settled({ 0: "Processing", 5000: refused, 120000: "Ready" }))).status, "Ready");
        });
    it("A18: that is over while the service may not show a content yet does not say that it was deleted", async () => {
        await timedOut({ 0: missing }, 3_000);
        assert.equal(elapsed(), 3_000);
    });
});
