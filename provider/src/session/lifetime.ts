/**
 * The end of the provider process (S8). A first Ctrl-C reaches native plugins alone, as `Cancel`: every wait ends, and the answers
 * still count. A second one reaches both faces as SIGINT: an idle process ends at once, a busy one when its operations have stopped waiting,
 * and no answer counts any more. `engine.ts` notices by its connection that the engine was killed.
 */
import { engineGoneGraceMs, farewellMs, interruptGraceMs, lastAnswerMs } from "../api";
import { LifecycleError, messages } from "../messages";

export class Lifetime {
    readonly #controller = new AbortController();
    readonly #answerNow = new AbortController();
    #runningOperations = 0;
    #ending = false;
    /** The signal that waits have to stop. */
    readonly signal: AbortSignal = this.#controller.signal;
    /** The signal that the process ends in a moment: a call that is not answered by then is never answered. */
    readonly answerNow: AbortSignal = this.#answerNow.signal;
    /** Whether the engine drops all answers: it was killed, or has interrupted this process. After a SIGTERM from elsewhere it takes them. */
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

    /** Runs an operation during which the process must not end. */
    async during<T>(operation: () => Promise<T>): Promise<T> {
        this.#runningOperations++;
        try {
            return await operation();
        } finally {
            this.#runningOperations--;
            if (this.#ending && this.#runningOperations === 0) setTimeout(() => process.exit(0), farewellMs);
        }
    }

    /** Ends every wait now. It is the engine's call, which dynamic providers never get; the engine ends the process later. */
    cancel(): void {
        this.#controller.abort(new LifecycleError(messages.interrupted()));
    }

    #end(graceMs: number): void {
        if (this.#ending) return;
        this.#ending = true;
        this.cancel();
        // The engine waits five seconds for a process that does not end.
        if (this.#runningOperations === 0) process.exit(0);
        setTimeout(() => this.#answerNow.abort(new LifecycleError(messages.interrupted())), graceMs - lastAnswerMs);
        setTimeout(() => process.exit(0), graceMs);
    }
}
