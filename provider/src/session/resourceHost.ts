/** The steps that both faces take around every call of the engine: claims, journal entries and messages. No protocol is known here. */

import { isDeepStrictEqual } from "node:util";
import { closeAnswered, disownCreate, forgetCreates, reportInterrupted } from "../create/ledger";
import { entryPath, entryUrn, recordedEntriesOf } from "../evidence/library";
import { digestOfResource, ownerOf, parseMarker } from "../evidence/marker";
import { endOfUrl } from "../inputs/difference";
import { metaOf } from "../inputs/recordedMeta";
import {
    type Change,
    type Checked,
    type Difference,
    hasUnknown,
    normalizeUnknowns,
    type Properties,
    type Timeouts,
} from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { refuseForeignMarker, refuseHeld } from "../lifecycle/ownership";
import { count, LifecycleError, listOf, type Message, messageFrom, messages, type Reporter } from "../messages";
import { type Operation, PartialFailure } from "../operation/operation";
import { attemptIn, newAttempt } from "../operation/ownState";
import { isSameStack, kindIn } from "../urn";
import type { Session } from "./session";

export interface ResourceRequest {
    /** The resource's URN; `undefined` where the caller is not sure. */
    urn: string | undefined;
}

interface OperationRequest extends ResourceRequest {
    timeouts: Timeouts;
}

interface CheckedRequest extends ResourceRequest {
    /** The recorded inputs; empty for a new resource. */
    olds?: Properties;
    news: Properties;
    /** The engine's seed: it identifies the create of a program whose SDK sends no attempt. */
    seed?: string | undefined;
}

export class ResourceHost {
    /** The recorded inputs by URN, from `check`: the `diff` of dynamic providers does not get them. */
    readonly #oldInputs = new Map<string, Properties>();
    /** The resources that a preview checks: the program leaves their attempt unknown. */
    readonly #previewed = new Set<string>();
    /** The last partial failure of this run, by URN. */
    readonly #partialFailures = new Map<string, PartialFailure>();

    constructor(
        readonly session: Session,
        readonly lifecycle: Lifecycle,
    ) {}

    isInput(name: string): boolean {
        return this.lifecycle.inputs.includes(name);
    }

    /** The inputs with their defaults, and all problems of the inputs and the settings. Sends nothing. */
    check({ urn, olds = {}, news, seed }: CheckedRequest): Promise<Pick<Checked, "inputs" | "problems">> {
        return this.#withUserMessages(async () => {
            const session = this.session;
            // For the export of the stack's own state.
            session.noteOrganization(news.__organization);
            const before = Object.keys(olds).length === 0 ? undefined : visibleProperties(olds);
            if (urn !== undefined && before !== undefined) this.#oldInputs.set(urn, before);
            if (urn !== undefined && hasUnknown(news.__attempt)) this.#previewed.add(urn);
            else if (urn !== undefined) this.#previewed.delete(urn);
            const checked = this.lifecycle.check(visibleProperties(news), before, session.checkContext);
            const isNew = before === undefined;
            const claimed = urn === undefined ? [] : this.#claimAdoptions(urn, isNew, checked);
            const reporter = session.reporterFor(urn);
            for (const note of checked.notes ?? []) reporter.info(note);
            for (const warning of checked.warnings ?? []) reporter.warn(warning);
            const problems = [...session.problems(), ...checked.problems, ...claimed];
            const { fingerprint, dependencies } = session;
            const run = { fingerprint, port: dependencies.engine.port };
            // The recorded attempt stays, so that nothing changes.
            const __attempt = isNew ? newAttempt(news.__attempt, seed, dependencies.random, run) : olds.__attempt;
            return {
                inputs: { ...checked.inputs, __attempt },
                problems: problems.map((problem) => session.redacted(problem, checked)),
            };
        });
    }

    /**
     * Claims the objects that the resource adopts. Returns a problem for each object that another resource has: both would change it, and each
     * would delete the other's.
     */
    #claimAdoptions(urn: string, isNew: boolean, checked: Checked): Message[] {
        const { claims } = this.session;
        // This call comes before the adoptions, because it ends the claims of a resource that is replaced.
        claims.onCheck(urn, { isNew });
        return adoptionsOf(urn, checked).flatMap(({ id, adopter, path }) => {
            const other = claims.otherOwnerOf(id, adopter);
            if (other !== undefined) return `${path}${messages.importIdTwice({ other })}` as Message;
            claims.claimAdopted(id, adopter);
            return [];
        });
    }

    /** The difference between the checked inputs and the recorded object. Sends nothing. */
    diff({ urn, ...change }: ResourceRequest & Change): Promise<Difference> {
        return this.#withUserMessages(async () => {
            const declared = this.#declaredChange(urn, change);
            const { id, olds } = declared;
            const { claims } = this.session;
            const other = claims.otherAdopterOf(id, urn);
            if (other !== undefined) throw new LifecycleError(messages.adoptedTwice({ id, other }));
            claims.onRecorded({ id, olds }, urn);
            await this.#forgetRecordedCreates(olds);
            const reporter = this.session.reporterFor(urn);
            const difference = this.lifecycle.diff(declared, reporter, claims);
            if (urn !== undefined && this.#previewed.has(urn)) this.sayWhatEnds(urn, difference, { id, olds });
            if (difference.kind !== "replace" && urn !== undefined) await this.#reportInterruptedOf(urn, reporter);
            return difference;
        });
    }

    /** Says what viewers lose by replacements: in previews alone, where someone can still decide. */
    sayWhatEnds(urn: string, difference: Difference, recorded = this.session.claims.shownRecordOf(urn)): void {
        const { info } = this.session.reporterFor(urn);
        const { definition } = this.lifecycle;
        if (difference.kind === "replace" && definition !== undefined && recorded !== undefined) {
            const note = endOfUrl(definition, recorded, urn);
            if (note !== undefined) info(note);
        }
        const { ending = [] } = difference.kind === "update" ? difference : {};
        if (ending.length === 0) return;
        info(messages.libraryUrlsEnd({ number: count(ending.length), keys: listOf(ending) }));
    }

    /** Whether one of these inputs has changed since the last run, whose inputs may never have been sent. */
    changesInput(names: readonly string[], { urn, news }: ResourceRequest & { news: Properties }): boolean {
        const before = this.#oldInputs.get(urn ?? "");
        const now = visibleProperties(news);
        return names.some((name) => this.isInput(name) && !(before && isDeepStrictEqual(before[name], now[name])));
    }

    create(request: OperationRequest & { inputs: Properties }): Promise<{ id: string; outputs: Properties }> {
        return this.#repeatable({ ...request, attempt: attemptIn(request.inputs) }, (operation) =>
            this.lifecycle.create(visibleProperties(request.inputs), operation),
        );
    }

    /** The recorded object as it is now; `undefined` when it was deleted. */
    read({ id, olds, inputs, ...request }: OperationRequest & { id: string; olds: Properties; inputs?: Properties }) {
        return this.#operate(request, async (operation) => {
            await this.#forgetRecordedCreates(olds);
            const oldInputs = inputs && visibleProperties(inputs);
            return this.lifecycle.read({ id, olds: visibleProperties(olds), oldInputs }, operation);
        });
    }

    /** An object without a known state, with the inputs that a program would declare; `undefined` when there is none. */
    find({ id, isImport = false, ...request }: OperationRequest & { id: string; isImport?: boolean }) {
        // The claim comes before the request: meanwhile another resource may be about to delete the object.
        if (isImport && request.urn !== undefined) this.session.claims.onImport(id, request.urn);
        return this.#operate(request, async (operation) => {
            if (this.lifecycle.find === undefined) throw new LifecycleError(messages.notImportable());
            const found = await this.lifecycle.find(id, operation);
            if (isImport && found) await refuseHeld({ ...found, id }, operation);
            return found;
        });
    }

    /** Checks an object that the engine imports, or acts on without a state. Refuses an object that another resource has created. */
    async checkImport({ kind, id, urn }: { kind: string; id: string; urn: string }, markerText: string | undefined) {
        const asked = { object: `${kind} ${id}`, kind, id, urn };
        const marker = parseMarker(markerText);
        refuseForeignMarker(asked, marker, ownerOf(urn, kind), this.session.userDecision);
        // A preview calls this too, and cannot be told from an import: so the object's create is not forgotten yet.
        if (marker !== undefined) await disownCreate(this.session.dependencies.journal, marker.nonce);
    }

    update({ id, olds, oldInputs, news, ...request }: OperationRequest & Change) {
        return this.#repeatable({ ...request, attempt: attemptIn(news) }, async (operation) => {
            await this.#forgetRecordedCreates(olds);
            return this.lifecycle.update(this.#declaredChange(request.urn, { id, olds, oldInputs, news }), operation);
        });
    }

    delete({ id, olds, ...request }: OperationRequest & { id: string; olds: Properties }): Promise<void> {
        return this.#operate(request, async (operation) => {
            await this.session.reportInterruptedBeforeDelete(request.urn);
            // The new resource has adopted the object of the old one (`up --replace`, a tainted resource), or the resource got another
            // name or parent without an alias; in this run, or in an earlier one that did not end.
            if (this.session.claims.mustKeep(id, request.urn)) {
                operation.warn(messages.keptAdopted({ id }));
                return;
            }
            await forgetCreates(this.session.dependencies.journal, noncesIn(olds));
            await this.lifecycle.delete({ id, olds: visibleProperties(olds) }, operation);
        });
    }

    #declaredChange(urn: string | undefined, { id, olds, oldInputs: given, news }: Change): Change {
        const oldInputs = given ? visibleProperties(given) : this.#oldInputs.get(urn ?? "");
        return { id, olds: visibleProperties(olds), oldInputs, news: visibleProperties(news) };
    }

    /** Removes journal entries that are left after a run without checkpoints, or after an answer that came too late for an interrupted engine. */
    async #forgetRecordedCreates(olds: Properties): Promise<void> {
        // The record of a `.get` has the marker of the object's owner.
        if (metaOf(olds).external) return;
        const { journal } = this.session.dependencies;
        // Entries of this run stay: their record is not written yet.
        await forgetCreates(
            journal,
            noncesIn(olds, (nonce) => !journal.isOwn(nonce)),
        );
    }

    /** Reports interrupted creates of a resource that stays as it is: nothing takes up the objects that they may have left. */
    #reportInterruptedOf(urn: string, { info }: Reporter): Promise<void> {
        const { journal } = this.session.dependencies;
        const entries = journal.entriesOf(digestOfResource(urn, kindIn(urn)));
        return reportInterrupted(journal, entries, info, (entry) => isSameStack(entry.urn, urn));
    }

    /**
     * Runs a create or an update, which an `onError` hook makes the engine repeat. If that fails without an id, the engine forgets the partial
     * failure before it: so the repetition fails with the id and the outputs of that one.
     */
    async #repeatable<T>(
        request: OperationRequest & { attempt: string | undefined },
        body: (operation: Operation) => Promise<T>,
    ): Promise<T> {
        const { urn } = request;
        const before = urn === undefined ? undefined : this.#partialFailures.get(urn);
        try {
            return await this.#operate(request, body);
        } catch (error) {
            const isKept = error instanceof PartialFailure || before === undefined;
            const failure = isKept ? error : new PartialFailure(before.id, before.outputs, messageFrom(error));
            if (urn !== undefined && failure instanceof PartialFailure) this.#partialFailures.set(urn, failure);
            throw failure;
        }
    }

    #operate<T>(
        request: OperationRequest & { attempt?: string | undefined },
        body: (operation: Operation) => Promise<T>,
    ): Promise<T> {
        const { lifetime } = this.session.dependencies;
        return this.#withUserMessages(() =>
            this.session.operate(request, async (operation) => {
                let isRecorded = true;
                try {
                    return await body(operation);
                } catch (error) {
                    isRecorded = error instanceof PartialFailure;
                    throw error;
                } finally {
                    // The engine discards answers that reach it after its interrupt.
                    if (isRecorded && !lifetime.answersAreDiscarded) await closeAnswered(operation);
                }
            }),
        );
    }

    /** Runs `body`, whose errors get the origin of their settings, and lose the secrets of the configuration. */
    async #withUserMessages<T>(body: () => Promise<T>): Promise<T> {
        try {
            return await body();
        } catch (error) {
            const message = this.session.userMessage(error);
            if (!(error instanceof PartialFailure)) throw new LifecycleError(message);
            throw new PartialFailure(error.id, error.outputs, message);
        }
    }
}

/** The objects that the resource or its entries adopt; `path`: the place in its inputs that says so. */
function adoptionsOf(urn: string, { inputs: { importId }, adopts = [] }: Checked) {
    if (typeof importId !== "string" || hasUnknown(importId))
        return adopts.map(([id, key]) => ({ id, adopter: entryUrn(urn, key), path: `${entryPath(key)}.` }));
    return [{ id: importId, adopter: urn, path: "" }];
}

/** The properties without hidden ones and nulls. Programs write `null` for "not set", and the engine has an unknown value for each type. */
function visibleProperties(properties: Properties): Properties {
    const set = Object.entries(withoutHidden(properties)).filter(([, value]) => value !== null);
    return normalizeUnknowns(Object.fromEntries(set)) as Properties;
}

/** The nonces of the recorded markers, one by one: a library has thousands, and most journals have no entry, so that no marker is read. */
function* noncesIn(olds: Properties, isMeant = (_: string) => true): Generator<string> {
    for (const __meta of [olds.__meta, ...recordedEntriesOf(olds).map(([, , meta]) => meta)]) {
        const nonce = parseMarker(metaOf({ __meta }).mark)?.nonce;
        if (nonce !== undefined && isMeant(nonce)) yield nonce;
    }
}

/** An unfrozen copy as JSON. Values that JSON cannot have are left out: the engine would refuse the answer, and lose a new object. */
export function toState(properties: Properties): Properties {
    return JSON.parse(JSON.stringify(properties));
}

/**
 * The properties without hidden inputs, which the program's classes add: the dynamic face's implementation, URN, time limits, whether the resource
 * only reads, and a library's digest without secrets; for both faces the attempt and the organization. Native types get all of them, because
 * dynamic resources are their aliases.
 */
export function withoutHidden(properties: Properties): Properties {
    const { __provider, __urn, __timeouts, __get, __attempt, __organization, __plain, ...rest } = properties;
    return rest;
}
