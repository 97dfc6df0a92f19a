/**
 * `npm run bench:waiting`: the package's own wait for many contents, in virtual time: requests, and how late Ready is
 * noticed, for sizes that no machine could run for real.
 */
import { parseArgs } from "node:util";
import { Deadline } from "../provider/dist/api/clock.js";
import { Schedule } from "../provider/dist/wait/schedule.js";
import { untilSettled } from "../provider/dist/wait/untilSettled.js";
import { FakeClock, seededRandom } from "../tests/support/fakeClock.ts";
import { ProcessingService } from "../tests/support/processingService.ts";
import { latencyMs, percentile } from "./service.ts";

const { values } = parseArgs({
    options: {
        n: { type: "string", default: "1,10,100,1000,10000" },
        help: { type: "boolean" },
    },
});
if (values.help) {
    console.log("npm run bench:waiting -- [--n <contents>,…]");
    process.exit();
}

/** How long each is processed, evenly spread; all are created evenly within the third. */
const [shortestMs, longestMs, createdMs] = [60_000, 180_000, 60_000];
const heads = ["contents", "requests each", "GETs each", "pages", "median lag", "p95", "max"];
const row = (cells: readonly string[]) =>
    cells.map((cell, at) => cell.padStart(Math.max((heads[at] ?? "").length, 6) + 2)).join("");
console.log(row(heads));
for (const count of values.n.split(",").map(Number)) {
    const service = await waited(count);
    const { get, list } = service.requests;
    console.log(
        row([
            count.toLocaleString("en-US"),
            ((get + list) / count).toFixed(2),
            (get / count).toFixed(2),
            list.toLocaleString("en-US"),
            ...[0.5, 0.95, 1].map((share) => `${((percentile(share, service.lags) ?? 0) / 1000).toFixed(2)} s`),
        ]),
    );
}

async function waited(count: number): Promise<ProcessingService> {
    const clock = new FakeClock();
    const service = new ProcessingService(clock);
    service.latency = latencyMs;
    const { signal } = new AbortController();
    const schedule = new Schedule(service.api, clock, signal);
    const random = seededRandom(1);
    const began = clock.now();
    const all: Promise<unknown>[] = [];
    for (let index = 0; index < count; index++) {
        const id = service.add(shortestMs + random() * (longestMs - shortestMs));
        const options = { deadline: new Deadline(clock, 24 * 3_600_000), fresh: true };
        all.push(untilSettled(schedule, id, options).then(() => service.noticed(id)));
        const next = began + (createdMs * (index + 1)) / count;
        if (next - clock.now() >= 1) await clock.advance(next - clock.now());
    }
    await clock.runUntil(Promise.all(all));
    return service;
}
