/** The lifecycle of every object of the service. After any failure the state has what is known by then, and never loses the id of an object. */
import { isUnconfirmed } from "../api";
import { isBeingDeleted } from "../api/status";
import { createOnce } from "../create/createOnce";
import { forgetCreates } from "../create/ledger";
import type { Definition } from "../definitions/definition";
import { object } from "../definitions/schemas";
import type { ServiceObject } from "../evidence/lists";
import { digestOfResource, markerTextIn, readMarker } from "../evidence/marker";
import { notesOnInputs, problemsOfInputs } from "../inputs/check";
import { inputDifference, keptInputNotes, refusedReplacement, replacementNotes } from "../inputs/difference";
import { importableInputs, observedInputs, returnedInputs } from "../inputs/properties";
import { type Meta, metaOf, newMeta } from "../inputs/recordedMeta";
import type { Change, CheckContext, Checked, Difference, Properties, RecordedObject } from "../inputs/values";
import { LifecycleError, type Message, messages, type Reporter } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import { type Operation, PartialFailure } from "../operation/operation";
import { isWaitDue, type Resource, Subject } from "../operation/subject";
import { adopt } from "./adoption";
import { completeObject, outputsOf } from "./complete";
import { bringUpToDate, updateInPlace } from "./inPlace";
import type { Lifecycle, State } from "./lifecycle";
import { laterAdopterOf, laterOwnerOf, readAfterPut } from "./ownership";
import { readUnconfirmed, unconfirmedToDelete } from "./unconfirmed";

export class ManagedLifecycle<T extends ServiceObject> implements Lifecycle {
    readonly inputs: readonly string[];
    readonly #resource: Resource;
    readonly definition: Definition;

    constructor(resource: Resource<T>) {
        this.#resource = resource;
        this.definition = resource.definition;
        this.inputs = Object.keys(resource.definition.inputs.shape);
    }

    /** The same lifecycle, but with one input fewer: a library waits for all of its contents itself. */
    without(input: string): ManagedLifecycle<T> {
        const { [input]: _, ...inputs } = this.definition.inputs.shape;
        return new ManagedLifecycle({
            ...this.#resource,
            definition: { ...this.definition, inputs: object(inputs) },
        });
    }

    check(news: Properties, olds: Properties | undefined, context: CheckContext): Checked {
        const checked = this.problems(news, olds, context);
        return { ...checked, ...notesOnInputs(this.definition, checked, olds) };
    }

    /** A check without notes: a library with thousands of entries only reports their problems. */
    problems(news: Properties, olds: Properties | undefined, context: CheckContext) {
        const { inputs, problems } = problemsOfInputs(this.definition, news, olds, context);
        return { inputs, problems: [...problems, ...(this.#resource.problems?.(inputs, context) ?? [])] };
    }

    diff(change: Change, reporter: Reporter): Difference {
        const { id, news } = change;
        const [wrong] = this.#resource.problems?.(news, { id }) ?? [];
        if (wrong !== undefined) throw new LifecycleError(wrong);
        if (isUnconfirmed(id)) {
            reporter.info(messages.unconfirmedSearched({ object: this.definition.name.toLowerCase() }));
            return { kind: "replace", because: ["status"] };
        }
        const { note, ...difference } = this.#difference(change);
        if (note !== undefined) reporter.info(note);
        if (difference.kind !== "replace") {
            for (const note of keptInputNotes(this.definition, change)) reporter.info(note);
            return difference;
        }
        const { because } = difference;
        const problem = refusedReplacement(this.definition, change, because);
        if (problem !== undefined) {
            // The update will refuse this. An error here would also end a refresh, which asks for the difference too, but changes nothing.
            reporter.warn(problem);
            return { kind: "update", because };
        }
        for (const note of replacementNotes(this.definition, change, { because, urn: reporter.urn }))
            reporter.info(note);
        return difference;
    }

    /**
     * The difference between the record and the inputs. Where the inputs are the same, the object's status decides: after a refresh the engine no
     * longer knows that a wait has failed. `note`: what the next update does.
     */
    #difference(change: Change): Difference & { note?: Message } {
        const difference = inputDifference(this.definition, change);
        if (difference.kind === "replace") return difference;
        const { id, olds, news } = change;
        const phase = this.#resource.phase(id, olds as ServiceObject, metaOf(olds));
        if (phase.is === "failed") return { kind: "replace", because: ["status"], note: phase.note };
        if (difference.kind === "update" || phase.is === "ready" || !isWaitDue(phase, news)) return difference;
        return { kind: "update", because: ["status"], note: phase.note };
    }

    async create(inputs: Properties, operation: Operation) {
        const id = typeof inputs.importId === "string" ? inputs.importId : "";
        const recovered = id === "" ? await this.#keepRecovered(inputs, operation) : undefined;
        if (recovered !== undefined) return recovered;
        const subject = new Subject(this.#resource, operation, { id, news: inputs }, "create");
        const draft = id === "" ? await createOnce(subject) : await adopt(subject);
        operation.onMade?.();
        // An object that an earlier create has made may have other inputs: it gets a PUT.
        const isDue = id === "" && !subject.isNew;
        const update = () => bringUpToDate(subject, draft, draft.meta.mark ?? "");
        return { id: subject.id, outputs: await completeObject(subject, draft, isDue ? update : undefined) };
    }

    async read({ id, olds }: RecordedObject, operation: Operation): Promise<State | undefined> {
        const subject = new Subject(this.#resource, operation, { id, olds });
        if (isUnconfirmed(id)) return readUnconfirmed(subject);
        const object = await readAfterPut(subject);
        if (object === undefined || isBeingDeleted(object.status)) return undefined;
        const recorded = metaOf(olds);
        const owner = laterOwnerOf(subject, object, recorded.mark);
        if (owner !== undefined && !recorded.external)
            operation.warn(messages.changedHands({ object: subject.label, owner, id }));
        // A record without a marker comes from `pulumi import` with a file of `orphans`. The create of its object is over: without this line, the
        // next run would report that create as interrupted.
        const marker = readMarker(object.metadata);
        if (marker !== undefined && recorded.mark === undefined && !recorded.external)
            await forgetCreates(operation.services.journal, [marker.nonce]);
        // While an object is still being made, an input that it lacks is no drift.
        const complete = this.#resource.phase(id, object, recorded).is === "ready";
        const inputs = observedInputs(this.definition.inputs.shape, olds, object, { complete });
        const { fingerprint } = operation.services.api;
        const meta: Meta = { ...recorded, fingerprint, unseenSince: undefined, putAt: undefined };
        // If the PUT of an adoption failed, the record has a marker that the object never got. The record then takes the marker that the object has.
        if (marker !== undefined && marker.nonce === recorded.adoptedNonce)
            Object.assign(meta, { mark: markerTextIn(object.metadata), adoptedNonce: undefined });
        const outputs = outputsOf(this.definition, { object, meta }, inputs, olds);
        // Only a drifted object gets new recorded inputs. The outputs may have values that the program has removed since, such as an `importId`: as
        // inputs of the last run, they would make the engine replace the object.
        if (Object.entries(inputs).every(([name, value]) => value === olds[name])) return { outputs };
        const { importId: _, ...drifted } = inputs;
        return { inputs: drifted, outputs };
    }

    async find(id: string, operation: Operation): Promise<State | undefined> {
        const { api } = operation.services;
        const object = await unlessNotFound(() => new Subject(this.#resource, operation, { id }).get());
        if (object === undefined) return undefined;
        const inputs = importableInputs(this.definition.inputs.shape, object);
        return { inputs, outputs: this.record(object, api.fingerprint) };
    }

    /** The outputs of an existing object that the state does not have, with every input that the service returns. */
    record(object: ServiceObject, fingerprint: string): Properties {
        const meta = newMeta(fingerprint, markerTextIn(object.metadata));
        const inputs = returnedInputs(this.definition.inputs.shape, object);
        return outputsOf(this.definition, { object, meta }, inputs);
    }

    async update(change: Change, operation: Operation): Promise<Properties> {
        const { id, olds } = change;
        const object = this.definition.name.toLowerCase();
        // If the update succeeded, the engine would keep the id of an object that may not exist.
        if (isUnconfirmed(id)) throw new PartialFailure(id, olds, messages.unconfirmedNotUpdated({ object }));
        const difference = this.#difference(change);
        const problem =
            difference.kind === "replace" && refusedReplacement(this.definition, change, difference.because);
        if (problem) throw new LifecycleError(problem);
        const subject = new Subject(this.#resource, operation, change);
        return completeObject(subject, await updateInPlace(subject));
    }

    async delete({ id, olds }: RecordedObject, operation: Operation): Promise<void> {
        const subject = new Subject(this.#resource, operation, { id, olds }, "delete");
        const meta = metaOf(olds);
        if (isUnconfirmed(id)) {
            const found = await unconfirmedToDelete(subject);
            if (found === undefined) return;
            return this.delete(
                { id: found.id, olds: { ...olds, __meta: { ...meta, unconfirmed: undefined } } },
                operation,
            );
        }
        const object = await readAfterPut(subject, { markerOnly: true });
        if (object === undefined) return;
        const owner = laterAdopterOf(object, meta);
        if (owner !== undefined) return operation.warn(messages.keptForOwner({ object: subject.label, owner }));
        const { claims, userDecision } = operation.services;
        // While the object was read, another resource of this run may have begun to adopt it.
        if (claims.otherAdopterOf(id, operation.urn) !== undefined) return operation.warn(messages.keptAdopted({ id }));
        // With VIDEOGRAPH_UNRECORDED the user may give the object to a resource that another process serves. Then the object is kept. The marker may
        // not show the new owner: an import writes none, and a replica of the service may still show the old one.
        const isElsewhere = !claims.isDeclared(operation.libraryUrn ?? operation.urn);
        const isAdopted = () =>
            userDecision.mayAdopt(id, operation.urn) || userDecision.adoptsElsewhere(claims.declaredUrns());
        if (userDecision.names(id) || (isElsewhere && isAdopted()))
            return operation.warn(messages.keptNamed({ object: subject.label }));
        claims.onDeleted(id, operation.urn);
        if (await subject.removeRecorded()) await this.#resource.afterDelete?.(subject);
    }

    /**
     * Keeps an object that was to be replaced because it had failed, if it is no longer failed. It is replaced all the same if it cannot be read, or
     * if an earlier create has not ended: that create may have made the new object already.
     */
    async #keepRecovered(news: Properties, operation: Operation) {
        const { urn, timeouts, services, library } = operation;
        const predecessor = services.claims.shownRecordOf(urn);
        // The record of a create in doubt has no object that could be kept. `createOnce` searches for it.
        if (predecessor === undefined || isUnconfirmed(predecessor.id)) return undefined;
        const { id, olds } = predecessor;
        const subject = new Subject(this.#resource, operation, { id, olds, news }, "create");
        // This read fails with the token of another environment. Otherwise the new object would be made there, and the old one would stay where it
        // is.
        if (!services.trust.reaches(metaOf(olds).fingerprint)) await subject.readRecorded();
        const { name } = this.definition;
        const before = this.#difference({ id, olds, news });
        if (before.kind !== "replace" || before.because[0] !== "status") return undefined;
        const now = (await this.read({ id, olds }, operation).catch(() => undefined))?.outputs;
        if (now === undefined || this.#difference({ id, olds: now, news }).kind === "replace") return undefined;
        const state = await services.ownState.of(urn, name, operation);
        const entries = await services.journal.entriesOf(digestOfResource(urn, name));
        const isSuccessorPossible = [entries, state?.unfinished, library?.creates, library?.known.items].some(
            (all) => all?.length,
        );
        if (isSuccessorPossible) return undefined;
        const owner = laterOwnerOf(subject, await subject.get(), metaOf(olds).mark);
        if (owner !== undefined || services.claims.otherOwnerOf(id, urn) !== undefined) return undefined;
        services.claims.claimAdopted(id, urn);
        operation.info(messages.contentRecovered({ id, status: String(now.status) }));
        const withCreateTime = { ...operation, timeouts: { ...timeouts, update: timeouts.create } };
        return { id, outputs: await this.update({ id, olds: now, news }, withCreateTime) };
    }
}
