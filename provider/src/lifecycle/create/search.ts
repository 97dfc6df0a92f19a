/**
 * Finds the objects of a pending create by its mark: in the lists by title and age, then by reading each. The service
 * cannot be asked for metadata.
 */
import { createHash } from "node:crypto";
import type { CallOptions, Page } from "../../api";
import { LifecycleError, messageOf, type Operation } from "../resource";
import { unlessMissing } from "../state/readManaged";
import { isLeaving } from "../wait/status";
import type { JournalEntry } from "./journal";
import { markIn } from "./marker";

/** What the search has to see of an object. */
export interface Marked {
    title?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
    status?: string | undefined;
}

/** One kind of object, as creates and searches handle it. */
export interface Kind<T extends Marked> {
    name: string;
    idOf(object: T): string;
    get(id: string, options: CallOptions): Promise<T>;
    /** Where objects of the wanted shape are listed; with `anyShape`, where any of this kind are. */
    list(options: CallOptions, anyShape: boolean): AsyncIterable<Page<T>>;
    remove(id: string, options: CallOptions): Promise<void>;
}

export interface Sought<T extends Marked> {
    kind: Kind<T>;
    entry: JournalEntry;
    /** Whether the object may be listed elsewhere than one that is wanted today. */
    anyShape: boolean;
    options: CallOptions;
}

/** Pauses before each look, in ms: about ten seconds in all. */
const looks = [0, 1_000, 2_000, 3_000, 4_000];
/** How far the clocks of this machine and of the service may be apart, in ms, beyond what the `Date` header tells. */
const clockMargin = 5 * 60_000;

export class MarkSearch<T extends Marked> {
    readonly #operation: Operation;
    readonly #sought: Sought<T>;
    /** Objects whose mark was read and is another one. */
    readonly #others = new Set<string>();

    constructor(operation: Operation, sought: Sought<T>) {
        this.#operation = operation;
        this.#sought = sought;
    }

    /** The object, looked for until it would surely show; `undefined` when there is none. */
    async find(): Promise<T | undefined> {
        const { clock } = this.#operation.environment;
        const { entry, kind } = this.#sought;
        let failure: unknown;
        for (const pause of looks) {
            await clock.sleep(pause, this.#operation.signal);
            try {
                const known = pause === 0 && entry.id !== undefined ? await this.#read(entry.id) : undefined;
                if (known !== undefined && this.#isMine(known)) return known;
                const anyTitle = pause === looks.at(-1);
                for await (const object of this.bearers({ anyTitle })) return object;
                failure = undefined;
            } catch (error) {
                this.#operation.signal.throwIfAborted();
                failure = error;
            }
        }
        // Without one clean look nothing may be sent again.
        if (failure !== undefined) {
            throw new LifecycleError(
                `The answer to the create of a ${kind.name.toLowerCase()} was lost, and looking for it failed: ${messageOf(failure)} ` +
                    "Nothing is lost: the next `pulumi up` looks for it again before it creates one.",
            );
        }
        return undefined;
    }

    /**
     * The objects that bear exactly this mark. With `anyTitle` also those whose title the service rewrote: of all that are
     * young enough, and not known to be another resource's.
     */
    async *bearers({ anyTitle }: { anyTitle: boolean }): AsyncGenerator<T> {
        const { kind, entry, options, anyShape } = this.#sought;
        const { clock, managed } = this.#operation.environment;
        const age = () => clock.now() - entry.startedAt;
        for await (const page of kind.list(options, anyShape)) {
            const here = clock.now() - age();
            const there = page.serverTime === undefined ? here : page.serverTime - age();
            const oldest = Math.min(here, there) - clockMargin;
            for (const item of page.items) {
                const id = kind.idOf(item);
                if (this.#others.has(id) || (item.createdOn ?? oldest) < oldest) continue;
                const isTitled = item.title === undefined || entry.titles.includes(titleDigest(item.title));
                const isOthers = item.createdOn === undefined || managed.by(id) !== undefined;
                if (!isTitled && (!anyTitle || isOthers)) continue;
                const object = await this.#read(id);
                if (object === undefined) continue;
                if (this.#isMine(object)) yield object;
                else if (object.metadata !== undefined) this.#others.add(id);
            }
        }
    }

    /** Deletes an object that was found; gone already is success. */
    async remove(object: T): Promise<void> {
        const { kind, options } = this.#sought;
        await unlessMissing(() => kind.remove(kind.idOf(object), options));
    }

    #isMine(object: T): boolean {
        return markIn(object.metadata) === this.#sought.entry.mark && !isLeaving(object.status);
    }

    #read(id: string): Promise<T | undefined> {
        return unlessMissing(() => this.#sought.kind.get(id, this.#sought.options));
    }
}

/** Digest of a title as titles are compared: a service may trim or normalise them. */
export function titleDigest(title: string): string {
    return digest(title.normalize("NFC").trim());
}

export function digest(text: string): string {
    return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
