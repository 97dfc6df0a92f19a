/**
 * When each object that is waited for is worth a request, for all of them together, as pure functions of what is known:
 * soon at first, then ever more rarely, later when this environment's contents are known to take longer, and by one poll of
 * the list in place of many GETs where that is cheaper. `bench/waiting.ts` measures each rule.
 */
import { maxInFlight } from "../../api/limits";
import { isFinal } from "./status";

const minPauseMs = 325;
/** Ready is noticed no later than this, unless the list that is polled shows it late: see `toVerify`. */
export const maxPauseMs = 5_000;
/** The share of the time waited so far that the pause after a GET takes: so the lag is a share of the processing time. */
const shareAfterRead = 0.15;
/** The same after a poll of the list, which is cheap. */
const shareAfterList = 0.1;
/** The least pause for each page that a poll takes: 200 pages a second. */
const pausePerPageMs = 5;
/** Whether the list lags is found out by GETs, at most one for each content in this time on average. */
const verifyPauseMs = 10_000;
/** None is likely to be Ready much sooner than all before it: this share of the shortest processing time is not polled. */
const certainShare = 0.8;
/** From so many processing times on they tell something. */
const minProcessingTimes = 3;

/** GETs that may wait for a connection at the same time: so creates do not queue up behind thousands of them. */
export const maxReading = 2 * maxInFlight;
/** Rounds are no closer together than this: waits that are due at about the same time take their turn together. */
export const minRoundMs = 25;

/** One object that somebody waits for. All times are of the monotonic clock, in ms. */
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

/** What is known beside the waits themselves. */
export interface Situation {
    list: {
        /** False while it is distrusted, or was read in this round already. */
        isUsable: boolean;
        /** How many requests a poll takes. */
        pages: number;
    };
    /** How long the latest contents took from their create on. */
    processingMs: readonly number[];
    /** GETs under way. */
    reading: number;
    /** When a content was last read only to verify the list. */
    verifiedAt: number;
    /** When the round before this one ended. */
    lastRoundAt: number;
}

export interface Decision<W> {
    /** Those that are read now. */
    readNow: W[];
    /** The list is read first, and then decided again. */
    listNow: { contentIds: ReadonlySet<string>; maxPages: number } | undefined;
    /** When to decide again, if nothing else happens. */
    wakeAt: number;
}

export function decide<W extends Waiting>(waits: Iterable<W>, situation: Situation, now: number): Decision<W> {
    const due: W[] = [];
    const overdue: W[] = [];
    const contentIds = new Set<string>();
    let wakeAt = Number.POSITIVE_INFINITY;
    let isListDue = false;
    let soon = 0;
    for (const wait of waits) {
        wakeAt = Math.min(wakeAt, wait.dueAt);
        if (wait.dueAt <= now) due.push(wait);
        if (wait.dueAt <= now && wait.deadlineAt <= now) overdue.push(wait);
        else if (wait.contentId !== undefined && !isFinal(wait.listed)) {
            contentIds.add(wait.contentId);
            isListDue ||= wait.dueAt <= now;
            if (wait.dueAt - now <= pauseAfterList(wait, situation, now) / 2) soon++;
        }
    }
    wakeAt = Math.max(wakeAt, situation.lastRoundAt + minRoundMs);
    const places = Math.max(0, maxReading - situation.reading);
    if (wakeAt > now) return { readNow: [], listNow: undefined, wakeAt };
    const { isUsable, pages } = situation.list;
    // In place of one GET for each. What the list showed to be at an end is read itself, whatever else the list shows.
    if (isListDue && isUsable && pages <= soon / 2) {
        return { readNow: overdue.slice(0, places), listNow: { contentIds, maxPages: Math.ceil(soon / 2) }, wakeAt };
    }
    return { readNow: due.slice(0, places), listNow: undefined, wakeAt };
}

/** How long after a GET that showed a pending status the next request comes, in ms. */
export function pauseAfterRead(wait: Waiting, situation: Situation, now: number): number {
    return pause(wait, situation, now, shareAfterRead);
}

/** The same after a poll of the list that showed one. */
export function pauseAfterList(wait: Waiting, situation: Situation, now: number): number {
    return pause(wait, situation, now, shareAfterList);
}

function pause({ contentId, since, isFresh }: Waiting, { processingMs }: Situation, now: number, share: number) {
    const age = now - since;
    const regular = Math.min(Math.max(age * share, minPauseMs), maxPauseMs);
    if (contentId === undefined || !isFresh || processingMs.length < minProcessingTimes) return regular;
    const early = certainShare * Math.min(...processingMs) - age;
    return Math.max(regular, Math.min(early, maxPauseMs));
}

/** When a content is due that the list has just shown: at once when it is at an end, for a list alone proves nothing. */
export function dueAfterList(wait: Waiting, status: string, situation: Situation, now: number): number {
    if (isFinal(status)) return now;
    const pauseMs = Math.max(pauseAfterList(wait, situation, now), situation.list.pages * pausePerPageMs);
    return Math.min(now + pauseMs, wait.deadlineAt);
}

/**
 * The one content that is read itself although the list shows it pending, so that a list which shows an end too late, or never,
 * is found out: the one whose last GET is longest ago, if that is long enough.
 */
export function toVerify<W extends Waiting>(listed: Iterable<W>, situation: Situation, now: number): W | undefined {
    let oldest: W | undefined;
    let pending = 0;
    for (const wait of listed) {
        if (isFinal(wait.listed)) continue;
        pending++;
        if (wait.readAt < (oldest?.readAt ?? now)) oldest = wait;
    }
    if (oldest === undefined || now - situation.verifiedAt < verifyPauseMs / pending) return undefined;
    return now - oldest.readAt >= pauseAfterRead(oldest, situation, now) ? oldest : undefined;
}
