/**
 * The lifecycle of every object of the service: observe it, bring it to what is declared, wait until it is what was asked
 * for, return the state. Each step returns the state so far, and a failure keeps the last one: no id is ever lost (L4).
 */
import { isDeepStrictEqual } from "node:util";
import { Deadline } from "../api";
import { createOnce, Unconfirmed } from "../create/createOnce";
import type { Listed } from "../evidence/lists";
import { markerIn, markerKey, visible } from "../evidence/marker";
import { checkInputs } from "../inputs/check";
import { type Definition, wireBody } from "../inputs/definition";
import { inputDifference, keptNotes, refusedReplacement, replacementNotes } from "../inputs/difference";
import { dueItems, withoutPending } from "../inputs/items";
import {
    appliedInputs,
    createIdentity,
    importable,
    inputsIn,
    observedInputs,
    sentInputs,
    shownInputs,
    withDefaults,
} from "../inputs/properties";
import { type Meta, metaOf, newMeta, recordedMeta } from "../inputs/recordedMeta";
import { redactorFor } from "../inputs/redactor";
import type { Checked, Difference, Known, Properties, Timeouts } from "../inputs/values";
import { LifecycleError, messageOf, messages } from "../messages";
import { type Recorded, readRecorded, removeRecorded, unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { isLeaving } from "../wait/status";
import { adopt } from "./adoption";
import { bringUpToDate, type Target, updateInPlace } from "./inPlace";
import { type Lifecycle, PartialFailure, type Refreshed, type State } from "./lifecycle";
import type { Resource, Waiting } from "./resource";
import { afterFailure, isWhenReady, itemSteps, NotUpdated, type Progress, type Step, seen } from "./steps";

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
        const { get } = this.#target(this.#waiting(id, olds, operation, "update"));
        const listed = operation.listed as T | undefined;
        const object = await readRecorded(this.#recorded(id, olds, operation), async () => listed ?? get());
        if (object === undefined || isLeaving(object.status)) return undefined;
        const shown = visible(object);
        const inputs = observedInputs(this.#definition.inputs, olds, shown, {
            complete: this.#resource.hasInputs(shown),
        });
        const env = operation.environment.api.fingerprint;
        const meta: Meta = { ...metaOf(olds), env, unfinished: undefined, unseen: undefined };
        const outputs = this.#outputs({ object: shown, inputs, meta }, olds);
        // Outputs keep what a program has removed without an update: an importId, the URL of an earlier signature. As
        // recorded inputs they would be taken for those of the last run, and another object be made.
        if (isDeepStrictEqual(inputs, inputsIn(this.#definition.inputs, olds))) return { outputs };
        const { importId: _, ...drifted } = inputs;
        return { inputs: drifted, outputs };
    }

    async find(id: string, operation: Operation): Promise<State | undefined> {
        const { api } = operation.environment;
        const options = { signal: operation.signal };
        const object = await unlessMissing(() => this.#resource.service(api, {}).get(id, options));
        if (object === undefined) return undefined;
        return {
            inputs: importable(this.#definition.inputs, visible(object)),
            outputs: this.record(object, api.fingerprint),
        };
    }

    record(object: T, fingerprint: string): Properties {
        const shown = visible(object);
        const meta = newMeta(fingerprint, markerIn(object.metadata));
        return this.#outputs({ object: shown, inputs: shownInputs(this.#definition.inputs, shown), meta }, {});
    }

    async update(id: string, olds: Properties, news: Properties, operation: Operation): Promise<Properties> {
        this.#refuseReplacement(id, olds, news);
        const waiting = { ...this.#waiting(id, { ...olds, ...news }, operation, "update"), inputs: news };
        const due = dueItems(this.#definition.inputs, olds, news);
        const before = metaOf(olds);
        const updated = await updateInPlace(this.#target(waiting), olds, news, operation);
        const env = operation.environment.api.fingerprint;
        // Without a request nothing was seen under today's credentials.
        const meta: Meta = updated === undefined ? before : { ...before, ...updated.marked, env, unseen: undefined };
        const object = updated?.object ?? ({ status: olds.status ?? undefined } as Partial<T>);
        const begin = { object, inputs: withoutPending(this.#definition.inputs, olds, news, due), meta };
        return this.#go(waiting, begin, olds, [
            this.#wait(waiting),
            ...itemSteps(this.#definition, waiting, { due, olds, news }),
        ]);
    }

    async delete(id: string, olds: Properties, operation: Operation): Promise<void> {
        const waiting = this.#waiting(id, olds, operation, "delete");
        const { service, deadline, redactor } = waiting;
        const options = { signal: operation.signal, deadline, redactor };
        const { env } = metaOf(olds);
        const get = () => service.get(id, options);
        // Under other credentials the object is read first: another environment may use the same id.
        const recorded = this.#recorded(id, olds, operation);
        const present = operation.environment.trust.isCurrent(env) || (await readRecorded(recorded, get));
        const remove = () => service.remove(id, options);
        if (present && (await removeRecorded(recorded, remove, get))) await this.#resource.afterDelete?.(waiting);
    }

    async #adopt(importId: string, inputs: Properties, operation: Operation) {
        const waiting = this.#waiting(importId, inputs, operation, "create");
        const due = dueItems(this.#definition.inputs, {}, inputs);
        const { object, marker } = await adopt(this.#target(waiting), inputs, operation, this.#resource.whyNotAdopted);
        operation.onMade?.();
        const imported = marker === undefined ? {} : { imported: true };
        const meta = { ...newMeta(operation.environment.api.fingerprint, marker), ...imported };
        const begin = { object, inputs: withoutPending(this.#definition.inputs, {}, inputs, due), meta };
        const steps = [this.#wait(waiting), ...itemSteps(this.#definition, waiting, { due, olds: {}, news: inputs })];
        const outputs = await this.#go(waiting, begin, {}, steps);
        return { id: importId, outputs };
    }

    async #createNew(inputs: Properties, operation: Operation) {
        await this.#confirmPredecessor(inputs, operation);
        const { made, ...waiting } = await this.#make(inputs, operation).catch((error: unknown) => {
            throw error instanceof Unconfirmed ? this.#unconfirmed(error, inputs, operation) : error;
        });
        operation.onMade?.();
        operation.environment.managers.describe(made.id, inputs);
        const { object, marker, unseen, settled } = made;
        const meta: Meta = { ...newMeta(operation.environment.api.fingerprint, marker), unseen };
        if (settled.length > 0) meta.settled = settled;
        if (this.#resource.isUnfinished?.(object)) meta.unfinished = true;
        // What an earlier create made may have other inputs: they count once the service has accepted them.
        const had = made.adopted ? appliedInputs(this.#definition.inputs, inputs, visible(object)) : inputs;
        const table = this.#definition.inputs;
        const due = dueItems(table, {}, inputs).filter((one) => isWhenReady(one, table));
        const unset = (all: Properties) => withoutPending(table, {}, all, due);
        const update: Step<T> = async (progress) => {
            if (!made.adopted) return progress;
            try {
                await bringUpToDate(this.#target(waiting), inputs, object, marker);
            } catch (error) {
                const what = { object: this.#nameOf(made.id), error: messageOf(error) };
                throw new NotUpdated(messages.notUpdated(what));
            }
            return { ...progress, inputs: unset(inputs) };
        };
        const steps = [
            update,
            this.#wait(waiting),
            ...itemSteps(this.#definition, waiting, { due, olds: {}, news: inputs }),
        ];
        return { id: made.id, outputs: await this.#go(waiting, { object, inputs: unset(had), meta }, {}, steps) };
    }

    /** With the token of another environment a replacement would be made there, and the old object stay where it is. */
    async #confirmPredecessor(inputs: Properties, operation: Operation): Promise<void> {
        const { managers, trust } = operation.environment;
        const predecessor = managers.predecessorOf(operation.urn);
        if (predecessor === undefined || trust.reaches(metaOf(predecessor.olds).env)) return;
        const { id, olds } = predecessor;
        const { get } = this.#target(this.#waiting(id, inputs, operation, "create"));
        await readRecorded(this.#recorded(id, olds, operation), get);
    }

    async #make(inputs: Properties, operation: Operation) {
        const { definition } = this.#resource;
        const waiting = this.#waiting("", inputs, operation, "create");
        const { service, redactor, deadline } = waiting;
        const made = await createOnce(operation, {
            kind: service,
            title: String(inputs.title),
            identity: createIdentity(definition.inputs, inputs),
            before: async () => this.#resource.beforeCreate?.(waiting),
            // A POST under way is never cut off: its answer is the object's id.
            post: (marker, beforeTry) =>
                service.post(
                    wireBody(sentInputs(definition.inputs), {
                        ...withDefaults(definition.inputs, inputs),
                        metadata: { ...(inputs.metadata as Properties | undefined), [markerKey]: marker },
                    }),
                    { redactor, unlessSent: operation.signal, rateLimitedUntil: deadline, beforeTry },
                ),
            options: { signal: operation.signal, deadline, redactor },
        });
        return { ...waiting, made, id: made.id, fresh: !made.adopted };
    }

    /** The object is kept. Which of the inputs that a PUT may change it has is not known. */
    #unconfirmed({ id, marker, reason }: Unconfirmed, inputs: Properties, operation: Operation): PartialFailure {
        const had = appliedInputs(this.#definition.inputs, inputs, {});
        const { api, clock } = operation.environment;
        const meta: Meta = { ...newMeta(api.fingerprint, marker), unseen: clock.now(), unfinished: true };
        const outputs = this.#outputs({ object: {}, inputs: had, meta }, {});
        return new PartialFailure(id, outputs, this.#resource.failure(id, reason, operation));
    }

    #wait(waiting: Waiting<T>): Step<T> {
        return async ({ object, inputs, meta }) => {
            if (!this.#resource.isWaitDue(object, waiting.inputs, meta)) return { object, inputs, meta };
            const last = await this.#resource.wait(object, waiting);
            return { object: { ...object, ...last }, inputs, meta: { ...seen(meta), unfinished: undefined } };
        };
    }

    /** The outputs after all steps. Whatever fails, the object's id and what is known of it are kept. */
    async #go(
        { id, operation }: Waiting<T>,
        begin: Progress<T>,
        prior: Properties,
        steps: Step<T>[],
    ): Promise<Properties> {
        let progress = begin;
        try {
            for (const step of steps) progress = await step(progress);
            return this.#outputs(progress, prior);
        } catch (error) {
            const reason = error instanceof NotUpdated ? error.message : this.#resource.failure(id, error, operation);
            throw new PartialFailure(id, this.#outputs(afterFailure(progress, error), prior), reason);
        }
    }

    #refuseReplacement(id: string, olds: Properties, news: Properties): void {
        const change = { id, olds, news };
        const difference = inputDifference(this.#definition, change);
        const because = difference.kind === "replace" ? difference.because : [];
        if (this.#resource.due(id, olds, news)?.kind === "replace") because.push("status");
        const problem = because.length > 0 && refusedReplacement(this.#definition, change, because);
        if (problem) throw new LifecycleError(problem);
    }

    #waiting(id: string, bag: Properties, operation: Operation, timeout: keyof Timeouts): Waiting<T> {
        const { clock, api, managers } = operation.environment;
        managers.describe(id, bag);
        return {
            id,
            operation,
            inputs: bag,
            fresh: false,
            deadline: Deadline.after(clock, operation.timeouts[timeout] ?? this.#resource.timeouts[timeout]),
            redactor: redactorFor(this.#definition, bag),
            service: this.#resource.service(api, bag),
        };
    }

    #target({ id, operation, redactor, service }: Omit<Waiting<T>, "deadline">): Target<T> {
        const options = { signal: operation.signal, redactor };
        const { inputs } = this.#definition;
        return {
            inputs,
            id,
            kind: this.#definition.name,
            what: this.#nameOf(id),
            get: () => service.get(id, options),
            put: (body) => service.put(id, wireBody(inputs, body), options),
        };
    }

    #recorded(id: string, olds: Properties, operation: Operation): Recorded {
        return { what: this.#nameOf(id), olds, operation };
    }

    #nameOf(id: string): string {
        return `${this.#definition.name} ${id}`;
    }

    /** Inputs, what the service computed (an absent value is as it was), and what we remember. */
    #outputs({ object, inputs, meta }: Progress<T>, prior: Properties): Properties {
        const actual: Properties = { ...object };
        const computed = Object.keys(this.#definition.outputs).map((name) => [name, actual[name] ?? prior[name]]);
        return {
            ...inputsIn(this.#definition.inputs, inputs),
            ...Object.fromEntries(computed),
            __meta: recordedMeta(meta),
        };
    }
}
