/**
 * How long a wait pauses between two requests: short at first, then longer and longer, and longer still when this environment's
 * contents are known to take more time. A pure function of what is known. `bench/waiting.ts` measures each rule.
 */

const minPauseMs = 325;
/** Ready is noticed no later than this, unless the list that is polled shows it late. */
export const maxPauseMs = 5_000;
/** The share of the time waited so far that a pause takes: so the lag is a share of the processing time. */
const pauseShare = 0.15;
/** How long a pause is at least for each page of the list: a poll of many pages takes as long as that by itself. */
const pausePerPageMs = 60;
/** None is likely to be Ready much sooner than all before it: this share of the shortest processing time is not polled. */
const certainShare = 0.8;
/** The processing times count from this many on. */
const minProcessingTimes = 3;

/** Each saves requests or detects a wrong list; `bench/waiting.ts` switches them off. */
export const rules = ["list", "verification", "memory", "growth"] as const;
export type Rule = (typeof rules)[number];

export interface Situation {
    /** How many requests a poll of the list takes. */
    pages: number;
    /** How long the latest contents took from their create on. */
    processingMs: readonly number[];
    /** Whether pauses grow with the time waited, and with the length of the list. */
    isGrowing: boolean;
}

/**
 * In ms, from an answer that showed a pending status to the next request, for what is waited for since `ageMs`. `isNewContent`: since
 * it was created.
 */
export function pauseOf(ageMs: number, isNewContent: boolean, { pages, processingMs, isGrowing }: Situation): number {
    const grown = isGrowing ? Math.max(ageMs * pauseShare, pages * pausePerPageMs) : 0;
    const regular = Math.min(Math.max(grown, minPauseMs), maxPauseMs);
    if (!isNewContent || processingMs.length < minProcessingTimes) return regular;
    const early = certainShare * Math.min(...processingMs) - ageMs;
    return Math.max(regular, Math.min(early, maxPauseMs));
}
