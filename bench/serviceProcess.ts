/** The process of the emulated service: serves, notes what its answers tell, and reports to its parent. */
import diagnostics from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { startEmulator } from "videograph-emulator";
import type { Answer, Observation, Question, RequestKind, ServiceOptions } from "./service.ts";

interface SentAnswer {
    readonly at: number;
    readonly body: string;
}

const options = JSON.parse(process.argv[2] ?? "") as ServiceOptions;
let sent: SentAnswer[] = [];
let cpuAtReset = process.cpuUsage();

keepAnswers();
await using emulator = await startEmulator({
    fetchSources: false,
    processingTimeMs: ({ title }) => processingOf(title),
    faults: options.latency > 0 ? [{ kind: "latency", ms: options.latency }] : [],
    requestLogLimit: 10_000_000,
    requestLogBytes: Number.POSITIVE_INFINITY,
});
process.on("message", (question: Question) => {
    if (question === "observe") return say({ observation: observe() });
    const latency = emulator.faults.map(({ fault }) => fault);
    emulator.reset();
    for (const fault of latency) emulator.inject(fault);
    sent = [];
    cpuAtReset = process.cpuUsage();
    say({ done: true });
});
const hungUp = new Promise((resolve) => process.once("disconnect", resolve));
// Ctrl-C goes to all processes of the terminal; the parent ends this one when it is done with it.
process.on("SIGINT", () => {});
say({ env: emulator.env });
await hungUp;

function say(answer: Answer): void {
    process.send?.(answer);
}

/** Spread evenly between the two ends, but neighbours far from each other, and the same in every run. */
function processingOf(title: string): number {
    const [from, to] = options.processing;
    const number = Number(/\d+$/.exec(title)?.[0] ?? 0);
    return from + (to - from) * ((number * 0.618_033_988_75) % 1);
}

/**
 * Keeps the body of every answer and the moment it left: only the answers show when a client could know that a content
 * is Ready. They are read after the measurement.
 */
function keepAnswers(): void {
    diagnostics.subscribe("http.server.request.start", (message) => {
        const { response } = message as { response: ServerResponse };
        const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
        response.end = (...args: unknown[]) => {
            if (typeof args[0] === "string") sent.push({ at: Date.now(), body: args[0] });
            return end(...args);
        };
    });
}

function observe(): Observation {
    const shown = firstShownReady();
    const { user, system } = process.cpuUsage(cpuAtReset);
    const requests: Record<RequestKind, number> = { create: 0, get: 0, list: 0, update: 0, delete: 0 };
    for (const { method, path } of emulator.requests) requests[kindOf(method, path)]++;
    return {
        contents: emulator.contents().map(({ contentId, title, createdOn, processingMs }) => ({
            title,
            accepted: createdOn,
            ready: createdOn + (processingMs ?? 0),
            shown: shown.get(contentId),
        })),
        requests,
        first: emulator.requests[0]?.at,
        lastCreate: emulator.requests.findLast(({ method }) => method === "POST")?.at,
        cpu: (user + system) / 1e6,
    };
}

function kindOf(method: string, path: string): RequestKind {
    switch (method) {
        case "POST":
            return "create";
        case "PUT":
            return "update";
        case "DELETE":
            return "delete";
        default:
            return path.endsWith("/contents") ? "list" : "get";
    }
}

/** By content id: when the first answer left that called it Ready, whether of one content or of a list. */
function firstShownReady(): Map<string, number> {
    const shown = new Map<string, number>();
    for (const { at, body } of sent) {
        const { data } = JSON.parse(body) as { data?: unknown };
        // An answer to a delete has no data.
        const contents = [data ?? []].flat() as { contentId?: string; status?: string }[];
        for (const { contentId, status } of contents) {
            if (contentId !== undefined && status === "Ready" && !shown.has(contentId)) shown.set(contentId, at);
        }
    }
    return shown;
}
