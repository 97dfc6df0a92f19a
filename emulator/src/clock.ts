/** Time and randomness are parameters, so that a test controls both and can repeat a run by its seed. */
import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";

export interface Clock {
    /** The time in epoch ms. */
    now(): number;
    /** Resolves after `ms`; rejects when the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A number from 0 (inclusive) to 1 (exclusive), like `Math.random`. */
export type Random = () => number;

/** A clock that sleeps in real time. `now` may be a clock that a test advances. */
export function realClock(now: () => number = Date.now): Clock {
    return { now, sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }) };
}

const randomSteps = 2 ** 47;

/** Numbers that nobody can guess: stream keys are made from them. */
export const secureRandom: Random = () => randomInt(randomSteps) / randomSteps;

/** Repeatable numbers (Mulberry32); Math.random cannot be seeded. */
export function seededRandom(seed: number): Random {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
}

/** A version 4 UUID. */
export function randomUuid(random: Random): string {
    const hex = digits(random, 32, 16);
    const variant = (8 + Math.floor(random() * 4)).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export function digits(random: Random, length: number, base: number): string {
    return Array.from({ length }, () => Math.floor(random() * base).toString(base)).join("");
}
