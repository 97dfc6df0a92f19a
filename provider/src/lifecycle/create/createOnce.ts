/** Performs the create protocol (protocol.ts): journal, POST, search. One object per create, whatever happens to answers. */
import { ApiError, type CallOptions, type Created, Deadline, isSameId } from "../../api";
import { messages } from "../../messages";
import { LifecycleError, messageOf, type Operation } from "../resource";
import { titleDigest, valueDigest } from "./digest";
import { isUnsettled, type JournalEntry, lateAcceptanceMs, lateMs, searchedToo } from "./journal";
import { newMarker } from "./marker";
import { isSameProcess } from "./owner";
import { pendingEntry } from "./pending";
import { type EventName, initial, maxPosts, next, type State } from "./protocol";
import { type Kind, type Listed, MarkerSearch } from "./search";

export interface Wanted<T extends Listed> {
    kind: Kind<T>;
    title: string;
    /** The inputs that only a create can set: what an interrupted create made is adopted only if they are the same. */
    shape: unknown;
    post(marker: string): Promise<Created<T>>;
    options: CallOptions;
}

export interface Made<T> {
    object: T;
    id: string;
    marker: string;
    /** Whether the object was found again rather than created just now: its inputs may be older ones. */
    found: boolean;
    /** When it was created, if nothing but the create's answer has shown it. */
    unseen: number | undefined;
    /** Deletes any second object with this marker. Call it when the create is complete. */
    settle(): Promise<void>;
}

/**
 * An earlier try of this process made the object and handed it over, and this one could not find out what became of it. The
 * engine keeps what the last try gives it, so the id must not be lost (L4).
 */
export class Unconfirmed extends Error {
    readonly id: string;
    readonly marker: string;
    readonly reason: unknown;

    constructor(id: string, marker: string, reason: unknown) {
        super();
        this.id = id;
        this.marker = marker;
        this.reason = reason;
    }
}

export async function createOnce<T extends Listed>(operation: Operation, wanted: Wanted<T>): Promise<Made<T>> {
    const shape = shapeOf(wanted);
    const pending = await pendingEntry(operation, wanted.kind.name, shape);
    const isWanted = pending?.shape === shape;
    // The state may have the object of an answered entry. If so the engine deletes it after this create, else the next update.
    const isLeft = !isWanted && pending?.answered === true;
    if (pending === undefined || isLeft) return drive(freshAttempt(operation, wanted), "fresh");
    return drive(laterAttempt(operation, wanted, pending, isWanted), isWanted ? "resumed" : "outdated");
}

/** One use of one marker. */
interface Attempt<T extends Listed> {
    operation: Operation;
    wanted: Wanted<T>;
    entry: JournalEntry;
    search: MarkerSearch<T>;
    sameCredentials: boolean;
    /** The object that an earlier try of this process has handed over. */
    handedOver?: string | undefined;
}

/** What came of an action. */
interface Outcome<T> {
    event: EventName;
    object?: T;
    error?: unknown;
}

function freshAttempt<T extends Listed>(operation: Operation, wanted: Wanted<T>): Attempt<T> {
    const { api, clock, journal, managed, random } = operation.environment;
    const predecessor = managed.predecessorOf(operation.urn);
    const entry: JournalEntry = {
        kind: wanted.kind.name,
        urn: operation.urn ?? "",
        marker: newMarker(operation.urn, random),
        fingerprint: api.fingerprint,
        titles: [titleDigest(wanted.title)],
        shape: shapeOf(wanted),
        startedAt: clock.now(),
        owner: journal.owner,
        ...(typeof predecessor === "object" && { replaces: predecessor.id }),
    };
    const { kind, options } = wanted;
    const search = new MarkerSearch(operation, { kind, options, entry, anyShape: false, fresh: true });
    return { operation, wanted, entry, search, sameCredentials: true };
}

/** Goes on from the entry of an earlier process, or of an earlier try of this one. */
function laterAttempt<T extends Listed>(
    operation: Operation,
    wanted: Wanted<T>,
    pending: JournalEntry,
    isWanted: boolean,
): Attempt<T> {
    const { api, journal } = operation.environment;
    const isOwn = isSameProcess(pending.owner, journal.owner);
    const entry: JournalEntry = {
        ...pending,
        owner: journal.owner,
        // The title may have changed since: what is sent from now on has the new one.
        titles: [...new Set([...pending.titles, titleDigest(wanted.title)])],
        ...(!isOwn && { resumed: true }),
    };
    const { kind, options } = wanted;
    const search = new MarkerSearch(operation, { kind, options, entry, anyShape: !isWanted });
    const sameCredentials = pending.fingerprint === api.fingerprint;
    const handedOver = isOwn && isWanted && pending.answered ? pending.id : undefined;
    return { operation, wanted, entry, search, sameCredentials, handedOver };
}

async function drive<T extends Listed>(attempt: Attempt<T>, from: "fresh" | "resumed" | "outdated"): Promise<Made<T>> {
    const { api, clock, journal } = attempt.operation.environment;
    let doubtUntil = Deadline.after(clock, lateMs(attempt.entry, clock));
    let lastFailure: unknown;
    let outcome: Outcome<T> = { event: "begin" };
    let { state, action } = next(initial(from, attempt.sameCredentials), "begin");
    for (;;) {
        if (action === "keep" && outcome.object !== undefined) {
            return made(attempt, outcome.object, { state, doubtUntil, found: outcome.event === "found" });
        }
        if (action === "startOver") {
            // What was sent twice may have made a second object, which the next update looks for.
            const isOver =
                outcome.event === "removed"
                    ? doubtUntil.passed || !isUnsettled(attempt.entry)
                    : doubtUntil.passed && attempt.sameCredentials;
            if (isOver) await journal.close(attempt.entry.marker);
            // These credentials need not look for it again.
            else if (doubtUntil.passed)
                await journal.note(attempt.entry.marker, searchedToo(attempt.entry, api.fingerprint));
            return drive(freshAttempt(attempt.operation, attempt.wanted), "fresh");
        }
        if (action === "closeAndFail") await journal.close(attempt.entry.marker);
        if (action === "closeAndFail" || action === "fail") throw failureOf(attempt, state, outcome, lastFailure);
        outcome = await perform(action, attempt, { state, doubtUntil, object: outcome.object });
        lastFailure = outcome.error ?? lastFailure;
        if (outcome.event === "lost") doubtUntil = Deadline.after(clock, lateAcceptanceMs);
        ({ state, action } = next(state, outcome.event));
    }
}

function perform<T extends Listed>(
    action: string,
    attempt: Attempt<T>,
    { state, doubtUntil, object }: { state: State; doubtUntil: Deadline; object: T | undefined },
): Promise<Outcome<T>> {
    if (action === "open" || action === "claim") return open(attempt, action === "open" ? state.posts + 1 : undefined);
    if (action === "post") return post(attempt);
    if (action === "search") return search(attempt, doubtUntil);
    if (action === "remove" && object !== undefined) return remove(attempt, object);
    throw new LifecycleError(messages.noProtocolRow({ problem: `cannot ${action} here` }));
}

async function open<T extends Listed>(
    { operation, entry }: Attempt<T>,
    posts: number | undefined,
): Promise<Outcome<T>> {
    const { clock, journal } = operation.environment;
    const again = posts !== undefined && posts > 1 && { posts: Math.max(posts, entry.posts ?? 0), sentAt: clock.now() };
    try {
        await journal.open({ ...entry, ...again });
        return { event: "opened" };
    } catch (error) {
        const unwritable = new LifecycleError(messages.journalUnwritable({ error: messageOf(error) }));
        return { event: "openFailed", error: unwritable };
    }
}

async function post<T extends Listed>({ operation, wanted, entry }: Attempt<T>): Promise<Outcome<T>> {
    const { signal } = operation;
    try {
        return { event: "created", object: (await wanted.post(entry.marker)).object };
    } catch (error) {
        if (signal.aborted && error === signal.reason) return { event: "interrupted", error };
        if (isRefusal(error)) return { event: "rejected", error };
        const status = error instanceof ApiError && error.status !== undefined ? `HTTP ${error.status}` : "no answer";
        operation.progress(`${status}; checking whether the ${nounOf(wanted)} was created`);
        return { event: "lost", error };
    }
}

async function search<T extends Listed>(attempt: Attempt<T>, doubtUntil: Deadline): Promise<Outcome<T>> {
    const { operation, wanted, search, sameCredentials } = attempt;
    try {
        let object = await search.find();
        // What comes next gets another marker, so nothing with this one may be accepted after it.
        if (object === undefined && !sameCredentials && !doubtUntil.passed) {
            await waitOut(attempt, doubtUntil, "waiting until what was sent before cannot be accepted any more");
            [object] = await search.all({ anyTitle: true, first: true, thorough: true });
        }
        // A row keeps its last words when it is finished.
        operation.progress(object === undefined ? "not found" : "found again");
        if (object === undefined) return { event: "notFound" };
        const { kind } = wanted;
        const requests = `${search.requests} list ${search.requests === 1 ? "request" : "requests"}`;
        operation.info(messages.foundAgain({ object: `${kind.name} ${kind.idOf(object)}`, requests }));
        return { event: "found", object };
    } catch (error) {
        return { event: "searchFailed", error };
    }
}

/** The program wants another object. This one is ours by its marker, and no state has it. */
async function remove<T extends Listed>({ entry, search }: Attempt<T>, object: T): Promise<Outcome<T>> {
    try {
        await search.remove(object);
        const others = await search.all({ anyTitle: true, thorough: isUnsettled(entry) });
        for (const other of others) await search.remove(other);
        return { event: "removed" };
    } catch (error) {
        return { event: "searchFailed", error };
    }
}

function failureOf<T extends Listed>(
    { wanted, entry, handedOver }: Attempt<T>,
    { posts }: State,
    { event, error }: Outcome<T>,
    lastFailure: unknown,
): unknown {
    // Nothing was sent since, so nothing speaks against it.
    if (handedOver !== undefined && posts === 1) return new Unconfirmed(handedOver, entry.marker, error);
    if (event !== "notFound") return error;
    if (isRefusal(lastFailure)) return lastFailure;
    const what = { attempts: maxPosts, object: nounOf(wanted), error: messageOf(lastFailure) };
    return new LifecycleError(messages.attemptsFailed(what));
}

/** Whether it shows that the POST had no effect. */
function isRefusal(error: unknown): boolean {
    return error instanceof ApiError && error.outcome !== "ambiguous";
}

async function made<T extends Listed>(
    attempt: Attempt<T>,
    object: T,
    { state, doubtUntil, found }: { state: State; doubtUntil: Deadline; found: boolean },
): Promise<Made<T>> {
    const { operation, wanted, entry } = attempt;
    const { clock, journal, managed, scans } = operation.environment;
    const id = wanted.kind.idOf(object);
    managed.note(id, operation.urn);
    // Other searches of this process need not read it, which may not be possible yet.
    scans.noteMarker(`${wanted.kind.name} ${id}`, entry.marker);
    // The id is known in memory whatever becomes of the disk.
    await journal.note(entry.marker, { id }).catch(() => undefined);
    return {
        object,
        id,
        marker: entry.marker,
        found,
        unseen: found ? undefined : clock.now(),
        settle: async () => {
            const complete = next(state, "complete");
            if (complete.action !== "sweep") return;
            const outcome = await sweep(attempt, id, doubtUntil);
            if (next(complete.state, outcome.event).state.name === "unsettled")
                warnOfSecond(attempt, id, outcome.error);
        },
    };
}

/** Deletes second objects. Where the POST was sent again, it waits until none can be accepted any more. */
async function sweep<T extends Listed>(attempt: Attempt<T>, kept: string, doubtUntil: Deadline): Promise<Outcome<T>> {
    const { operation, wanted, search, entry: opened } = attempt;
    const { journal } = operation.environment;
    try {
        const mayAppear = isUnsettled((await journal.find(opened.marker)) ?? opened);
        if (mayAppear) await waitOut(attempt, doubtUntil, "waiting until no second object can appear");
        for (const object of await search.all({ anyTitle: true, thorough: mayAppear })) {
            if (!isSameId(wanted.kind.idOf(object), kept)) await search.remove(object);
        }
        if (mayAppear) await journal.note(opened.marker, { settled: true });
        operation.progress("there is no second object");
        return { event: "swept" };
    } catch (error) {
        return { event: "searchFailed", error };
    }
}

/** Waits until nothing that was sent can appear any more, if the operation has the time. */
async function waitOut<T extends Listed>(
    { operation, wanted }: Attempt<T>,
    doubtUntil: Deadline,
    progress: string,
): Promise<void> {
    const { deadline } = wanted.options;
    operation.progress(progress);
    // A timer may fire a moment early.
    while (!doubtUntil.passed) {
        if (deadline?.passed) throw new LifecycleError(messages.createTimedOut());
        const { left = doubtUntil.left } = deadline ?? {};
        await operation.environment.clock.sleep(Math.min(doubtUntil.left, left), operation.signal);
    }
}

function warnOfSecond<T extends Listed>({ operation, wanted, entry }: Attempt<T>, id: string, error: unknown): void {
    const { marker } = entry;
    operation.warn(messages.secondObject({ kind: nounOf(wanted), object: id, error: messageOf(error), marker }));
}

function nounOf<T extends Listed>({ kind }: Wanted<T>): string {
    return kind.name.toLowerCase();
}

function shapeOf({ shape }: { shape: unknown }): string {
    return valueDigest(shape);
}
