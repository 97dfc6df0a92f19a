/** A process that can be killed between any two things it does. Nothing of it goes on after that, not even an error. */

/** What never comes. */
const never = () => new Promise<never>(() => undefined);

export class SimulatedProcess {
    readonly #killAt: number;
    readonly #onKill: () => void;
    #steps = 0;
    #dead = false;

    /** Dies at its step `killAt`, telling `onKill`. */
    constructor(killAt = Number.POSITIVE_INFINITY, onKill: () => void = () => undefined) {
        this.#killAt = killAt;
        this.#onKill = onKill;
    }

    kill(): void {
        if (this.#dead) return;
        this.#dead = true;
        this.#onKill();
    }

    /** Before and after everything that the process does to the world. */
    async step(): Promise<void> {
        if (!this.#dead && ++this.#steps >= this.#killAt) this.kill();
        if (this.#dead) await never();
    }

    /** Does something to the world. */
    async does<T>(deed: () => Promise<T>): Promise<T> {
        await this.step();
        try {
            return await deed();
        } finally {
            await this.step();
        }
    }
}
