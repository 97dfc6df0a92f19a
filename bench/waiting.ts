/**
 * `npm run bench:waiting`: the package's own wait for many contents, in virtual time: requests, and how late Ready is
 * noticed, for sizes that no machine could run for real; and what each rule of the schedule saves.
 */
import { parseArgs } from "node:util";
import { Deadline } from "../provider/dist/api/clock.js";
import { type Rule, rules } from "../provider/dist/wait/schedule.js";
import { Watcher } from "../provider/dist/wait/watcher.js";
import { FakeClock, seededRandom } from "../tests/support/fakeClock.ts";
import { ProcessingService } from "../tests/support/processingService.ts";
import { summary } from "./statistics.ts";

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
    options: {
        n: { type: "string", default: "1,20,100,1000,10000" },
        seconds: { type: "string", default: "60-180" },
        within: { type: "string", default: "60" },
        latency: { type: "string", default: "30" },
        "without-list": flag,
        "without-verification": flag,
        "without-memory": flag,
        "without-growth": flag,
        help: flag,
    },
});

if (values.help) {
    console.log(`Waits for contents in virtual time.

Usage: npm run bench:waiting -- [options]

  --n <numbers>           how many contents, a line for each (default ${values.n})
  --seconds <from-to>     how long each is processed, evenly spread (default ${values.seconds})
  --within <seconds>      all are created evenly within this time (default ${values.within})
  --latency <ms>          how much later every answer comes (default ${values.latency})
  --without-list          switches a rule off and prints what it saves: one page of the list in place of many GETs
  --without-verification  the same for GETs that find out a list that is late
  --without-memory        the same for the processing times of earlier contents
  --without-growth        the same for pauses that grow with the time waited
  --help                  show this text`);
    process.exit();
}

const off = rules.filter((rule) => values[`without-${rule}`]);
const [from = 0, to = from] = values.seconds.split("-").map((text) => Number(text) * 1000);
const heads = ["contents", "switched off", "requests each", "GETs each", "pages", "median lag", "p95", "max", "saves"];
const row = (cells: readonly string[]) =>
    cells.map((cell, at) => cell.padStart(Math.max((heads[at] ?? "").length, 6) + 2)).join("");
console.log(row(heads));
for (const count of values.n.split(",").map(Number)) {
    const all = await measure(count);
    for (const rule of off) await measure(count, rule, all);
}

/** Prints a line, and answers the requests for each content. */
async function measure(count: number, rule?: Rule, withAll?: number): Promise<number> {
    const service = await waited(count, rule);
    const { get, list } = service.requests;
    const { median = 0, p95 = 0, max = 0 } = summary(service.lags) ?? {};
    const each = (get + list) / count;
    console.log(
        row([
            count.toLocaleString("en-US"),
            rule ?? "-",
            each.toFixed(2),
            (get / count).toFixed(2),
            list.toLocaleString("en-US"),
            ...[median, p95, max].map((ms) => `${(ms / 1000).toFixed(2)} s`),
            withAll === undefined ? "" : `${(((each - withAll) / Math.max(each, withAll)) * 100).toFixed(0)} %`,
        ]),
    );
    return each;
}

async function waited(count: number, rule: Rule | undefined): Promise<ProcessingService> {
    const clock = new FakeClock();
    const service = new ProcessingService(clock);
    service.latency = Number(values.latency);
    const watcher = new Watcher(service.api, clock, new Set(rule === undefined ? [] : [rule]));
    const random = seededRandom(1);
    const { signal } = new AbortController();
    const began = clock.now();
    const all: Promise<unknown>[] = [];
    for (let index = 0; index < count; index++) {
        const id = service.add(from + random() * (to - from));
        const options = { signal, deadline: Deadline.after(clock, 24 * 3_600_000), fresh: true };
        all.push(watcher.untilSettled(id, options).then(() => service.noticed(id)));
        const next = began + (Number(values.within) * 1000 * (index + 1)) / count;
        if (next - clock.now() >= 1) await clock.advance(next - clock.now());
    }
    await clock.runUntil(Promise.all(all));
    return service;
}
