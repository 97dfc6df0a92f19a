/** Earlier states of the store: for a service whose answers lag behind the requests that it has accepted. */
import type { Change, ContentRecord, LivestreamRecord, Store } from "./store";

type ObjectRecord = ContentRecord | LivestreamRecord;

/** One change, as it is undone: what was there before. */
interface Undo {
    readonly at: number;
    readonly key: string;
    readonly before: ObjectRecord | undefined;
}

export class History {
    #undos: Undo[] = [];

    /** Keeps the changes of the last `keepMs()`: none at all while that is 0. */
    constructor(
        private readonly store: Store,
        private readonly now: () => number,
        private readonly keepMs: () => number,
    ) {
        store.observers.push((change, before) => this.#note(change, before));
    }

    /** An environment's contents as they were at `time`, oldest first. */
    contents(environmentId: number, time: number): ContentRecord[] {
        const { contents } = this.store.environment(environmentId);
        return this.#at(time, `content ${environmentId}`, contents) ?? [...contents.values()];
    }

    /** An environment's livestreams as they were at `time`, oldest first. */
    livestreams(environmentId: number, time: number): LivestreamRecord[] {
        const current = this.store.livestreams(this.now(), environmentId);
        const { livestreams } = this.store.environment(environmentId);
        const then = this.#at(time, `livestream ${environmentId}`, livestreams) ?? current;
        return then.filter(({ goneAt }) => goneAt === null || time < goneAt);
    }

    content(environmentId: number, id: string, time: number): ContentRecord | undefined {
        if (!this.#isPast(time)) return this.store.environment(environmentId).contents.get(id);
        return this.contents(environmentId, time).find(({ contentId }) => contentId === id);
    }

    livestream(environmentId: number, id: string, time: number): LivestreamRecord | undefined {
        if (!this.#isPast(time)) return this.store.livestream(environmentId, id, this.now());
        return this.livestreams(environmentId, time).find(({ streamUUID }) => streamUUID === id);
    }

    /** Whether anything may have been different then. */
    #isPast(time: number): boolean {
        return time < this.now() && this.#undos.length > 0;
    }

    /** Undefined when nothing has changed since. */
    #at<T extends ObjectRecord>(time: number, kind: string, current: ReadonlyMap<string, T>): T[] | undefined {
        if (!this.#isPast(time)) return undefined;
        const then = new Map<string, T>(current);
        for (const { at, key, before } of this.#undos.toReversed()) {
            if (at <= time) break;
            if (!key.startsWith(`${kind} `)) continue;
            const id = key.slice(kind.length + 1);
            if (before === undefined) then.delete(id);
            else then.set(id, before as T);
        }
        return [...then.values()].sort((a, b) => a.createdOn - b.createdOn);
    }

    #note(change: Change, before: ObjectRecord | undefined): void {
        const keepMs = this.keepMs();
        if (keepMs === 0) this.#undos = [];
        const key = keyOf(change);
        if (keepMs === 0 || key === undefined) return;
        const at = this.now();
        this.#undos.push({ at, key, before });
        const kept = this.#undos.findIndex((undo) => undo.at >= at - keepMs);
        // Half at a time, so that a busy store does not copy for each change.
        if (kept > this.#undos.length / 2) this.#undos = this.#undos.slice(kept);
    }
}

function keyOf(change: Change): string | undefined {
    if ("signingKey" in change) return undefined;
    if ("content" in change) return `content ${change.content.environmentId} ${change.content.contentId}`;
    if ("livestream" in change) return `livestream ${change.livestream.environmentId} ${change.livestream.streamUUID}`;
    const [kind, { environmentId, id }] =
        "contentDeleted" in change ? ["content", change.contentDeleted] : ["livestream", change.livestreamDeleted];
    return `${kind} ${environmentId} ${id}`;
}
