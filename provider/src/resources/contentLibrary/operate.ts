/** Carries out the steps for all entries of a library together, each with the lifecycle of a Content. */
import { type Deadline, maxInFlight } from "../../api";
import { entryUrn } from "../../evidence/library";
import type { Properties } from "../../inputs/values";
import { PartialFailure } from "../../lifecycle/lifecycle";
import { LifecycleError, type Message, messageOf, messages } from "../../messages";
import type { Environment, Operation } from "../../operation/operation";
import { content } from "../content/lifecycle";
import { type Evidence, evidenceFor, type NewEntry } from "./evidence";
import { count, named, type Task } from "./plan";
import type { Library, Recorded } from "./record";

/** At most this many failures are listed; the others are counted. */
const maxListed = 10;

/** Creates between their entry in the journal and their answer. A kill leaves at most this many undecided. */
const maxAtOnce = 2 * maxInFlight;

/** The row's word for an entry that is done. */
type EntryState = "ready" | "read" | "deleted";

export class Work {
    readonly #library: Library;
    readonly #operation: Operation;
    readonly #deadline: Deadline;
    readonly #done: EntryState;
    readonly #failures = new Map<string, string>();
    /** Keys of tasks that are not done, in the program's order. */
    readonly #open = new Set<string>();
    #total = 0;
    #evidence: Evidence | undefined;
    #nextLine = 0;

    constructor(library: Library, operation: Operation, { deadline, done }: { deadline: Deadline; done: EntryState }) {
        this.#library = library;
        this.#operation = operation;
        this.#deadline = deadline;
        this.#done = done;
    }

    /** Carries out all tasks that can be done; gives the messages about the rest. `since`: see `Scope`. */
    async do(tasks: readonly Task[], inputs: Properties, since: number | undefined): Promise<Message | undefined> {
        const leaving = [...this.#library.leaving];
        const wanted = new Map(tasks.filter(isCreate).map((task) => [task.key, this.#wanted(task)]));
        if (wanted.size > 0) {
            const size = this.#library.entries.size + wanted.size;
            this.#evidence = await evidenceFor(this.#operation, inputs, { wanted: [...wanted.values()], size, since });
            this.#library.marker = this.#evidence.marker;
        }
        const deletions = tasks.filter(({ act }) => act === "delete");
        this.#noteRecorded(new Set(deletions.map(({ key }) => key)));
        if (leaving.length > 0 || deletions.length > 0) await this.#seeOneOf(tasks);
        const others = tasks.filter(({ act }) => act !== "delete");
        await this.#inTurns(others, (task, made) => this.#perform(task, wanted.get(task.key), made));
        // As the engine does: after a failure nothing is deleted, because what failed may have been its successor.
        if (this.#failures.size === 0)
            await this.#inTurns(deletions, ({ key, had }) =>
                this.#counted(key, () => this.#delete(key, had as Recorded)),
            );
        await this.#inTurns(leaving, (one) => this.#counted(one.key, () => this.#remove(one)));
        return this.#problem();
    }

    /** Reads all objects; deleted ones leave the library. Returns the problems of those that cannot be read. */
    async read(listed: ReadonlyMap<string, object>): Promise<Message | undefined> {
        const { entries } = this.#library;
        const all = [...entries].map(([key, had]) => ({ key, had }));
        await this.#inTurns(all, async ({ key, had }) => {
            const operation = this.#operationOf(key, this.#operation.environment);
            const read = () => content.read(had.id, had.olds, { ...operation, listed: listed.get(had.id) });
            await this.#counted(key, async () => {
                const found = await read();
                if (found === undefined) entries.delete(key);
                else entries.set(key, { id: had.id, olds: found.outputs });
            });
        });
        return this.#problem();
    }

    /** A content that stays shows that the credentials reach the library: what is to be deleted may all be gone, after a killed run. */
    async #seeOneOf(tasks: readonly Task[]): Promise<void> {
        const touched = new Set(tasks.map(({ key }) => key));
        const kept = [...this.#library.entries].filter(([key]) => !touched.has(key));
        // Some may have been deleted outside of Pulumi. Whatever else is wrong, the deletions show it.
        for (const [key, { id, olds }] of kept.slice(0, 3)) {
            const operation = this.#operationOf(key, this.#operation.environment);
            if (await content.read(id, olds, operation).catch(() => undefined)) return;
        }
    }

    #noteRecorded(deleted: ReadonlySet<string>): void {
        const { managers } = this.#operation.environment;
        for (const [key, had] of this.#library.entries)
            if (!deleted.has(key)) managers.noteRecorded(this.#urn(key), had);
    }

    #wanted({ key, inputs }: Task): NewEntry {
        return { key, urn: this.#urn(key), title: String(inputs.title) };
    }

    #urn(key: string): string {
        return entryUrn(this.#operation.urn ?? "", key);
    }

    /** The arguments of a Content's operation, for one entry. */
    #operationOf(key: string, environment: Environment, onMade: () => void = () => {}): Operation {
        const left = Math.max(0, this.#deadline.left);
        return {
            ...this.#operation,
            urn: this.#urn(key),
            environment: { ...environment, parallelismHint: together },
            timeouts: { ...this.#operation.timeouts, create: left, update: left },
            progress: (line) => this.#say(`${key}: ${line}`),
            info: () => {},
            onMade,
        };
    }

    async #perform(task: Task, wanted: NewEntry | undefined, made: () => void): Promise<void> {
        const { key, had, inputs } = task;
        await this.#counted(key, async () => {
            if (wanted === undefined) await this.#update(key, had as Recorded, inputs);
            else await this.#create(task, wanted, made);
        });
    }

    async #counted(key: string, work: () => Promise<void>): Promise<void> {
        this.#say();
        try {
            await work();
        } catch (error) {
            // Interrupted tasks stay open.
            if (this.#operation.signal.aborted) return;
            this.#failures.set(key, messageOf(error));
        }
        this.#open.delete(key);
        this.#say();
    }

    async #create({ key, had, inputs }: Task, wanted: NewEntry, made: () => void): Promise<void> {
        const { entries, leaving } = this.#library;
        this.#refuseUnaccounted(key, inputs);
        const environment = this.#evidence?.environmentOf(wanted) ?? this.#operation.environment;
        const operation = this.#operationOf(key, environment, made);
        try {
            const { id, outputs } = await content.create(this.#chosen(key, inputs), operation);
            entries.set(key, { id, olds: outputs });
        } catch (error) {
            if (!(error instanceof PartialFailure)) throw error;
            entries.set(key, { id: error.id, olds: error.outputs });
            if (had !== undefined) leaving.push({ key, ...had });
            throw error;
        }
        if (had !== undefined) await this.#remove({ key, ...had });
    }

    async #update(key: string, { id, olds }: Recorded, inputs: Properties): Promise<void> {
        const { entries } = this.#library;
        try {
            const operation = this.#operationOf(key, this.#operation.environment);
            entries.set(key, { id, olds: await content.update(id, olds, inputs, operation) });
        } catch (error) {
            if (error instanceof PartialFailure) entries.set(key, { id, olds: error.outputs });
            throw error;
        }
    }

    async #delete(key: string, had: Recorded): Promise<void> {
        await this.#deleteObject(key, had);
        this.#library.entries.delete(key);
    }

    async #deleteObject(key: string, { id, olds }: Recorded): Promise<void> {
        const { environment, warn } = this.#operation;
        const isKept = environment.managers.keeperOf(id, this.#urn(key)) !== undefined;
        if (isKept) warn(messages.keptAdopted({ id }));
        else await content.delete(id, olds, this.#operationOf(key, environment));
    }

    /** An object that was replaced. It is recorded until it is deleted: what cannot be deleted now, the next update deletes. */
    async #remove(old: Library["leaving"][number]): Promise<void> {
        const { leaving } = this.#library;
        if (!leaving.includes(old)) leaving.push(old);
        await this.#deleteObject(old.key, old);
        leaving.splice(leaving.indexOf(old), 1);
    }

    #unaccounted(key: string): string[] {
        return this.#evidence?.unaccounted.get(key) ?? [];
    }

    #refuseUnaccounted(key: string, { importId }: Properties): void {
        const ids = this.#unaccounted(key);
        const { unrecorded } = this.#operation.environment;
        if (ids.length === 0 || importId !== undefined || unrecorded === "create") return;
        if (ids.filter((id) => unrecorded.includes(id)).length === 1) return;
        throw new LifecycleError(
            messages.refusedReleased({ objects: `Content ${ids.join(", ")}`, ids: ids.join(","), forget: "" }),
        );
    }

    /** Adopts the objects that the user has chosen for this run. */
    #chosen(key: string, inputs: Properties): Properties {
        const { unrecorded } = this.#operation.environment;
        const id = this.#unaccounted(key).find((one) => unrecorded !== "create" && unrecorded.includes(one));
        return id === undefined ? inputs : { ...inputs, importId: id };
    }

    /** Runs all, a limited number at a time; a call of `made` makes room for the next. */
    async #inTurns<T extends { key: string }>(
        items: readonly T[],
        work: (item: T, made: () => void) => Promise<void>,
    ): Promise<void> {
        for (const { key } of items) this.#open.add(key);
        this.#total += items.length;
        const running: Promise<void>[] = [];
        let busy = 0;
        let wake = () => {};
        for (const item of items) {
            while (busy >= maxAtOnce) await new Promise<void>((resolve) => (wake = resolve));
            if (this.#operation.signal.aborted) break;
            busy++;
            let isIn = true;
            const leave = () => {
                if (isIn) busy--;
                isIn = false;
                wake();
            };
            running.push(work(item, leave).finally(leave));
        }
        await Promise.all(running);
    }

    /** How far all of them are, once a second and at the end, with what is known of one. */
    #say(line?: string): void {
        const { clock } = this.#operation.environment;
        const now = clock.monotonic();
        if (now < this.#nextLine && this.#open.size > 0) return;
        this.#nextLine = now + 1_000;
        const done = this.#total - this.#open.size - this.#failures.size;
        const failed = this.#failures.size === 0 ? "" : `, ${count(this.#failures.size)} failed`;
        const open = this.#open.size === 0 ? "" : `; ${line ?? `waiting for ${named(this.#open, 2)}`}`;
        this.#operation.progress(`${count(done)} of ${count(this.#total)} ${this.#done}${failed}${open}`);
    }

    #problem(): Message | undefined {
        const open = this.#open.size;
        const total = count(this.#total);
        if (open > 0) return messages.libraryInterrupted({ done: count(this.#total - open), total });
        if (this.#failures.size === 0) return undefined;
        const lines = [...this.#failures].slice(0, maxListed).map(([key, reason]) => `${key}: ${reason}`);
        const more = this.#failures.size - lines.length;
        if (more > 0) lines.push(`and ${count(more)} more`);
        const list = lines.map((line) => `\n  - ${line}`).join("");
        return messages.libraryFailed({ number: count(this.#failures.size), total, list });
    }
}

/** A library waits for all of its contents at once. */
const together = { during: <T>(_row: unknown, wait: () => Promise<T>) => wait() };

function isCreate({ act }: Task): boolean {
    return act === "create" || act === "replace";
}
