/**
 * Loaded into every process of a stack whose clock is fast (`useTestbed`'s `speed`): the provider's time passes faster than ours, and
 * so do its waits. Nothing else is changed. The wall clocks of all its processes, and the emulator's, agree.
 */
const [speed, start] = (process.env.TEST_CLOCK ?? "").split("@").map(Number);
/** The provider waits for a run of the CLI, which is as fast as ever. */
const realDelays = [11_000];

if (/dynamic-provider|pulumi-resource-videograph/.test(process.argv[1] ?? "")) {
    const wall = Date.now;
    const monotonic = performance.now.bind(performance);
    const timeout = globalThis.setTimeout;
    Date.now = () => Math.round(start + (wall() - start) * speed);
    performance.now = () => monotonic() * speed;
    globalThis.setTimeout = (callback, delay = 0, ...args) =>
        timeout(callback, realDelays.includes(delay) ? delay : delay / speed, ...args);
}
