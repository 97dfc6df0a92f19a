/** Decisions that a seed makes. */
import { seededRandom } from "../support/fakeClock.ts";
import type { Hazard } from "./hazards.ts";

export class Dice {
    /** From 0 (inclusive) to 1 (exclusive). */
    readonly random: () => number;

    readonly #seed: number;
    readonly #hazards: ReadonlySet<Hazard>;

    constructor(seed: number, hazards: readonly Hazard[]) {
        this.random = seededRandom(seed);
        this.#seed = seed;
        this.#hazards = new Set(hazards);
    }

    /** Dice of their own, so that what they decide changes no other decision of the seed. */
    aside(): Dice {
        return new Dice(this.#seed + 1e9, [...this.#hazards]);
    }

    /** As `chance`, for something that may be left out of all lives. */
    hazard(name: Hazard, share: number): boolean {
        return this.random() < share && this.#hazards.has(name);
    }

    chance(share: number): boolean {
        return this.random() < share;
    }

    /** A whole number below `most`; 0 when there is none. */
    below(most: number): number {
        return Math.floor(this.random() * most);
    }

    pick<T>(items: readonly T[]): T {
        return items[this.below(items.length)] as T;
    }
}
