/**
 * When each object that is waited for is worth a request, for all of them together, as pure functions of what is known: soon
 * at first, then less and less often, later when this environment's contents are known to take longer, and by one poll of the
 * list in place of many GETs where that is cheaper. `bench/waiting.ts` measures each rule.
 */
import { isFinal } from "./status";

const minPauseMs = 325;
/** Ready is noticed no later than this, unless the list that is polled shows it late: see `toVerify`. */
export const maxPauseMs = 5_000;
/** The share of the time waited so far that a pause takes: so the lag is a share of the processing time. */
const pauseShare = 0.15;
/** How long a pause is at least for each page of the list: a poll of many pages takes as long as that by itself. */
const pausePerPageMs = 60;
/** A list that shows final statuses too late, or never, is detected by GETs, one for this many requests: a tenth of all. */
export const requestsPerVerification = 10;
/** None is likely to be Ready much sooner than all before it: this share of the shortest processing time is not polled. */
const certainShare = 0.8;
/** The processing times count from this many on. */
const minProcessingTimes = 3;

/** The shortest time between two rounds, so that waits that are due at about the same time share one. */
const minRoundMs = 25;

/** Each saves requests or detects a wrong list; `bench/waiting.ts` switches them off. */
export const rules = ["list", "verification", "memory", "growth"] as const;
export type Rule = (typeof rules)[number];

/** One object that a wait is for. All times are of the monotonic clock, in ms. */
export interface Waiting {
    /** The content's id; `undefined` for something that the list of contents does not show. */
    readonly contentId: string | undefined;
    /** When the wait began. */
    readonly since: number;
    /** Whether it was created when the wait began. */
    readonly isFresh: boolean;
    /** When it is read at the latest, and each time from then on. */
    deadlineAt: number;
    /** When the next request is due. */
    dueAt: number;
    /** When a GET last answered, or the wait began. */
    readAt: number;
    /** The status that the list last showed. */
    listed: string | undefined;
}

/** Everything that the schedule needs in addition to the waits themselves. */
export interface Situation {
    list: {
        /** False while it is distrusted, or was read in this round already. */
        isUsable: boolean;
        /** How many requests a poll takes. */
        pages: number;
    };
    /** How long the latest contents took from their create on. */
    processingMs: readonly number[];
    /** Requests for which no content was yet read only to verify the list. */
    unverified: number;
    /** Whether pauses grow with the time waited, and with the length of the list. */
    isGrowing: boolean;
    /** When the round before this one ended. */
    lastRoundAt: number;
}

export interface Decision<W> {
    /** Those that are read now. */
    readNow: W[];
    /** The list is polled in place of reading them, and then decided again. */
    listNow: { contentIds: ReadonlySet<string>; maxPages: number } | undefined;
    /** When to decide again, if nothing else happens. */
    wakeAt: number;
}

export function decide<W extends Waiting>(waits: Iterable<W>, situation: Situation, now: number): Decision<W> {
    const due: W[] = [];
    const contentIds = new Set<string>();
    let wakeAt = Number.POSITIVE_INFINITY;
    let isListDue = false;
    for (const wait of waits) {
        wakeAt = Math.min(wakeAt, wait.dueAt);
        if (wait.dueAt <= now) due.push(wait);
        // What the list showed as finished is read itself, whatever else the list shows.
        if (wait.contentId === undefined || isFinal(wait.listed)) continue;
        contentIds.add(wait.contentId);
        isListDue ||= wait.dueAt <= now;
    }
    wakeAt = Math.max(wakeAt, situation.lastRoundAt + minRoundMs);
    if (wakeAt > now) return { readNow: [], listNow: undefined, wakeAt };
    const { isUsable, pages } = situation.list;
    const maxPages = Math.ceil(contentIds.size / 2);
    if (isListDue && isUsable && pages <= contentIds.size / 2)
        return { readNow: [], listNow: { contentIds, maxPages }, wakeAt };
    return { readNow: due, listNow: undefined, wakeAt };
}

/** How long after an answer that showed a pending status the next request comes, in ms. */
export function pauseOf({ contentId, since, isFresh }: Waiting, situation: Situation, now: number): number {
    const { processingMs, isGrowing, list } = situation;
    const age = now - since;
    const grown = isGrowing ? Math.max(age * pauseShare, list.pages * pausePerPageMs) : 0;
    const regular = Math.min(Math.max(grown, minPauseMs), maxPauseMs);
    if (contentId === undefined || !isFresh || processingMs.length < minProcessingTimes) return regular;
    const early = certainShare * Math.min(...processingMs) - age;
    return Math.max(regular, Math.min(early, maxPauseMs));
}

/** The one content that is read itself although the list shows it pending, to verify the list: the one read longest ago. */
export function toVerify<W extends Waiting>(listed: readonly W[], situation: Situation, now: number): W | undefined {
    if (situation.unverified < requestsPerVerification) return undefined;
    const oldest = listed
        .filter((wait) => !isFinal(wait.listed))
        .reduce<W | undefined>((old, wait) => (old === undefined || wait.readAt < old.readAt ? wait : old), undefined);
    return oldest !== undefined && now - oldest.readAt >= pauseOf(oldest, situation, now) ? oldest : undefined;
}
