/** Carries out a library's plan: all entries together, each by the code of a Content. */
import { AuthenticationError, comparableId, type Deadline, isSameId, maxInFlight } from "../../api";
import { entryUrn } from "../../evidence/library";
import { metaOf } from "../../inputs/recordedMeta";
import type { Properties } from "../../inputs/values";
import { advice, codeOf, count, type Message, maxListed, messages } from "../../messages";
import { deadlineOf, type Operation, PartialFailure } from "../../operation/operation";
import { RefusedObject, resourceWord } from "../../operation/userDecision";
import { contentTimeouts } from "../content";
import { Many } from "../many";
import { entryLifecycle } from "./entries";
import { type Evidence, readEvidence, takeKnown } from "./evidence";
import type { EntryTask, Task } from "./plan";
import type { Library, RecordedEntry } from "./record";

/** The number of creates (or reads, or deletes) at a time. A kill stops at most this many creates before their answer. */
const maxAtOnce = 2 * maxInFlight;

export class LibraryOperation {
    readonly #many: Many;
    readonly #deadline: Deadline;
    /** The number of entries with the same warning, by its code. */
    readonly #warnings = new Map<string, number>();

    constructor(
        readonly library: Library,
        readonly operation: Operation,
        doneWord: "ready" | "read" | "deleted",
    ) {
        this.#many = new Many(operation, { doneWord, atOnce: maxAtOnce });
        this.#deadline = deadlineOf(operation, library.newest === undefined ? "create" : "update", contentTimeouts);
    }

    /** Carries out as many tasks as it can. Returns the message about those that failed, if any. */
    async apply(tasks: readonly Task[]): Promise<Message | undefined> {
        const library = this.library;
        const { handledThisRun, trust } = this.operation.services;
        const contents = [...library.entries.values()];
        // Notes the creates about which earlier runs have decided. Without this loop, the delete of an unconfirmed record would search for their
        // videos, and delete one that the user has released since.
        const handled = [library.handled, ...contents.map(({ olds }) => metaOf(olds).handled ?? [])];
        for (const nonce of handled.flat()) handledThisRun.add(nonce);
        const declared = tasks.filter((task) => "inputs" in task);
        const deleted = tasks.flatMap((task) => (task.act === "delete" ? [task.existing] : []));
        const created = declared.filter(({ act }) => act !== "update");
        // If the token is of another environment, the new videos would be made there. The read of one recorded video finds that out, and fails.
        const old = contents.find(({ olds }) => !trust.reaches(metaOf(olds).fingerprint));
        if (old !== undefined) await entryLifecycle.read(old, this.#operationOf(old.key));
        const evidence =
            created.length > 0 ? await readEvidence(this.operation, library, created, this.#deadline) : undefined;
        await this.#many.each(declared, (task, makeRoom) => this.#perform(task, evidence, makeRoom));
        if (evidence) await this.#noteNewest(evidence, created);
        // After a failure nothing is deleted: the failed video may have been meant to replace one of those. The engine does the same with other
        // resources.
        if (this.#many.failed === 0) {
            const removed = [...library.pendingDeletes, ...deleted];
            for (const task of tasks) if (task.act === "release") this.#leave(task.existing);
            await this.#many.each(removed, (one) => this.#delete(one));
        }
        this.#warnOfMore();
        const problem = this.#problem;
        // A create without an attempt has the nonce "". It is left out: every nonce begins with "", so all later creates would count as decided.
        if (problem === undefined && evidence?.pending)
            library.handled.push(...evidence.pending.flatMap(({ nonce }) => nonce || []));
        return problem;
    }

    /** Reads all videos, and drops the records of deleted ones. Returns the message about the videos that cannot be read, if any. */
    async read(): Promise<Message | undefined> {
        const { entries } = this.library;
        await this.#many.each([...entries.values()], async (entry) => {
            const { key, id } = entry;
            const found = await entryLifecycle.read(entry, this.#operationOf(key));
            if (found === undefined) this.#leave(entry);
            else entries.set(key, { key, id: found.id ?? id, olds: found.outputs });
        });
        this.#warnOfMore();
        return this.#problem;
    }

    get #problem(): Message | undefined {
        const { doneText: done, totalText: total, failed, list, isInterrupted } = this.#many;
        if (isInterrupted) return messages.libraryInterrupted({ done, total });
        if (failed === 0) return undefined;
        const lines = [list, ...this.#oneWord].join("\n  ");
        // Where every failure waits for the user's decision, the message does not say "run again": that run would be refused too.
        const next = this.#many.errors.every((error) => error instanceof RefusedObject) ? "" : advice.again;
        return messages.libraryFailed({ number: count(failed), total, next, list: lines });
    }

    /** Commands that answer for all refused contents at once. The list of failures is cut, and shows single commands only for the first contents. */
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

    /** The error of refused credentials, if there is one. Every content fails with it, and a list of failures would repeat it thousands of times. */
    get unauthorized(): AuthenticationError | undefined {
        return this.#many.errors.find((error) => error instanceof AuthenticationError);
    }

    /** The operation that is passed to the code of a Content for one entry. */
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

    /** Shows the first warnings of each code. Thousands of equal lines would hide all others. */
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
            // The old video is to be deleted, unless the create has kept it: a video that had Failed may be Ready by now.
            if (act === "replace" && !isSameId(existing.id, id)) pendingDeletes.add(existing);
        };
        try {
            const operation = { ...this.#operationOf(key), onMade: makeRoom };
            if (act === "update")
                return record(existing.id, await entryLifecycle.update({ ...existing, news: inputs }, operation));
            if (evidence) operation.library = { ...takeKnown(evidence, operation, inputs.title), left };
            const { id, outputs } = await entryLifecycle.create(inputs, operation);
            record(id, outputs);
        } catch (error) {
            if (error instanceof PartialFailure) record(error.id, error.outputs);
            throw error;
        }
    }

    /**
     * Sets `library.newest`: the next run reads the service's list only as far back as this time. If the time were too late, that run would miss a
     * video that this run has made and not recorded, and make it again. So the time moves forward only where every create has left a record and every
     * video found has an owner. A new library starts from the newest video that the service showed before the first create.
     */
    async #noteNewest({ pending, made }: Evidence, created: readonly EntryTask[]): Promise<void> {
        const library = this.library;
        const { api, lists } = this.operation.services;
        // True if every create has left a record, and every video that was found belongs to one of these records.
        const isSettled =
            made.size === 0 && created.every(({ key, existing }) => library.entries.get(key) !== existing);
        // If the state could not be read, or names unfinished creates, an unrecorded video may be of any age: the next run has to look as far back
        // again.
        if (pending === undefined || (!isSettled && pending.length > 0)) return;
        const before = library.newest === undefined ? await lists.shownBefore(api.contents.lists[0]) : [];
        const seen = [...before, ...(isSettled ? [...library.entries.values()].map(({ olds }) => olds) : [])];
        for (const { createdOn } of seen)
            if (typeof createdOn === "number") library.newest = Math.max(createdOn, library.newest ?? createdOn);
    }

    /**
     * Removes the entry, and notes the id of its video: if the key comes back, the create must not take this video for one that a killed run has
     * made.
     */
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

    /**
     * Deletes an object. Its record is removed only afterwards: if the delete fails, the next update repeats it. A kill after the delete of a
     * replaced video loses nothing: the state still has the old video, so the next run replaces it again, and finds the new video by its marker
     * (evidence.ts).
     */
    async #delete(one: RecordedEntry): Promise<void> {
        const { key, id } = one;
        const operation = this.#operationOf(key);
        if (operation.services.claims.mustKeep(id, operation.urn, this.operation.urn)) {
            operation.warn(messages.keptAdopted({ id }));
            this.#forget(one);
            // If the resource that adopts the video fails to do so, no record has the video. Only a search from the time 0 on would find it then.
            this.library.newest = 0;
            return;
        }
        await entryLifecycle.delete(one, operation);
        this.#leave(one);
    }
}
