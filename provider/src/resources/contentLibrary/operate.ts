/** Carries out the steps for all entries of a library together, each with the lifecycle of a Content. */
import { AuthenticationError, comparableId, type Deadline, isSameId, maxInFlight } from "../../api";
import { entryUrn } from "../../evidence/library";
import { metaOf } from "../../inputs/recordedMeta";
import type { Properties, Timeouts } from "../../inputs/values";
import { advice, codeOf, count, type Message, maxListed, messages } from "../../messages";
import { deadlineOf, type Operation, PartialFailure } from "../../operation/operation";
import { RefusedObject, resourceWord } from "../../operation/userDecision";
import { contentTimeouts } from "../content";
import { Many } from "../many";
import { entryLifecycle } from "./entries";
import { type Evidence, readEvidence, takeKnown } from "./evidence";
import type { EntryTask, Task } from "./plan";
import type { Library, RecordedEntry } from "./record";

/** The most creates that are under way: a kill leaves no more of them undecided. */
const maxCreates = 2 * maxInFlight;

export class LibraryOperation {
    readonly #many: Many;
    readonly #deadline: Deadline;
    /** How many entries have warned of the same, by its code. */
    readonly #warnings = new Map<string, number>();

    constructor(
        readonly library: Library,
        readonly operation: Operation,
        doneWord: "ready" | "read" | "deleted",
        timeout: keyof Timeouts,
    ) {
        this.#many = new Many(operation, { doneWord });
        this.#deadline = deadlineOf(operation, timeout, contentTimeouts);
    }

    /** Carries out all tasks that can be done; returns the message about the rest. */
    async apply(tasks: readonly Task[]): Promise<Message | undefined> {
        const library = this.library;
        const { handledThisRun, trust } = this.operation.services;
        // What an earlier run has decided about: the delete of an unconfirmed record would search for it once more, and delete what is released by now.
        const contents = [...library.entries.values()];
        const handled = [library.handled, ...contents.map(({ olds }) => metaOf(olds).handled ?? [])];
        for (const nonce of handled.flat()) handledThisRun.add(nonce);
        const declared = tasks.filter((task) => "inputs" in task);
        const deleted = tasks.flatMap((task) => (task.act === "delete" ? [task.existing] : []));
        const created = declared.filter(({ act }) => act !== "update");
        // With the token of another environment new contents would be created there, and recorded with the contents of the old one (S2).
        const old = contents.find(({ olds }) => !trust.reaches(metaOf(olds).fingerprint));
        if (old !== undefined) await entryLifecycle.read(old, this.#operationOf(old.key));
        const keys = created.map(({ key }) => key);
        const evidence =
            keys.length > 0 ? await readEvidence(this.operation, library, keys, this.#deadline) : undefined;
        await this.#many.each(declared, (task, makeRoom) => this.#perform(task, evidence, makeRoom), maxCreates);
        if (evidence) await this.#noteNewest(evidence, created);
        // Like the engine, a library deletes nothing after a failure: the failed object may have been a successor.
        if (this.#many.failed === 0) {
            const removed = [...library.pendingDeletes, ...deleted];
            for (const task of tasks) if (task.act === "release") this.#leave(task.existing);
            await this.#many.each(removed, (one) => this.#delete(one), maxInFlight);
        }
        this.#warnOfMore();
        const problem = this.#problem;
        // A create without an attempt has no prefix, and "" would stand for every create.
        if (problem === undefined && evidence?.pending)
            library.handled.push(...evidence.pending.flatMap(({ nonce }) => nonce || []));
        return problem;
    }

    /** Reads all objects; deleted ones leave the library. Returns the message about objects that cannot be read. */
    async read(): Promise<Message | undefined> {
        const { entries } = this.library;
        await this.#many.each(
            [...entries.values()],
            async (entry) => {
                const { key, id } = entry;
                const found = await entryLifecycle.read(entry, this.#operationOf(key));
                if (found === undefined) this.#leave(entry);
                else entries.set(key, { key, id: found.id ?? id, olds: found.outputs });
            },
            maxInFlight,
        );
        this.#warnOfMore();
        return this.#problem;
    }

    get #problem(): Message | undefined {
        const { doneText: done, totalText: total, failed, list, isInterrupted } = this.#many;
        if (isInterrupted) return messages.libraryInterrupted({ done, total });
        if (failed === 0) return undefined;
        const lines = [list, ...this.#oneWord].join("\n  ");
        // Where the user has to decide about all, the same command would be refused once more.
        const next = this.#many.errors.every((error) => error instanceof RefusedObject) ? "" : advice.again;
        return messages.libraryFailed({ number: count(failed), total, next, list: lines });
    }

    /** The ways out that answer for several contents: the list has those of the first ones alone. */
    get #oneWord(): Message[] {
        const all = resourceWord(this.operation.urn);
        const errors = this.#many.errors.filter((error) => error instanceof RefusedObject);
        const refused = errors.filter(({ ids }) => ids.length === 1);
        const creates = errors.filter(({ mayLeave }) => mayLeave);
        return [
            ...(refused.length > 1 ? [messages.adoptAll({ number: count(refused.length), all })] : []),
            ...(creates.length > 1 ? [messages.leaveAll({ number: count(creates.length), all })] : []),
        ];
    }

    /** The error of credentials that the service refuses: every request meets it, and its advice is for all. */
    get unauthorized(): AuthenticationError | undefined {
        return this.#many.errors.find((error) => error instanceof AuthenticationError);
    }

    /** The context of a Content's operation, for one entry. */
    #operationOf(key: string): Operation {
        const { left } = this.#deadline;
        return {
            ...this.operation,
            urn: entryUrn(this.operation.urn, key),
            libraryUrn: this.operation.urn,
            timeouts: { ...this.operation.timeouts, create: left, update: left },
            progress: (line) => this.#many.say(`${key} ${line}`),
            info: () => {},
            warn: (message) => this.#warn(message),
        };
    }

    /** Shows the first warnings of a kind: thousands of lines on one row would hide all others. */
    #warn(message: Message): void {
        const code = codeOf(message);
        const before = this.#warnings.get(code) ?? 0;
        this.#warnings.set(code, before + 1);
        if (before < maxListed) this.operation.warn(message);
    }

    #warnOfMore(): void {
        for (const [code, number] of this.#warnings)
            if (number > maxListed)
                this.operation.warn(messages.moreAlike({ number: count(number - maxListed), code }));
    }

    async #perform(task: EntryTask, evidence: Evidence | undefined, makeRoom: () => void): Promise<void> {
        const { key, act, existing, inputs } = task;
        const { entries, pendingDeletes, left } = this.library;
        const record = (id: string, olds: Properties) => {
            entries.set(key, { key, id, olds });
            // The service may have mended the object by itself: then it stays.
            if (act === "replace" && !isSameId(existing.id, id)) pendingDeletes.add(existing);
        };
        try {
            if (act === "update")
                return record(
                    existing.id,
                    await entryLifecycle.update({ ...existing, news: inputs }, this.#operationOf(key)),
                );
            const operation = { ...this.#operationOf(key), onMade: makeRoom };
            if (evidence) operation.library = { ...takeKnown(evidence, operation, inputs.title), left };
            const { id, outputs } = await entryLifecycle.create(inputs, operation);
            record(id, outputs);
        } catch (error) {
            if (error instanceof PartialFailure) record(error.id, error.outputs);
            throw error;
        }
    }

    /**
     * Notes how far back the next operation that creates has to read the service's list: to here, unless an object may exist for some key that this
     * one could not settle. For a new library, what it has seen before its first create will do then.
     */
    async #noteNewest({ pending, made }: Evidence, created: readonly EntryTask[]): Promise<void> {
        const library = this.library;
        const { api, lists } = this.operation.services;
        // Each create has left a record, and no object is there for a key that nobody declares now.
        const isSettled =
            made.size === 0 && created.every(({ key, existing }) => library.entries.get(key) !== existing);
        // What was not looked for may have any age.
        if (pending === undefined || (!isSettled && pending.length > 0)) return;
        const before = library.newest === undefined ? await lists.shownBefore(api.contents.lists[0]) : [];
        const seen = [...before, ...(isSettled ? [...library.entries.values()].map(({ olds }) => olds) : [])];
        for (const { createdOn } of seen)
            if (typeof createdOn === "number") library.newest = Math.max(createdOn, library.newest ?? createdOn);
    }

    /** The entry goes. Its key may be declared again: a create must not take an object that has left the library for that of a lost update. */
    #leave(one: RecordedEntry): void {
        const { left, handled } = this.library;
        this.#forget(one);
        left.add(comparableId(one.id));
        handled.push(...(metaOf(one.olds).handled ?? []));
    }

    #forget(one: RecordedEntry): void {
        const { entries, pendingDeletes } = this.library;
        if (!pendingDeletes.delete(one)) entries.delete(one.key);
    }

    /** Deletes an object. A replaced object is recorded until it is deleted: if the delete fails now, the next update repeats it. */
    async #delete(one: RecordedEntry): Promise<void> {
        const { key, id } = one;
        const operation = this.#operationOf(key);
        if (operation.services.claims.mustKeep(id, operation.urn, this.operation.urn)) {
            operation.warn(messages.keptAdopted({ id }));
            this.#forget(one);
            // The adoption may still be refused. Then the object is this library's, has no record, and may be older than what the next search reads.
            this.library.newest = 0;
            return;
        }
        await entryLifecycle.delete(one, operation);
        this.#leave(one);
    }
}
