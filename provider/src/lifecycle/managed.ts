/**
 * The lifecycle of every object of the service: observe it, bring it to what is declared, wait until it is what was asked
 * for, return the state. A failure keeps what is known by then: no id is ever lost (L4).
 */
import { isDeepStrictEqual } from "node:util";
import { Deadline } from "../api";
import { createOnce } from "../create/createOnce";
import { type Definition, wireBody } from "../definitions/definition";
import type { Listed } from "../evidence/lists";
import { markerIn, visible } from "../evidence/marker";
import { checkInputs } from "../inputs/check";
import { inputDifference, keptNotes, refusedReplacement, replacementNotes } from "../inputs/difference";
import { dueItems, withoutPending } from "../inputs/items";
import {
    appliedInputs,
    createBody,
    createIdentity,
    importable,
    inputsIn,
    observedInputs,
    shownInputs,
} from "../inputs/properties";
import { type Meta, metaOf, newMeta } from "../inputs/recordedMeta";
import { redactorFor } from "../inputs/redactor";
import type { Checked, Difference, Known, Properties, Timeouts } from "../inputs/values";
import { LifecycleError, messageOf, messages } from "../messages";
import { readRecorded, removeRecorded, unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { isLeaving } from "../wait/status";
import { WaitTimeout } from "../wait/watcher";
import { adopt } from "./adoption";
import { bringUpToDate, updateInPlace } from "./inPlace";
import { type Lifecycle, PartialFailure, type Refreshed, type State } from "./lifecycle";
import { NotUpdated, type Progress, sendItems } from "./progress";
import type { Resource, Subject } from "./resource";

export interface ManagedLifecycle<T extends Listed> extends Lifecycle {
    /** The outputs of an existing object that nothing manages yet, with every input that the service returns. */
    record(object: T, fingerprint: string): Properties;
}

export function managed<T extends Listed>(resource: Resource<T>): ManagedLifecycle<T> {
    return new ObjectLifecycle(resource);
}

class ObjectLifecycle<T extends Listed> implements ManagedLifecycle<T> {
    readonly inputs: readonly string[];
    readonly #resource: Resource<T>;
    readonly #definition: Definition;

    constructor(resource: Resource<T>) {
        this.#resource = resource;
        this.#definition = resource.definition;
        this.inputs = Object.keys(resource.definition.inputs);
    }

    check(news: Properties, olds: Properties | undefined, known: Known): Checked {
        const checked = checkInputs(this.#definition, news, olds, known);
        const more = this.#resource.problems?.(checked.inputs, known) ?? [];
        const warnings = this.#resource.warnings?.(checked.inputs, olds ?? {}) ?? [];
        return { ...checked, problems: [...checked.problems, ...more], warnings };
    }

    diff(change: Parameters<Lifecycle["diff"]>[0], row: Parameters<Lifecycle["diff"]>[1]): Difference {
        const { id, olds, news } = change;
        const [wrong] = this.#resource.problems?.(news, { id }) ?? [];
        if (wrong !== undefined) throw new LifecycleError(wrong);
        let difference = inputDifference(this.#definition, change);
        if (difference.kind !== "replace") {
            const due = this.#resource.due(id, olds, news);
            if (due !== undefined && (due.kind === "replace" || difference.kind === "none")) {
                difference = { kind: due.kind, because: ["status"] };
                row.info(due.note);
            }
        }
        if (difference.kind !== "replace") {
            for (const note of keptNotes(this.#definition, change)) row.info(note);
            return difference;
        }
        const { because } = difference;
        const problem = refusedReplacement(this.#definition, change, because);
        if (problem === undefined) {
            for (const note of replacementNotes(this.#definition, change, { because, urn: row.urn })) row.info(note);
            return difference;
        }
        // The update refuses. Here the difference is only shown, because a refresh asks too.
        row.warn(problem);
        return { kind: "update", because };
    }

    create(inputs: Properties, operation: Operation) {
        const { importId } = inputs;
        return typeof importId === "string"
            ? this.#adopt(importId, inputs, operation)
            : this.#createNew(inputs, operation);
    }

    async read(id: string, olds: Properties, operation: Operation): Promise<Refreshed | undefined> {
        const subject = this.#subject(id, olds, operation, "update");
        const object = await readRecorded({ ...subject, olds });
        if (object === undefined || isLeaving(object.status)) return undefined;
        const shown = visible(object);
        // An object that is still being made may lack inputs.
        const complete = !this.#resource.isWaitDue(shown, {}, metaOf(olds));
        const inputs = observedInputs(this.#definition.inputs, olds, shown, { complete });
        const env = operation.environment.api.fingerprint;
        const meta: Meta = { ...metaOf(olds), env, unfinished: undefined, unseen: undefined };
        const outputs = this.#outputs({ object: shown, inputs, pending: [], meta, olds });
        // Outputs keep what a program has removed without an update: an importId, the URL of an earlier signature. As
        // recorded inputs they would be taken for those of the last run, and another object be made.
        if (isDeepStrictEqual(inputs, inputsIn(this.#definition.inputs, olds))) return { outputs };
        const { importId: _, ...drifted } = inputs;
        return { inputs: drifted, outputs };
    }

    async find(id: string, operation: Operation): Promise<State | undefined> {
        const { api } = operation.environment;
        const object = await unlessMissing(this.#subject(id, {}, operation, "update").get);
        if (object === undefined) return undefined;
        const inputs = importable(this.#definition.inputs, visible(object));
        return { inputs, outputs: this.record(object, api.fingerprint) };
    }

    record(object: T, fingerprint: string): Properties {
        const shown = visible(object);
        const meta = newMeta(fingerprint, markerIn(object.metadata));
        const inputs = shownInputs(this.#definition.inputs, shown);
        return this.#outputs({ object: shown, inputs, pending: [], meta, olds: {} });
    }

    async update(id: string, olds: Properties, news: Properties, operation: Operation): Promise<Properties> {
        this.#refuseReplacement(id, olds, news);
        const subject = { ...this.#subject(id, { ...olds, ...news }, operation, "update"), inputs: news };
        const pending = dueItems(this.#definition.inputs, olds, news);
        const before = metaOf(olds);
        const updated = await updateInPlace(subject, olds, pending);
        const env = operation.environment.api.fingerprint;
        // Without a request nothing was seen under today's credentials.
        const meta: Meta = updated === undefined ? before : { ...before, ...updated.marked, env, unseen: undefined };
        const object = updated?.object ?? ({ status: olds.status ?? undefined } as Partial<T>);
        return this.#complete(subject, { object, inputs: news, pending, meta, olds });
    }

    async delete(id: string, olds: Properties, operation: Operation): Promise<void> {
        const subject = this.#subject(id, olds, operation, "delete");
        const { service, deadline, redactor } = subject;
        const options = { signal: operation.signal, deadline, redactor };
        const recorded = { ...subject, olds, get: () => service.get(id, options) };
        // Under other credentials the object is read first: another environment may use the same id.
        const isCurrent = operation.environment.trust.isCurrent(metaOf(olds).env);
        const present = isCurrent || (await readRecorded(recorded));
        const remove = () => service.remove(id, options);
        if (present && (await removeRecorded(recorded, remove))) await this.#resource.afterDelete?.(subject);
    }

    async #adopt(id: string, news: Properties, operation: Operation) {
        const subject = this.#subject(id, news, operation, "create");
        const pending = dueItems(this.#definition.inputs, {}, news);
        const { object, mark } = await adopt(subject, this.#resource.whyNotAdopted);
        operation.onMade?.();
        const meta: Meta = newMeta(operation.environment.api.fingerprint, mark);
        if (mark !== undefined) meta.imported = true;
        return { id, outputs: await this.#complete(subject, { object, inputs: news, pending, meta, olds: {} }) };
    }

    async #createNew(news: Properties, operation: Operation) {
        await this.#confirmPredecessor(news, operation);
        const made = await this.#make(news, operation);
        operation.onMade?.();
        const { id, object, marker, settled, adopted, deadline } = made;
        const subject = { ...this.#subject(id, news, operation, "create"), deadline, fresh: !adopted };
        const { api, clock } = operation.environment;
        const meta: Meta = newMeta(api.fingerprint, marker);
        if (!adopted) meta.unseen = clock.now();
        if (settled.length > 0) meta.settled = settled;
        if (this.#resource.isUnfinished?.(object)) meta.unfinished = true;
        const { inputs: table } = this.#definition;
        // What an earlier create made may have other inputs: they count once the service has accepted them.
        const inputs = adopted ? appliedInputs(table, news, visible(object)) : news;
        // The create's own request has all other items, also those without a key.
        const whenReady = Object.entries(table).filter(([, { change }]) => change === "whenReady");
        const pending = dueItems(Object.fromEntries(whenReady), {}, news);
        const update = async (progress: Progress<T>) => {
            try {
                await bringUpToDate(subject, object, marker);
            } catch (error) {
                throw new NotUpdated(messages.notUpdated({ object: subject.what, error: messageOf(error) }));
            }
            progress.inputs = news;
        };
        const progress = { object, inputs, pending, meta, olds: {} };
        return { id, outputs: await this.#complete(subject, progress, adopted && update) };
    }

    /** With the token of another environment a replacement would be made there, and the old object stay where it is. */
    async #confirmPredecessor(inputs: Properties, operation: Operation): Promise<void> {
        const { managers, trust } = operation.environment;
        const predecessor = managers.predecessorOf(operation.urn);
        if (predecessor === undefined || trust.reaches(metaOf(predecessor.olds).env)) return;
        const { id, olds } = predecessor;
        await readRecorded({ ...this.#subject(id, inputs, operation, "create"), olds });
    }

    async #make(inputs: Properties, operation: Operation) {
        const { inputs: table } = this.#definition;
        const subject = this.#subject("", inputs, operation, "create");
        const { service, redactor, deadline } = subject;
        const { signal } = operation;
        const made = await createOnce(operation, {
            kind: service,
            title: String(inputs.title),
            identity: createIdentity(table, inputs),
            before: async () => this.#resource.beforeCreate?.(subject),
            // A create under way is never cut off: its answer is the object's id.
            post: (marker) => service.post(createBody(table, inputs, marker), { redactor, signal, deadline }),
            options: { signal, deadline, redactor },
        });
        return { ...made, deadline };
    }

    /**
     * Brings an existing object to what is declared: `first`, then a wait until it is as requested, then its items. Whatever fails,
     * the object's id and what is known of it are kept.
     */
    async #complete(
        subject: Subject<T>,
        begin: Progress<T>,
        first?: false | ((progress: Progress<T>) => Promise<void>),
    ): Promise<Properties> {
        const { id, operation } = subject;
        const progress = { ...begin, object: { ...begin.object } };
        try {
            if (first) await first(progress);
            await this.#wait(subject, progress);
            await sendItems(subject, progress);
        } catch (error) {
            if (error instanceof WaitTimeout && error.lastStatus !== undefined) progress.meta.unseen = undefined;
            const reason = error instanceof NotUpdated ? error.message : this.#resource.failure(id, error, operation);
            throw new PartialFailure(id, this.#outputs(progress), reason);
        }
        return this.#outputs(progress);
    }

    async #wait(subject: Subject<T>, progress: Progress<T>): Promise<void> {
        const { object, meta } = progress;
        if (!this.#resource.isWaitDue(object, subject.inputs, meta)) return;
        Object.assign(object, await this.#resource.wait(object, subject, meta));
        progress.meta = { ...meta, unseen: undefined, unfinished: undefined };
        const problem = this.#resource.whyUnusable?.(object);
        if (problem !== undefined) throw new NotUpdated(problem);
    }

    #refuseReplacement(id: string, olds: Properties, news: Properties): void {
        const change = { id, olds, news };
        const difference = inputDifference(this.#definition, change);
        const because = difference.kind === "replace" ? difference.because : [];
        if (this.#resource.due(id, olds, news)?.kind === "replace") because.push("status");
        const problem = because.length > 0 && refusedReplacement(this.#definition, change, because);
        if (problem) throw new LifecycleError(problem);
    }

    /** `bag`: everything that is known of its properties. */
    #subject(id: string, bag: Properties, operation: Operation, timeout: keyof Timeouts): Subject<T> {
        const { clock, api, managers } = operation.environment;
        managers.describe(id, bag);
        const definition = this.#definition;
        const redactor = redactorFor(definition, bag);
        const service = this.#resource.service(api, bag);
        const options = { signal: operation.signal, redactor };
        const limitMs = operation.timeouts[timeout] ?? this.#resource.timeouts[timeout];
        return {
            definition,
            id,
            what: `${definition.name} ${id}`,
            fresh: false,
            inputs: bag,
            operation,
            redactor,
            service,
            deadline: Deadline.after(clock, limitMs),
            get: () => service.get(id, options),
            put: (body) => service.put(id, wireBody(definition.inputs, body), options),
        };
    }

    /** Inputs, what the service computed (an absent value is as it was), and what we remember. */
    #outputs({ object, inputs, pending, meta: __meta, olds }: Progress<T>): Properties {
        const { inputs: table, outputs } = this.#definition;
        const actual: Properties = { ...object };
        const computed = Object.keys(outputs).map((name) => [name, actual[name] ?? olds[name]]);
        const applied = withoutPending(table, olds, inputs, pending);
        return { ...inputsIn(table, applied), ...Object.fromEntries(computed), __meta };
    }
}
