/**
 * The end of the provider process (promise S8, docs/internals/promises.md).
 *
 * - A first Ctrl-C: the engine calls `Cancel` of a native plugin. Every wait ends, and the engine still takes the answers. Dynamic providers hear
 *   nothing.
 * - A second Ctrl-C: the process gets SIGINT. The engine takes no answer any more. An idle process ends at once, a busy process when its operations
 *   have ended.
 * - The engine is killed: `engine.ts` notices that the connection is gone. A request under way gets a moment to end, because its answer goes into the
 *   journal.
 */
import { engineGoneGraceMs, farewellMs, interruptGraceMs, lastAnswerMs } from "../api";
import { LifecycleError, messages } from "../messages";

export class Lifetime {
    readonly #controller = new AbortController();
    readonly #answerNow = new AbortController();
    #runningOperations = 0;
    #ending = false;
    /** Aborted when every wait has to stop. */
    readonly signal: AbortSignal = this.#controller.signal;
    /** Aborted moments before the process ends: a call that has not answered by then never answers. */
    readonly answerNow: AbortSignal = this.#answerNow.signal;
    /**
     * Whether the engine drops all answers, because it was killed or has sent SIGINT. After a SIGTERM, which does not come from the engine, it still
     * takes answers.
     */
    answersAreDiscarded = false;

    start(engine: { watch(gone: () => void): void }): void {
        process.on("SIGTERM", () => this.#end(interruptGraceMs));
        const endUnanswered = (graceMs: number) => {
            this.answersAreDiscarded = true;
            this.#end(graceMs);
        };
        process.on("SIGINT", () => endUnanswered(interruptGraceMs));
        engine.watch(() => endUnanswered(engineGoneGraceMs));
    }

    /** Runs an operation. A process that has to end waits for the operation, but no longer than its grace time. */
    async during<T>(operation: () => Promise<T>): Promise<T> {
        this.#runningOperations++;
        try {
            return await operation();
        } finally {
            this.#runningOperations--;
            if (this.#ending && this.#runningOperations === 0) setTimeout(() => process.exit(0), farewellMs);
        }
    }

    /** Ends every wait now. The engine ends the process later. */
    cancel(): void {
        this.#controller.abort(new LifecycleError(messages.interrupted()));
    }

    #end(graceMs: number): void {
        if (this.#ending) return;
        this.#ending = true;
        this.cancel();
        // Without this line, the engine would wait five seconds for an idle process, and then kill it.
        if (this.#runningOperations === 0) process.exit(0);
        setTimeout(() => this.#answerNow.abort(new LifecycleError(messages.interrupted())), graceMs - lastAnswerMs);
        setTimeout(() => process.exit(0), graceMs);
    }
}
