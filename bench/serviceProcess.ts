/** The process of the emulated service: serves, notes what its answers tell, and reports to its parent. */
import diagnostics from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { startEmulator } from "videograph-emulator";
import type { Observation, ServiceOptions } from "./service.ts";

const options = JSON.parse(process.argv[2] ?? "") as ServiceOptions;
let sent: { readonly at: number; readonly body: string }[] = [];
let cpuAtReset = process.cpuUsage();

// Only the answers show when a client could know that a content is Ready. They are read after the measurement.
diagnostics.subscribe("http.server.request.start", (message) => {
    const { response } = message as { response: ServerResponse };
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
        if (typeof args[0] === "string") sent.push({ at: Date.now(), body: args[0] });
        return end(...args);
    };
});
await using emulator = await startEmulator({
    fetchSources: false,
    processingTimeMs: ({ title }) => processingOf(title),
    faults: options.latency > 0 ? [{ kind: "latency", ms: options.latency }] : [],
    requestLogLimit: 10_000_000,
    requestLogBytes: Number.POSITIVE_INFINITY,
});
process.on("message", (question) => {
    process.send?.(question === "observe" ? observe() : reset());
});
const hungUp = new Promise((resolve) => process.once("disconnect", resolve));
// Ctrl-C goes to all processes of the terminal; the parent ends this one when it is done with it.
process.on("SIGINT", () => {});
process.send?.(emulator.env);
await hungUp;

/** Spread evenly between the two ends, but neighbours far from each other, and the same in every run. */
function processingOf(title: string): number {
    const [from, to] = options.processing;
    const number = Number(/\d+$/.exec(title)?.[0] ?? 0);
    return from + (to - from) * ((number * 0.618_033_988_75) % 1);
}

function reset(): string {
    const latency = emulator.faults.map(({ fault }) => fault);
    emulator.reset();
    for (const fault of latency) emulator.inject(fault);
    sent = [];
    cpuAtReset = process.cpuUsage();
    return "done";
}

function observe(): Observation {
    const shown = firstShownReady();
    const { user, system } = process.cpuUsage(cpuAtReset);
    return {
        contents: emulator.contents().map(({ contentId, createdOn, processingMs }) => ({
            ready: createdOn + (processingMs ?? 0),
            shown: shown.get(contentId),
        })),
        requests: emulator.requests.length,
        lastCreate: emulator.requests.findLast(({ method }) => method === "POST")?.at,
        cpu: (user + system) / 1e6,
    };
}

/** By content id: when the first answer left that called it Ready, whether of one content or of a list. */
function firstShownReady(): Map<string, number> {
    const shown = new Map<string, number>();
    for (const { at, body } of sent) {
        const { data } = JSON.parse(body) as { data?: unknown };
        // An answer to a delete has no data.
        for (const { contentId, status } of [data ?? []].flat() as { contentId?: string; status?: string }[]) {
            if (contentId !== undefined && status === "Ready" && !shown.has(contentId)) shown.set(contentId, at);
        }
    }
    return shown;
}
