/**
 * `npm run bench:waiting`: the package's own wait for many contents, in virtual time: requests, and how late Ready is
 * noticed, for sizes that no machine could run for real.
 */
import { parseArgs } from "node:util";
import { Deadline } from "../provider/dist/api/clock.js";
import { Watcher } from "../provider/dist/lifecycle/wait/watcher.js";
import { FakeClock, seededRandom } from "../tests/support/fakeClock.ts";
import { ProcessingService } from "../tests/support/processingService.ts";
import { summary } from "./statistics.ts";

const { values } = parseArgs({
    options: {
        n: { type: "string", default: "1,10,100,1000,10000,100000" },
        seconds: { type: "string", default: "60-180" },
        within: { type: "string", default: "60" },
        latency: { type: "string", default: "30" },
        "oldest-first": { type: "boolean", default: false },
        "without-list": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
    },
});

if (values.help) {
    console.log(`Waits for contents in virtual time.

Usage: npm run bench:waiting -- [options]

  --n <numbers>          how many contents, a line for each (default ${values.n})
  --seconds <from-to>    how long each is processed, evenly spread (default ${values.seconds})
  --within <seconds>     all are created evenly within this time (default ${values.within})
  --latency <ms>         how much later every answer comes (default ${values.latency})
  --oldest-first         the list shows new contents last
  --without-list         the list shows nothing, so each content is asked for by itself
  --help                 show this text`);
    process.exit();
}

const [from = 0, to = from] = values.seconds.split("-").map((text) => Number(text) * 1000);
console.log(
    "contents  requests each  GETs each  pages  noticed after: median      p95      max  taken by this machine",
);
for (const count of values.n.split(",").map(Number)) {
    const start = performance.now();
    const clock = new FakeClock();
    const service = new ProcessingService(clock);
    service.latency = Number(values.latency);
    if (values["oldest-first"]) service.listing.order = "oldestFirst";
    if (values["without-list"]) service.listing.shows = () => false;
    const watcher = new Watcher(service.api, clock);
    const random = seededRandom(1);
    const { signal } = new AbortController();
    const began = clock.now();
    const all: Promise<unknown>[] = [];
    for (let index = 0; index < count; index++) {
        const id = service.add(from + random() * (to - from));
        all.push(watcher.untilSettled(id, { signal, deadline: Deadline.after(clock, 24 * 3_600_000), fresh: true }));
        const next = began + (Number(values.within) * 1000 * (index + 1)) / count;
        if (next - clock.now() >= 1) await clock.advance(next - clock.now());
    }
    await clock.runUntil(Promise.all(all));
    const { get, list } = service.requests;
    const { median = 0, p95 = 0, max = 0 } = summary(service.lags) ?? {};
    const cells = [
        count.toLocaleString("en-US").padStart(8),
        ((get + list) / count).toFixed(2).padStart(15),
        (get / count).toFixed(2).padStart(11),
        list.toLocaleString("en-US").padStart(7),
        ...[median, p95, max].map((ms, i) => `${(ms / 1000).toFixed(2)} s`.padStart(i === 0 ? 23 : 9)),
        `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(23),
    ];
    console.log(cells.join(""));
}
