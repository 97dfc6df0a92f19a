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
    #answersAreDiscarded = false;

    /** The signal that waits have to stop. */
    get signal(): AbortSignal {
        return this.#controller.signal;
    }

    /** The signal that the process ends in a moment: a call that is not answered by then is never answered. */
    get answerNow(): AbortSignal {
        return this.#answerNow.signal;
    }

    /** Whether the engine drops all answers: it was killed, or has interrupted this process. After a SIGTERM from elsewhere it takes them. */
    get answersAreDiscarded(): boolean {
        return this.#answersAreDiscarded;
    }

    start(engine: { watch(gone: () => void): void }): void {
        process.on("SIGTERM", () => this.#end(interruptGraceMs));
        process.on("SIGINT", () => this.#endUnanswered(interruptGraceMs));
        engine.watch(() => this.#endUnanswered(engineGoneGraceMs));
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

    #endUnanswered(grace: number): void {
        this.#answersAreDiscarded = true;
        this.#end(grace);
    }

    #end(grace: number): void {
        if (this.#ending) return;
        this.#ending = true;
        this.#controller.abort(new LifecycleError(messages.interrupted()));
        // The engine waits five seconds for a process that does not end.
        if (this.#runningOperations === 0) process.exit(0);
        setTimeout(() => this.#answerNow.abort(new LifecycleError(messages.interrupted())), grace - lastAnswerMs);
        setTimeout(() => process.exit(0), grace);
    }
}
