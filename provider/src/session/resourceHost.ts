/** The steps that both faces take around every call of the engine: claims, journal entries and messages. No protocol is known here. */

import { isDeepStrictEqual } from "node:util";
import { disownCreate, forgetCreates, reportInterrupted } from "../create/ledger";
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
} from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { refuseForeignMarker, refuseHeld } from "../lifecycle/ownership";
import { count, LifecycleError, listOf, type Message, messages, type Reporter } from "../messages";
import type { Operation } from "../operation/operation";
import { attemptIn } from "../operation/ownState";
import { isSameStack, kindIn } from "../urn";
import type { Call, Session } from "./session";

type ResourceRequest = Pick<Call, "urn">;
type OperationRequest = Required<Pick<Call, "urn" | "timeouts">>;

interface CheckedRequest extends ResourceRequest {
    /** The recorded inputs; empty for a new resource. */
    olds?: Properties;
    news: Properties;
    /** The engine's seed: it identifies the create of a program whose SDK sends no attempt. */
    seed?: string | undefined;
}

/** What the last `check` of a resource has shown. */
interface Check {
    /** The recorded inputs: the `diff` of dynamic providers does not get them. */
    oldInputs?: Properties | undefined;
    /** Whether it was a preview's, in which the program leaves the attempt unknown. */
    isPreview: boolean;
}

export class ResourceHost {
    /** By URN. */
    readonly #checks = new Map<string, Check>();

    constructor(
        readonly session: Session,
        readonly lifecycle: Lifecycle,
    ) {}

    isInput(name: string): boolean {
        return this.lifecycle.inputs.includes(name);
    }

    /** The inputs with their defaults, and all problems of the inputs and the settings. Sends nothing. */
    check({ urn, olds = {}, news, seed }: CheckedRequest): Promise<Pick<Checked, "inputs" | "problems">> {
        const { session } = this;
        return session.runOperation({ urn }, async ({ info, warn }) => {
            const isNew = Object.keys(olds).length === 0;
            const before = isNew ? undefined : visibleProperties(olds);
            // The export of the own state names the stack by it, and no other call has it.
            session.noteOrganization(news.__organization);
            // A replacement is checked again without them, and an update after that would take every input for a changed one.
            const oldInputs = before ?? this.#checks.get(urn)?.oldInputs;
            if (urn !== "") this.#checks.set(urn, { oldInputs, isPreview: hasUnknown(news.__attempt) });
            const checked = this.lifecycle.check(visibleProperties(news), before, session.checkContext);
            // Two resources that adopt one object would both change it, and each would delete the other's.
            const claimed = urn === "" ? [] : this.#claimAdoptions(urn, isNew, checked);
            // The answer has no place for what is no problem.
            for (const note of checked.notes ?? []) info(note);
            for (const warning of checked.warnings ?? []) warn(warning);
            const problems = [...session.problems(), ...checked.problems, ...claimed];
            // The recorded attempt stays: another one would be a difference.
            const __attempt = isNew ? session.newAttempt(news.__attempt, seed) : olds.__attempt;
            return {
                inputs: { ...checked.inputs, __attempt },
                problems: problems.map((problem) => session.redacted(problem, checked)),
            };
        });
    }

    /** Claims the objects that the resource adopts. Returns a problem for each object that another resource has. */
    #claimAdoptions(urn: string, isNew: boolean, checked: Checked): Message[] {
        const { claims } = this.session;
        // After the adoptions it would end their claims as well, where the resource is replaced.
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
        return this.session.runOperation({ urn }, async (reporter) => {
            const declared = this.#declaredChange(urn, change);
            const { id, olds } = declared;
            const { claims } = this.session;
            const other = claims.otherAdopterOf(id, urn);
            if (other !== undefined) throw new LifecycleError(messages.adoptedTwice({ id, other }));
            claims.onRecorded({ id, olds }, urn);
            await this.#forgetRecordedCreates(olds);
            const difference = this.lifecycle.diff(declared, reporter, claims);
            if (urn === "") return difference;
            if (this.#checks.get(urn)?.isPreview) this.sayWhatEnds(urn, difference, { id, olds });
            if (difference.kind !== "replace") await this.#reportInterruptedOf(urn, reporter);
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
        const before = this.#checks.get(urn)?.oldInputs;
        const now = visibleProperties(news);
        return names.some((name) => this.isInput(name) && !(before && isDeepStrictEqual(before[name], now[name])));
    }

    create(request: OperationRequest & { inputs: Properties }): Promise<{ id: string; outputs: Properties }> {
        const call = { ...request, attempt: attemptIn(request.inputs), mayBeRepeated: true };
        return this.session.runOperation(call, (operation) =>
            this.lifecycle.create(visibleProperties(request.inputs), operation),
        );
    }

    /** The recorded object as it is now; `undefined` when it was deleted. */
    read({ id, olds, inputs, ...request }: OperationRequest & { id: string; olds: Properties; inputs?: Properties }) {
        return this.session.runOperation(request, async (operation) => {
            await this.#forgetRecordedCreates(olds);
            const oldInputs = inputs && visibleProperties(inputs);
            return this.lifecycle.read({ id, olds: visibleProperties(olds), oldInputs }, operation);
        });
    }

    /** An object without a known state, with the inputs that a program would declare; `undefined` when there is none. */
    find({ id, isImport = false, ...request }: OperationRequest & { id: string; isImport?: boolean }) {
        // Claimed after the request, the object could be deleted meanwhile, with another resource that has it.
        if (isImport) this.session.claims.onImport(id, request.urn);
        return this.session.runOperation(request, async (operation) => {
            if (this.lifecycle.find === undefined) throw new LifecycleError(messages.notImportable());
            const found = await this.lifecycle.find(id, operation);
            if (isImport && found) await this.#checkImport(id, found.outputs, operation);
            return found;
        });
    }

    /** Refuses an object that another resource has created, or that this one has in the other face. */
    async #checkImport(id: string, outputs: Properties, operation: Operation): Promise<void> {
        const { urn, services } = operation;
        const kind = kindIn(urn);
        const marker = parseMarker(metaOf(outputs).mark);
        const asked = { object: `${kind} ${id}`, kind, id, urn };
        refuseForeignMarker(asked, marker, ownerOf(urn, kind), services.userDecision);
        await refuseHeld({ id, outputs }, operation);
        // A preview calls this too, and cannot be told from an import: so the object's create is not forgotten yet.
        if (marker !== undefined) await disownCreate(services.journal, marker.nonce);
    }

    update({ id, olds, oldInputs, news, ...request }: OperationRequest & Change) {
        const call = { ...request, attempt: attemptIn(news), mayBeRepeated: true };
        return this.session.runOperation(call, async (operation) => {
            await this.#forgetRecordedCreates(olds);
            return this.lifecycle.update(this.#declaredChange(request.urn, { id, olds, oldInputs, news }), operation);
        });
    }

    delete({ id, olds, ...request }: OperationRequest & { id: string; olds: Properties }): Promise<void> {
        return this.session.runOperation(request, async (operation) => {
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

    #declaredChange(urn: string, { id, olds, oldInputs: given, news }: Change): Change {
        const oldInputs = given ? visibleProperties(given) : this.#checks.get(urn)?.oldInputs;
        return { id, olds: visibleProperties(olds), oldInputs, news: visibleProperties(news) };
    }

    /** Removes journal entries that are left after a run without checkpoints, or after an answer that came too late for an interrupted engine. */
    async #forgetRecordedCreates(olds: Properties): Promise<void> {
        // The record of a `.get` has the marker of the object's owner, whose open create would be forgotten.
        if (metaOf(olds).external) return;
        const { journal } = this.session.dependencies;
        // Entries of this run stay: their records are not written yet, so a kill would leave no witness of them.
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
