/**
 * The create protocol (design, section 4): one object per logical create, although the service knows no idempotency key
 * and an answer can be lost. A mark goes into the object's metadata and, before anything is sent, into the journal. After
 * a lost answer the mark is looked up before anything is sent again.
 */
import { hostname } from "node:os";
import { ApiError, type CallOptions, type Created } from "../../api";
import { LifecycleError, messageOf, type Operation } from "../resource";
import type { JournalEntry } from "./journal";
import { newMark } from "./marker";
import { digest, type Kind, type Marked, MarkSearch, titleDigest } from "./search";

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
    /** When it was created, if nothing but the create's answer has shown it. */
    unseen: number | undefined;
    /** The final look: deletes any second object that bears this mark. Call it when the create is complete. */
    settle(): Promise<void>;
}

const posts = 3;
/** A lost POST may still be accepted for so long; the final look comes no sooner, in ms. */
const lateAcceptance = 10_000;
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
    readonly #search: MarkSearch<T>;
    #ambiguousAt: number | undefined;
    #failure = "";
    #posts = 0;

    constructor(operation: Operation, wanted: Wanted<T>, pending: JournalEntry | undefined) {
        const { environment, urn } = operation;
        this.#operation = operation;
        this.#wanted = wanted;
        const owner = { pid: process.pid, host: hostname() };
        const title = titleDigest(wanted.title);
        // The title may have changed since the process was killed: what is sent from now on bears the new one.
        this.#entry = (pending && { ...pending, owner, titles: [...new Set([...pending.titles, title])] }) ?? {
            kind: wanted.kind.name,
            urn: urn ?? "",
            mark: newMark(urn, environment.random),
            fingerprint: environment.api.fingerprint,
            titles: [title],
            shape: shapeOf(wanted),
            startedAt: environment.clock.now(),
            owner,
        };
        const { kind, options } = wanted;
        this.#search = new MarkSearch(operation, { kind, options, entry: this.#entry, anyShape: !this.#isShapeWanted });
    }

    async run(pending: JournalEntry | undefined): Promise<Made<T>> {
        if (pending !== undefined) {
            const resumed = await this.#resume(pending);
            if (resumed !== undefined) return resumed;
        }
        await this.#open();
        while (this.#posts < posts) {
            const created = await this.#post();
            if (created !== undefined) return this.#made(created, false);
            const found = await this.#search.find();
            if (found !== undefined) return this.#made(found, true);
        }
        throw new LifecycleError(
            `No try of ${posts} to create this ${this.#noun} was answered with success, and no object bears its mark. The last one: ` +
                `${this.#failure} Nothing is lost: the next \`pulumi up\` looks for the object before it creates one.`,
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

    /** What an interrupted process left behind; `undefined` when its create is to be sent again under the same mark. */
    async #resume(pending: JournalEntry): Promise<Made<T> | undefined> {
        const { clock, api, journal } = this.#operation.environment;
        this.#ambiguousAt = clock.now();
        this.#posts = 1;
        this.#operation.progress("looking for the object of an interrupted create");
        const found = await this.#search.find();
        if (found !== undefined && this.#isShapeWanted) return this.#made(found, true);
        // These may be the credentials of another environment, where "not found" proves nothing: that create stays pending.
        const isHere = pending.fingerprint === api.fingerprint;
        if (found === undefined && isHere && this.#isShapeWanted) return undefined;
        // What is wanted now needs a mark of its own. The other object is ours by its mark, and no state knows it.
        if (found !== undefined) await this.#search.remove(found);
        if (found !== undefined || isHere) await journal.close(pending.mark);
        return new Create(this.#operation, this.#wanted, undefined).run(undefined);
    }

    /** The created object; `undefined` when nobody knows whether there is one. */
    async #post(): Promise<T | undefined> {
        this.#posts++;
        try {
            return (await this.#wanted.post(this.#entry.mark)).object;
        } catch (error) {
            this.#failure = messageOf(error);
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

    async #made(object: T, found: boolean): Promise<Made<T>> {
        const id = this.#wanted.kind.idOf(object);
        const { clock, journal, managed } = this.#operation.environment;
        managed.note(id, this.#operation.urn);
        // The id is known in memory whatever becomes of the disk.
        await journal.identify(this.#entry.mark, id).catch(() => undefined);
        const unseen = found ? undefined : clock.now();
        return { object, id, mark: this.#entry.mark, found, unseen, settle: () => this.#settle(id) };
    }

    async #settle(kept: string): Promise<void> {
        if (this.#ambiguousAt === undefined) return;
        const { clock } = this.#operation.environment;
        try {
            const early = this.#posts > 1 ? this.#ambiguousAt + lateAcceptance - clock.now() : 0;
            if (early > 0) await clock.sleep(early, this.#operation.signal);
            for await (const object of this.#search.bearers({ anyTitle: true })) {
                if (this.#wanted.kind.idOf(object) !== kept) await this.#search.remove(object);
            }
        } catch (error) {
            this.#operation.warn(
                `The answer to the create was lost once, and whether it left a second ${this.#noun} could not be checked: ` +
                    `${messageOf(error)} It would bear ${this.#entry.mark} in its metadata: \`npx pulumi-videograph orphans\` finds it.`,
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

function shapeOf({ shape }: { shape: unknown }): string {
    return digest(JSON.stringify(shape));
}
