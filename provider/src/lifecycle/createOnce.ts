/**
 * The create protocol (design, section 4): one object per logical create, although the service knows no idempotency key
 * and an answer can be lost. A mark goes into the object's metadata and, before anything is sent, into the journal. After
 * a lost answer the mark is looked up before anything is sent again.
 */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { ApiError, type CallOptions, type Created, NotFoundError, type Page } from "../api";
import type { JournalEntry } from "./journal";
import { markIn, newMark } from "./mark";
import { LifecycleError, messageOf, type Operation } from "./resource";

/** What the protocol has to see of an object. */
export interface Marked {
    title?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
    status?: string | undefined;
}

/** One kind of object, as the protocol handles it. */
export interface Kind<T extends Marked> {
    name: string;
    idOf(object: T): string;
    get(id: string, options: CallOptions): Promise<T>;
    /** Where objects of the wanted shape are listed; with `anyShape`, where any of this kind are. */
    list(options: CallOptions, anyShape: boolean): AsyncIterable<Page<T>>;
    remove(id: string, options: CallOptions): Promise<void>;
}

export interface Wanted<T extends Marked> {
    kind: Kind<T>;
    title: string;
    /** The inputs that only a create can set. */
    shape: unknown;
    post(mark: string): Promise<Created<T>>;
    options: CallOptions;
}

export interface Made<T> {
    object: T;
    id: string;
    mark: string;
    /** Whether the object was found again rather than created just now: its inputs may be older ones. */
    found: boolean;
    /** The final look: deletes any second object that bears this mark. Call it when the create is complete. */
    settle(): Promise<void>;
}

const posts = 3;
/** Pauses before each look after a lost answer, in ms: about ten seconds in all. */
const looks = [0, 1_000, 2_000, 3_000, 4_000];
/** A lost POST may still be accepted for so long; the final look comes no sooner, in ms. */
const lateAcceptance = 10_000;
/** How far the clocks of this machine and of the service may be apart, in ms, beyond what the `Date` header tells. */
const clockMargin = 5 * 60_000;
/** How long another process that is still at the same create is waited for, in ms: longer than any request lasts. */
const ownerPatience = 90_000;

export async function createOnce<T extends Marked>(operation: Operation, wanted: Wanted<T>): Promise<Made<T>> {
    const pending = await pendingEntry(operation, wanted);
    return new Create(operation, wanted, pending).run(pending);
}

/** One run of the protocol. */
class Create<T extends Marked> {
    readonly #operation: Operation;
    readonly #wanted: Wanted<T>;
    readonly #entry: JournalEntry;
    /** Objects whose mark was read and is another one. */
    readonly #others = new Set<string>();
    #ambiguousAt: number | undefined;
    #posts = 0;

    constructor(operation: Operation, wanted: Wanted<T>, pending: JournalEntry | undefined) {
        const { environment, urn } = operation;
        this.#operation = operation;
        this.#wanted = wanted;
        const owner = { pid: process.pid, host: hostname() };
        this.#entry = (pending && { ...pending, owner }) ?? {
            kind: wanted.kind.name,
            urn: urn ?? "",
            mark: newMark(urn, environment.random),
            fingerprint: environment.api.fingerprint,
            title: digest(normal(wanted.title)),
            shape: shapeOf(wanted),
            startedAt: environment.clock.now(),
            owner,
        };
    }

    async run(pending: JournalEntry | undefined): Promise<Made<T>> {
        if (pending !== undefined) {
            const resumed = await this.#resume(pending);
            if (resumed !== undefined) return resumed;
            // These may be the credentials of another environment: that create stays pending, and this is another one.
            if (pending.fingerprint !== this.#operation.environment.api.fingerprint) {
                return new Create(this.#operation, this.#wanted, undefined).run(undefined);
            }
        }
        await this.#open();
        while (this.#posts < posts) {
            const object = (await this.#post()) ?? (await this.#search());
            if (object !== undefined) return this.#made(object.value, object.found);
        }
        throw new LifecycleError(
            `The service never answered the create of this ${this.#noun}, and no object bears its mark. Nothing is lost: the next ` +
                "`pulumi up` looks for the object before it creates one. Try again when the service answers.",
        );
    }

    async #open(): Promise<void> {
        try {
            await this.#operation.environment.journal.open(this.#entry);
        } catch (error) {
            throw new LifecycleError(
                `The journal of pending creates cannot be written (${messageOf(error)}), so nothing was created. Make the folder ` +
                    "writable or name another one in VIDEOGRAPH_JOURNAL_DIR.",
            );
        }
    }

    /** What an interrupted process left behind. */
    async #resume(pending: JournalEntry): Promise<Made<T> | undefined> {
        const { clock } = this.#operation.environment;
        this.#ambiguousAt = clock.now();
        this.#posts = 1;
        this.#operation.progress("looking for the object of an interrupted create");
        const known = pending.id === undefined ? undefined : await this.#read(pending.id);
        const found = known !== undefined && this.#isMine(known) ? known : (await this.#search())?.value;
        if (found === undefined) return undefined;
        if (this.#isShapeWanted) return this.#made(found, true);
        // This one is ours by its mark, and no state knows it.
        await this.#remove(this.#wanted.kind.idOf(found));
        await this.#operation.environment.journal.close(pending.mark);
        return createOnce(this.#operation, this.#wanted);
    }

    async #post(): Promise<{ value: T; found: false } | undefined> {
        this.#posts++;
        try {
            const { object } = await this.#wanted.post(this.#entry.mark);
            return { value: object, found: false };
        } catch (error) {
            const { signal } = this.#operation;
            const unsent = signal.aborted && error === signal.reason;
            const ambiguous = !unsent && (!(error instanceof ApiError) || error.outcome === "ambiguous");
            if (ambiguous) this.#ambiguousAt = this.#operation.environment.clock.now();
            // An earlier try may have been accepted after all: then the entry stays for the next run.
            else if (this.#ambiguousAt === undefined) await this.#operation.environment.journal.close(this.#entry.mark);
            if (!ambiguous || signal.aborted) throw error;
            this.#operation.progress("the answer to the create was lost; looking for the object");
            return undefined;
        }
    }

    async #search(): Promise<{ value: T; found: true } | undefined> {
        const { clock } = this.#operation.environment;
        let failure: unknown;
        for (const pause of looks) {
            await clock.sleep(pause, this.#operation.signal);
            try {
                for await (const object of this.#bearers()) return { value: object, found: true };
                failure = undefined;
            } catch (error) {
                this.#operation.signal.throwIfAborted();
                failure = error;
            }
        }
        // Without one clean look nothing may be sent again.
        if (failure !== undefined) {
            throw new LifecycleError(
                `The answer to the create of this ${this.#noun} was lost, and looking for it failed: ${messageOf(failure)} Nothing is ` +
                    "lost: the next `pulumi up` looks for it again before it creates one.",
            );
        }
        return undefined;
    }

    /** The objects that bear exactly this create's mark. */
    async *#bearers(): AsyncGenerator<T> {
        const { kind, options } = this.#wanted;
        const { clock } = this.#operation.environment;
        const age = () => clock.now() - this.#entry.startedAt;
        for await (const page of kind.list(options, !this.#isShapeWanted)) {
            const here = clock.now() - age();
            const there = page.serverTime === undefined ? here : page.serverTime - age();
            const oldest = Math.min(here, there) - clockMargin;
            for (const item of page.items) {
                const id = kind.idOf(item);
                if (this.#others.has(id) || (item.createdOn ?? oldest) < oldest) continue;
                if (item.title !== undefined && digest(normal(item.title)) !== this.#entry.title) continue;
                const object = await this.#read(id);
                if (object === undefined) continue;
                if (this.#isMine(object)) yield object;
                else if (object.metadata !== undefined) this.#others.add(id);
            }
        }
    }

    #isMine(object: T): boolean {
        return markIn(object.metadata) === this.#entry.mark && !/^delet/i.test(object.status ?? "");
    }

    async #read(id: string): Promise<T | undefined> {
        try {
            return await this.#wanted.kind.get(id, this.#wanted.options);
        } catch (error) {
            if (error instanceof NotFoundError) return undefined;
            throw error;
        }
    }

    async #remove(id: string): Promise<void> {
        try {
            await this.#wanted.kind.remove(id, this.#wanted.options);
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
        }
    }

    async #made(object: T, found: boolean): Promise<Made<T>> {
        const id = this.#wanted.kind.idOf(object);
        const { journal, managed } = this.#operation.environment;
        managed.note(id, this.#operation.urn);
        // The id is known in memory whatever becomes of the disk.
        await journal.identify(this.#entry.mark, id).catch(() => undefined);
        return { object, id, mark: this.#entry.mark, found, settle: () => this.#settle(id) };
    }

    async #settle(kept: string): Promise<void> {
        if (this.#ambiguousAt === undefined) return;
        const { clock } = this.#operation.environment;
        try {
            const early = this.#posts > 1 ? this.#ambiguousAt + lateAcceptance - clock.now() : 0;
            if (early > 0) await clock.sleep(early, this.#operation.signal);
            for await (const object of this.#bearers()) {
                const id = this.#wanted.kind.idOf(object);
                if (id !== kept) await this.#remove(id);
            }
        } catch (error) {
            this.#operation.warn(
                `The answer to the create was lost once, and whether it left a second ${this.#noun} could not be checked: ` +
                    `${messageOf(error)} It would bear ${this.#entry.mark} in its metadata.`,
            );
        }
    }

    /** False when the program wants another object by now than the interrupted create made. */
    get #isShapeWanted(): boolean {
        return this.#entry.shape === shapeOf(this.#wanted);
    }

    get #noun(): string {
        return this.#wanted.kind.name.toLowerCase();
    }
}

/** The journal's entry that this create goes on from. */
async function pendingEntry<T extends Marked>(
    operation: Operation,
    wanted: Wanted<T>,
): Promise<JournalEntry | undefined> {
    const { journal, clock, api, managed } = operation.environment;
    const { urn } = operation;
    const predecessor = managed.predecessorOf(urn);
    // While a predecessor that cannot be told lives, the mark may be its own: nothing is claimed.
    if (urn === undefined || predecessor === "unknown") return undefined;
    const until = clock.now() + ownerPatience;
    for (;;) {
        const entries = (await journal.entriesFor(urn)).filter(
            (entry) => entry.kind === wanted.kind.name && (predecessor === undefined || entry.id !== predecessor.id),
        );
        const busy = entries.some((entry) => journal.isOwnedElsewhere(entry));
        if (!busy || clock.now() >= until) {
            // A token may have been rotated since: the mark finds the object under the new one too.
            return entries.findLast(({ fingerprint }) => fingerprint === api.fingerprint) ?? entries.at(-1);
        }
        operation.progress("waiting for an earlier run of this stack that is still at this create");
        await clock.sleep(500, operation.signal);
    }
}

function digest(text: string): string {
    return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function shapeOf({ shape }: { shape: unknown }): string {
    return digest(JSON.stringify(shape));
}

/** Titles as they are compared: a service may trim or normalise them. */
function normal(title: string): string {
    return title.normalize("NFC").trim();
}
