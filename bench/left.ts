/**
 * `npm run bench:left`: how far off is the time that `up` says is left, in virtual time: the lines of a readiness, for services that process contents in
 * different ways. A line counts as right within 25 % of the time that it really took.
 */
import { Deadline } from "../provider/dist/api/clock.js";
import { Many } from "../provider/dist/resources/many.js";
import { Schedule } from "../provider/dist/wait/schedule.js";
import { untilSettled } from "../provider/dist/wait/untilSettled.js";
import { FakeClock, seededRandom } from "../tests/support/fakeClock.ts";
import { ProcessingService } from "../tests/support/processingService.ts";
import { latencyMs } from "./service.ts";

const random = seededRandom(1);
const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** How long contents are processed that are all created at once, in ms. */
const services: Readonly<Record<string, (count: number) => number[]>> = {
    "20 at a time, 10 to 60 s each": (count) => {
        const free = Array<number>(20).fill(0);
        return Array.from({ length: count }, () => {
            const next = free.indexOf(Math.min(...free));
            const ready = (free[next] ?? 0) + 10_000 + 50_000 * random();
            free[next] = ready;
            return ready;
        });
    },
    "all at once, 60 to 180 s each": (count) => Array.from({ length: count }, () => 60_000 + 120_000 * random()),
    "all at once, a few take very long": (count) =>
        Array.from({ length: count }, () => 60_000 * Math.exp(0.7 * gaussian())),
};

const units: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };
const heads = ["service", "contents", "lines", "with a time", "within 25 %"];
console.log(heads.join(" | "));
for (const [service, timesOf] of Object.entries(services)) {
    for (const count of [100, 300, 1_000]) {
        const { lines, end } = await linesOf(timesOf(count));
        const timed = lines.flatMap(({ at, text }) => {
            const [, number, unit = ""] = /about (\d+) (\w+) left/.exec(text) ?? [];
            return number === undefined ? [] : [{ left: Number(number) * (units[unit] ?? 0), real: end - at }];
        });
        const right = timed.filter(({ left, real }) => Math.abs(left - real) <= 0.25 * real).length;
        const share = timed.length === 0 ? "-" : `${Math.round((100 * right) / timed.length)} %`;
        console.log([service, count, lines.length, timed.length, `${right} (${share})`].join(" | "));
    }
}

/** The lines of a wait for contents that are processed for so long. */
async function linesOf(times: readonly number[]) {
    const clock = new FakeClock();
    const service = new ProcessingService(clock);
    service.latency = latencyMs;
    const { signal } = new AbortController();
    const schedule = new Schedule(service.api, clock, signal);
    const lines: { at: number; text: string }[] = [];
    const progress = (text: string) => void lines.push({ at: clock.monotonic(), text });
    const many = new Many({ services: { clock }, signal, progress } as never, { doneWord: "ready" });
    const items = times.map((time) => ({ key: service.add(time) }));
    const deadline = new Deadline(clock, 24 * 3_600_000);
    const wait = ({ key }: { key: string }) => untilSettled(schedule, key, { deadline, onStatus: () => many.say() });
    await clock.runUntil(many.each(items, wait));
    return { lines, end: clock.monotonic() };
}
