/** When the provider process ends (S8): time is virtual, and the end is noted instead of coming. */
import assert from "node:assert/strict";
import { mock } from "node:test";
import { longestRequestMs } from "../../../provider/dist/api/index.js";
import { Interrupted } from "../../../provider/dist/lifecycle/index.js";
import { Lifetime } from "../../../provider/dist/session/lifetime.js";

describe("the provider process's lifetime", () => {
    let lifetime: Lifetime;
    /** Codes that the process would have ended with. */
    let ends: unknown[];
    const heard: Record<string, () => void> = {};
    const interrupt = { SIGINT: () => heard.SIGINT?.(), SIGTERM: () => heard.SIGTERM?.() };
    let engineIsGone: () => void;

    beforeEach(() => {
        mock.timers.enable({ apis: ["setTimeout"] });
        ends = [];
        mock.method(process, "exit", (code: unknown) => void ends.push(code));
        mock.method(process, "on", (signal: string, listener: () => void) => {
            heard[signal] = listener;
        });
        start();
    });
    const start = () => {
        lifetime = new Lifetime();
        lifetime.start({
            watch: (gone) => {
                engineIsGone = gone;
            },
        });
    };

    afterEach(() => {
        mock.timers.reset();
        mock.restoreAll();
    });

    /** An operation under way, and its end. */
    const operation = () => {
        let end = (_: string) => {};
        const done = lifetime.during(
            () =>
                new Promise<string>((resolve) => {
                    end = resolve;
                }),
        );
        return async () => {
            end("done");
            assert.equal(await done, "done");
        };
    };

    it("S8: an idle process ends at once at an interrupt, and when the engine is gone", () => {
        interrupt.SIGTERM();
        assert.deepEqual(ends, [0]);
        start();
        engineIsGone();
        assert.deepEqual(ends, [0, 0]);
    });

    it("S8: an interrupt ends every wait, and the process once the last operation has told what it knows", async () => {
        const [first, second] = [operation(), operation()];
        interrupt.SIGINT();
        assert.ok(lifetime.signal.reason instanceof Interrupted);
        await first();
        mock.timers.tick(300);
        assert.deepEqual(ends, []);
        await second();
        mock.timers.tick(199);
        assert.deepEqual(ends, [], "the answer is still on its way");
        mock.timers.tick(1);
        assert.deepEqual(ends, [0]);
    });

    it("S8: a second interrupt neither ends the process sooner nor swallows the first one", async () => {
        const one = operation();
        interrupt.SIGINT();
        mock.timers.tick(1_000);
        interrupt.SIGINT();
        assert.deepEqual(ends, []);
        await one();
        // Idle by now, and its answer on its way.
        interrupt.SIGINT();
        assert.deepEqual(ends, []);
        mock.timers.tick(200);
        assert.deepEqual(ends, [0]);
    });

    for (const [what, end, ms] of [
        ["an interrupted process ends before the engine kills it, whatever is under way", interrupt.SIGTERM, 4_500],
        ["without an engine a request under way may end first", () => engineIsGone(), longestRequestMs + 5_000],
    ] as const)
        it(`S8: ${what}`, () => {
            operation();
            end();
            assert.equal(lifetime.signal.aborted, true);
            mock.timers.tick(ms - 1);
            assert.deepEqual(ends, []);
            mock.timers.tick(1);
            assert.deepEqual(ends, [0]);
        });

    it("the engine's own word ends every wait, and the engine the process", async () => {
        const one = operation();
        lifetime.cancel();
        assert.ok(lifetime.signal.reason instanceof Interrupted);
        await one();
        mock.timers.tick(1_000_000);
        assert.deepEqual(ends, []);
    });
});
