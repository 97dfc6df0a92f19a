/**
 * Finds the objects of a create by its marker: candidates in the lists by title and age, then each candidate by a GET. The
 * service cannot be asked for metadata. Nothing is concluded from a list that was not read completely.
 */

import type { CallOptions } from "../../api";
import { withTimeLimit } from "../../api/timeLimit";
import { messages } from "../../messages";
import { LifecycleError, messageOf, type Operation } from "../resource";
import { unlessMissing } from "../state/readManaged";
import { isLeaving } from "../wait/status";
import { titleDigest } from "./digest";
import type { JournalEntry } from "./journal";
import { isSameMarker, markerIn } from "./marker";
import type { ObjectList, ScannedPage } from "./scan";

/** What the search has to see of an object. */
export interface Listed {
    title?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
    status?: string | undefined;
}

/** One kind of object, as creates and searches handle it. */
export interface Kind<T extends Listed> {
    name: string;
    idOf(object: T): string;
    get(id: string, options: CallOptions): Promise<T>;
    /** Where objects of the wanted shape are listed; with `anyShape`, where any of this kind are. */
    lists(anyShape: boolean): ObjectList<T>[];
    remove(id: string, options: CallOptions): Promise<void>;
}

export interface Sought<T extends Listed> {
    kind: Kind<T>;
    entry: JournalEntry;
    /** Whether the object may be listed elsewhere than one that is wanted today. */
    anyShape: boolean;
    /** The create begins now, in this process. */
    fresh?: boolean;
    options: CallOptions;
}

/** What one look reads. */
interface Extent {
    /** Also objects whose title the service rewrote: all that are young enough and not known to be another resource's. */
    anyTitle: boolean;
    /** One object is enough. */
    first?: boolean;
    /** Something is concluded from finding nothing: the order of the first pages alone proves too little. */
    thorough: boolean;
}

/** Pauses before each look, in ms: about ten seconds in all. */
const pausesMs = [0, 1_000, 2_000, 3_000, 4_000];
/** How far the clocks of this machine and of the service may be apart, in ms, beyond what the `Date` header says. */
const clockMarginMs = 5 * 60_000;
/** Likewise when an earlier process sent the POST: the machine's clock may have been set since. */
const earlierMarginMs = 60 * 60_000;

/**
 * So many pages a thorough look reads before it believes that the rest is older. A list that is sorted by status, and by age only
 * within that, shows what is not Ready after all that is. More would be too many requests in a large account.
 */
const thoroughPages = 10;

/** So many items without a date are read to find one whose title the service rewrote. */
const maxUndated = 500;

export class MarkerSearch<T extends Listed> {
    readonly #operation: Operation;
    readonly #sought: Sought<T>;
    /** As the monotonic clock counts. */
    readonly #begunAt: number;
    #requests = 0;
    /** Ids that the list of the look under way had, and that answered 404. */
    readonly #unreadable = new Set<string>();
    /** Items that had no date, of the look under way. */
    #undated = 0;

    constructor(operation: Operation, sought: Sought<T>) {
        this.#operation = operation;
        this.#sought = sought;
        this.#begunAt = operation.environment.clock.monotonic();
    }

    /** List requests that were read, of all looks. */
    get requests(): number {
        return this.#requests;
    }

    /** The object, looked for until it would surely show; `undefined` when there is none. */
    async find(): Promise<T | undefined> {
        const { clock } = this.#operation.environment;
        const { entry, options } = this.#sought;
        let failure: unknown;
        for (const [index, pause] of pausesMs.entries()) {
            if (failure !== undefined && options.deadline?.passed) break;
            await clock.sleep(pause, this.#operation.signal);
            try {
                const known = index === 0 && entry.id !== undefined ? await this.#read(entry.id) : undefined;
                if (known !== undefined && this.#isMine(known)) return known;
                const isLast = index === pausesMs.length - 1;
                const [found] = await this.all({ anyTitle: isLast, first: true, thorough: isLast });
                if (found !== undefined) return found;
                failure = undefined;
            } catch (error) {
                this.#operation.signal.throwIfAborted();
                failure = error;
            }
        }
        // Without one complete look nothing may be sent again.
        if (failure !== undefined) throw this.#incomplete(failure);
        return undefined;
    }

    /**
     * The objects with this marker that are not being deleted. It is known by its random part: a service that rewrites titles may
     * rewrite the names in it, too.
     */
    async all({ anyTitle, first = false, thorough }: Extent): Promise<T[]> {
        const { kind, anyShape, options } = this.#sought;
        const { clock, scans } = this.#operation.environment;
        const found = new Map<string, T>();
        this.#unreadable.clear();
        this.#undated = 0;
        const look = async (signal: AbortSignal) => {
            for (const list of kind.lists(anyShape)) {
                await scans.of(list).read((page) => this.#visit(page, { anyTitle, first, thorough, found }), signal);
                if (first && found.size > 0) return;
            }
        };
        const { signal } = this.#operation;
        if (options.deadline === undefined) await look(signal);
        else await withTimeLimit({ clock, ms: options.deadline.left, signal, reason: outOfTime }, look);
        if (first && found.size > 0) return [...found.values()];
        const [unreadable] = this.#unreadable;
        // A service may list a new object before it can be read: nobody knows whose this one is.
        if (unreadable !== undefined)
            throw new LifecycleError(messages.listedUnreadable({ object: `${kind.name} ${unreadable}` }));
        return [...found.values()];
    }

    /** Deletes an object that was found. One that was deleted already is a success. */
    async remove(object: T): Promise<void> {
        const { kind, options } = this.#sought;
        await unlessMissing(() => kind.remove(kind.idOf(object), options));
    }

    async #visit(
        page: ScannedPage<T>,
        { anyTitle, first, thorough, found }: Required<Extent> & { found: Map<string, T> },
    ): Promise<boolean> {
        const { kind } = this.#sought;
        this.#requests++;
        this.#operation.progress(`looking for the ${kind.name.toLowerCase()}: ${page.requests} list requests`);
        const oldest = this.#oldest(page);
        for (const item of page.items) {
            if (!this.#isCandidate(item, oldest, anyTitle)) continue;
            const object = await this.#read(kind.idOf(item));
            if (object === undefined && this.#isLikely(item)) this.#unreadable.add(kind.idOf(item));
            if (object === undefined || !this.#isMine(object)) continue;
            found.set(kind.idOf(object), object);
            if (first) return true;
        }
        if (thorough && page.requests < thoroughPages) return false;
        return page.restIsBefore !== undefined && page.restIsBefore < oldest;
    }

    /** Nothing of this create is older, by the service's clock. */
    #oldest({ serverTime }: ScannedPage<T>): number {
        const { clock } = this.#operation.environment;
        const { entry, fresh = false } = this.#sought;
        const now = clock.now();
        const age = fresh ? clock.monotonic() - this.#begunAt : now - entry.startedAt;
        // The clock was set back since, so the age is not known.
        if (age < 0) return Number.NEGATIVE_INFINITY;
        return Math.min(now, serverTime ?? now) - age - (fresh ? clockMarginMs : earlierMarginMs);
    }

    #isCandidate(item: T, oldest: number, anyTitle: boolean): boolean {
        const { kind, entry } = this.#sought;
        const { managed, scans } = this.#operation.environment;
        const id = kind.idOf(item);
        if ((item.createdOn ?? oldest) < oldest) return false;
        const marker = markerIn(item.metadata);
        if (marker !== undefined) return isSameMarker(marker, entry.marker);
        if (scans.hasOtherMarker(`${kind.name} ${id}`, entry.marker)) return false;
        if (this.#isLikely(item)) return true;
        if (item.createdOn === undefined) this.#undated++;
        const manager = managed.by(id);
        // An engine that repeats a failed create searches for what its own first try made.
        const isOthers = manager !== undefined && manager !== this.#operation.urn;
        return anyTitle && this.#undated <= maxUndated && !isOthers;
    }

    /** By what its list says of it. */
    #isLikely({ title, status }: T): boolean {
        return !isLeaving(status) && (title === undefined || this.#sought.entry.titles.includes(titleDigest(title)));
    }

    #isMine(object: T): boolean {
        return isSameMarker(markerIn(object.metadata), this.#sought.entry.marker) && !isLeaving(object.status);
    }

    async #read(id: string): Promise<T | undefined> {
        const { kind, options } = this.#sought;
        const { scans } = this.#operation.environment;
        const key = `${kind.name} ${id}`;
        const object = await scans.read(key, () => unlessMissing(() => kind.get(id, options)));
        // One that has none may get its metadata a moment later, whether it shows that as nothing at all or as an empty list.
        const { metadata = {} } = object ?? {};
        if (Object.keys(metadata).length > 0) scans.noteMarker(key, markerIn(metadata) ?? "");
        return object;
    }

    #incomplete(failure: unknown): LifecycleError {
        const object = this.#sought.kind.name.toLowerCase();
        return new LifecycleError(messages.createUnknown({ object, error: messageOf(failure) }));
    }
}

function outOfTime(): LifecycleError {
    return new LifecycleError(messages.createTimedOut());
}
