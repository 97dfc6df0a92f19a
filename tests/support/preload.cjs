/** Loaded into every Node process that a stack's runs start: programs start sooner, and under `speed` the provider's clock is faster. */
const { subscribe } = require("node:diagnostics_channel");
const { appendFileSync, copyFileSync, existsSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");

const script = process.argv[1] ?? "";

/**
 * Pulumi's SDK and zod load these in each process, for closures, traces, languages and other uses that no test has: two thirds of the
 * CPU time of a program. Each is loaded when something of it is read.
 */
const seldomUsed = new Set([
    ...["./automation", "./dynamic", "./provider", "./tracing", "../../typescript-shim", "../locales/index.cjs"],
    ...["@npmcli/arborist", "@opentelemetry/api", "js-yaml", "normalize-package-data", "semver"],
    ...["source-map-support/register", "typescript"],
]);
/** Of these the SDK reads the functions at once, and calls them for closures only. */
const seldomCalled = new Set(["./closure/serializeClosure", "./closure/codePaths"]);
/** What is instead of modules that do something in each run: spans that nobody exports, and a debugger's session for closures. */
const instead = {
    "./tracing": { newSpan: () => ({ end() {}, setAttribute() {}, addEvent() {} }) },
    "../../runtime/closure/v8Hooks": { isInitializedAsync: async () => undefined },
};

if (/pulumi[\\/]cmd[\\/](run|dynamic-provider)\b|[\\/]inline\.cjs$/.test(script)) {
    const load = Module._load;
    Module._load = (request, ...more) => {
        if (request in instead) return instead[request];
        const calledOnly = seldomCalled.has(request);
        if (!calledOnly && !seldomUsed.has(request)) return load(request, ...more);
        const read = (_, name) => name === "__esModule" || load(request, ...more)[name];
        const called = (_, name) => name === "__esModule" || ((...args) => load(request, ...more)[name](...args));
        return new Proxy({}, { get: calledOnly ? called : read });
    };
    // The SDK would load the TypeScript compiler also for a program in JavaScript.
    if (existsSync("index.js")) delete process.env.PULUMI_NODEJS_TYPESCRIPT;
}

/**
 * Under `useTestbed`'s `speed` the provider's time passes faster than ours, and so do its waits. Nothing else is changed. The wall clocks
 * of all its processes, and the emulator's, agree.
 */
const [speed, start] = (process.env.TEST_CLOCK ?? "").split("@").map(Number);
/**
 * The provider waits for creates that the engine calls together, which are as fast as ever; and ends its process when its last answers had
 * time to leave.
 */
const realDelays = [100, 50, 4_500];

const isProvider = /dynamic-provider|pulumi-resource-videograph/.test(script);

// Tells a test what the processes of a run start.
const { TEST_CALLS } = process.env;
if (TEST_CALLS)
    subscribe("child_process", ({ process: child }) => {
        // It is told before it knows its program.
        queueMicrotask(() => appendFileSync(TEST_CALLS, `${child.spawnargs.join(" ")}\n`));
    });

// Replaces the file of the CLI that is running: see `useCli`.
const { TEST_REPLACED } = process.env;
if (TEST_REPLACED) {
    const copy = `${TEST_REPLACED}.${process.pid}`;
    copyFileSync(`${TEST_REPLACED}.new`, copy);
    renameSync(copy, TEST_REPLACED);
}

// Tells a test that the signal has arrived in this process.
const { TEST_INTERRUPTED } = process.env;
if (TEST_INTERRUPTED && isProvider)
    process.once("SIGINT", () => writeFileSync(`${TEST_INTERRUPTED}-${process.pid}`, ""));

if (speed && isProvider) {
    const wall = Date.now;
    const monotonic = performance.now.bind(performance);
    const timeout = globalThis.setTimeout;
    Date.now = () => Math.round(start + (wall() - start) * speed);
    performance.now = () => monotonic() * speed;
    globalThis.setTimeout = (callback, delay = 0, ...args) =>
        timeout(callback, realDelays.includes(delay) ? delay : delay / speed, ...args);
    const timers = require("node:timers/promises");
    const sleep = timers.setTimeout;
    timers.setTimeout = (delay = 0, ...args) => sleep(delay / speed, ...args);
}
