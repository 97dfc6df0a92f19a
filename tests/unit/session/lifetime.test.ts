/** When the provider process ends (S8): time is virtual, and the end is noted instead of coming. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mock } from "node:test";
import { longestRequestMs } from "../../../provider/dist/api/index.js";
import { LifecycleError } from "../../../provider/dist/messages/errors.js";
import { Lifetime } from "../../../provider/dist/session/lifetime.js";

/** What happens, in its order: a number is a time that passes, in ms. */
const stories: Record<string, readonly (keyof ReturnType<typeof actors> | number)[]> = {
    "S8: an idle process ends at once at an interrupt": ["SIGTERM", "hasEnded"],
    "S8: an idle process ends at once when the engine is gone": ["engineGone", "hasEnded"],
    "S8: an interrupt ends every wait, and the process once the last answer has had time to leave": [
        ...(["begin", "begin", "SIGINT", "waitsEnd", "finish", 300, "runs"] as const),
        ...(["finish", 199, "runs", 1, "hasEnded"] as const),
    ],
    "S8: a second interrupt neither ends the process sooner nor swallows the first one": [
        ...(["begin", "SIGINT", 1_000, "SIGINT", "runs"] as const),
        ...(["finish", "SIGINT", "runs", 200, "hasEnded"] as const),
    ],
    "S8: an interrupted process ends before the engine kills it, whatever is under way": [
        ...(["begin", "SIGTERM", "waitsEnd", 2_499, "mayWait", 1, "mustAnswer", 1_999, "runs", 1, "hasEnded"] as const),
    ],
    "S8: without an engine a request under way may end first": [
        ...(["begin", "engineGone", "waitsEnd", longestRequestMs + 4_999, "runs", 1, "hasEnded"] as const),
    ],
    "the engine's own word ends every wait, and the engine the process": [
        ...(["begin", "cancel", "waitsEnd", "finish", 1_000_000, "runs"] as const),
    ],
};

function actors() {
    const ends: unknown[] = [];
    const events = new EventEmitter();
    mock.timers.enable({ apis: ["setTimeout"] });
    mock.method(process, "exit", (code: unknown) => void ends.push(code));
    mock.method(process, "on", (...args: [string, () => void]) => events.on(...args));
    const lifetime = new Lifetime();
    lifetime.start({ watch: (gone) => void events.on("gone", gone) });
    const operations: { end(): void; done: Promise<void> }[] = [];
    return {
        SIGTERM: () => void events.emit("SIGTERM"),
        SIGINT: () => void events.emit("SIGINT"),
        engineGone: () => void events.emit("gone"),
        cancel: () => lifetime.cancel(),
        begin: () => {
            const { promise, resolve } = Promise.withResolvers<void>();
            operations.push({ end: resolve, done: lifetime.during(() => promise) });
        },
        finish: () => {
            const operation = operations.shift();
            operation?.end();
            return operation?.done;
        },
        waitsEnd: () => assert.ok(lifetime.signal.reason instanceof LifecycleError),
        mayWait: () => assert.equal(lifetime.answerNow.aborted, false),
        mustAnswer: () => assert.ok(lifetime.answerNow.reason instanceof LifecycleError),
        runs: () => assert.deepEqual(ends, []),
        hasEnded: () => assert.deepEqual(ends, [0]),
    };
}

describe("the provider process's lifetime", () => {
    afterEach(() => {
        mock.timers.reset();
        mock.restoreAll();
    });

    for (const [what, steps] of Object.entries(stories))
        it(what, async () => {
            const act = actors();
            for (const step of steps) await (typeof step === "number" ? mock.timers.tick(step) : act[step]());
        });
});
