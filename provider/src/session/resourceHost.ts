/**
 * The steps around every call of the engine, the same for dynamic resources and for the native plugin: which resource has which object, which journal
 * entries are closed, and what a preview says.
 */

import { isDeepStrictEqual } from "node:util";
import { forgetCreates, reportInterrupted } from "../create/ledger";
import { entryPath, entryUrn, recordedEntriesOf } from "../evidence/library";
import { digestOfResource, parseMarker } from "../evidence/marker";
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
import { checkImport } from "../lifecycle/ownership";
import { count, LifecycleError, listOf, type Message, messages, type Reporter } from "../messages";
import { isSameStack, kindIn } from "../urn";
import type { Call, Session } from "./session";

interface CheckedRequest {
    urn: string;
    /** The recorded inputs; empty for a new resource. */
    olds?: Properties;
    news: Properties;
    /** A random text of the engine for this resource. A program in Python, Go or YAML sends no attempt, and its create is known by the seed. */
    seed?: string | undefined;
}

/** What a later call has to know of the last `check` of its resource. */
interface Check {
    /** The recorded inputs. The SDK does not hand them to the `diff` of a dynamic provider. */
    oldInputs?: Properties | undefined;
    /** Whether the run is a preview: there the program leaves the attempt unknown. */
    isPreview: boolean;
}

export class ResourceHost {
    /** The last check of each resource, by URN. */
    readonly #checks = new Map<string, Check>();

    constructor(
        readonly session: Session,
        readonly lifecycle: Lifecycle,
    ) {}

    isInput(name: string): boolean {
        return this.lifecycle.inputs.includes(name);
    }

    /** The inputs with their defaults, and all problems of the inputs and of the settings. No request is sent. */
    check({ urn, olds = {}, news, seed }: CheckedRequest): Promise<Pick<Checked, "inputs" | "problems">> {
        const { session } = this;
        return session.runOperation({ urn }, async ({ info, warn }) => {
            const isNew = Object.keys(olds).length === 0;
            const before = isNew ? undefined : visibleProperties(olds);
            // `pulumi stack export` needs the organization to find the stack. No other call has it.
            session.noteOrganization(news.__organization);
            // The engine checks a replacement again as a new resource. Without the earlier inputs, every input would seem to have changed.
            const oldInputs = before ?? this.#checks.get(urn)?.oldInputs;
            this.#checks.set(urn, { oldInputs, isPreview: hasUnknown(news.__attempt) });
            const checked = this.lifecycle.check(visibleProperties(news), before, session.checkContext);
            // Two resources that adopt one object would both change it, and the delete of one would take the object from the other.
            const claimed = this.#claimAdoptions(urn, isNew, checked);
            // The answer of a check has room for problems alone. Notes and warnings go to the row.
            for (const note of checked.notes ?? []) info(note);
            for (const warning of checked.warnings ?? []) warn(warning);
            const problems = [...session.problems, ...checked.problems, ...claimed];
            // An existing resource keeps the attempt of its create. A new one would be a changed input.
            const __attempt = isNew ? session.newAttempt(news.__attempt, seed) : olds.__attempt;
            return {
                inputs: { ...checked.inputs, __attempt },
                problems: problems.map((problem) => session.redacted(problem, checked)),
            };
        });
    }

    /** Notes that the resource adopts the objects that it names. Returns a problem for each object that another resource of this run has. */
    #claimAdoptions(urn: string, isNew: boolean, checked: Checked): Message[] {
        const { claims } = this.session;
        // Before `claimAdopted`: where the resource is replaced, `onCheck` ends its earlier claims, and would end the new ones too.
        claims.onCheck(urn, { isNew });
        return adoptionsOf(urn, checked).flatMap(({ id, adopter, path }) => {
            const other = claims.otherOwnerOf(id, adopter);
            if (other !== undefined) return `${path}${messages.importIdTwice({ other })}` as Message;
            claims.claimAdopted(id, adopter);
            return [];
        });
    }

    /** The difference between the checked inputs and the recorded object. No request is sent. */
    diff({ urn, ...change }: Call & Change): Promise<Difference> {
        return this.session.runOperation({ urn }, async (reporter) => {
            const declared = this.#declaredChange(urn, change);
            const { id, olds } = declared;
            const { claims } = this.session;
            const other = claims.otherAdopterOf(id, urn);
            if (other !== undefined) throw new LifecycleError(messages.adoptedTwice({ id, other }));
            claims.onRecorded({ id, olds }, urn);
            await this.#forgetRecordedCreates(olds);
            const difference = this.lifecycle.diff(declared, reporter, claims);
            if (this.#checks.get(urn)?.isPreview) this.sayWhatEnds(urn, difference, { id, olds });
            if (difference.kind !== "replace") await this.#reportInterruptedOf(urn, reporter);
            return difference;
        });
    }

    /** Says which URLs end by a replacement. For a preview, after which somebody can still decide. */
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

    /** Whether one of these inputs differs from the inputs of the last run. */
    changesInput(names: readonly string[], { urn, news }: { urn: string; news: Properties }): boolean {
        const before = this.#checks.get(urn)?.oldInputs;
        const now = visibleProperties(news);
        return names.some((name) => this.isInput(name) && !(before && isDeepStrictEqual(before[name], now[name])));
    }

    create(request: Call & { inputs: Properties }): Promise<{ id: string; outputs: Properties }> {
        return this.session.runOperation(request, (operation) =>
            this.lifecycle.create(visibleProperties(request.inputs), operation),
        );
    }

    /** The recorded object as it is now; `undefined` when it was deleted. */
    read({ id, olds, inputs, ...request }: Call & { id: string; olds: Properties; inputs?: Properties }) {
        return this.session.runOperation(request, async (operation) => {
            await this.#forgetRecordedCreates(olds);
            const oldInputs = inputs && visibleProperties(inputs);
            return this.lifecycle.read({ id, olds: visibleProperties(olds), oldInputs }, operation);
        });
    }

    /** Reads an object that no state has, with the inputs that a program would declare; `undefined` where there is no object. */
    find({ id, isImport = false, ...request }: Call & { id: string; isImport?: boolean }) {
        // Before the request: while it is under way, the delete of another resource could take the object.
        if (isImport) this.session.claims.onImport(id, request.urn);
        return this.session.runOperation(request, async (operation) => {
            if (this.lifecycle.find === undefined) throw new LifecycleError(messages.notImportable());
            const found = await this.lifecycle.find(id, operation);
            if (isImport && found) await checkImport(id, found.outputs, operation);
            return found;
        });
    }

    update({ id, olds, oldInputs, news, ...request }: Call & Change) {
        return this.session.runOperation({ ...request, inputs: news }, async (operation) => {
            await this.#forgetRecordedCreates(olds);
            return this.lifecycle.update(this.#declaredChange(request.urn, { id, olds, oldInputs, news }), operation);
        });
    }

    delete({ id, olds, ...request }: Call & { id: string; olds: Properties }): Promise<void> {
        return this.session.runOperation(request, async (operation) => {
            await this.session.reportInterruptedBeforeDelete(request.urn);
            // Another record has the object as well: the replacement of this resource has adopted it, or the user has renamed the resource with
            // `importId` in place of an alias. Deleting the object would take it from that record.
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

    /** Removes the journal entries of creates that the state has recorded. They are left by `PULUMI_SKIP_CHECKPOINTS`, and by an interrupt. */
    async #forgetRecordedCreates(olds: Properties): Promise<void> {
        // A `.get` records the marker of a foreign resource, whose create may still be open.
        if (metaOf(olds).external) return;
        const { journal } = this.session.dependencies;
        // What this run has created is not in the state on the disk yet: after a kill, only the entry would name the object.
        await forgetCreates(
            journal,
            noncesIn(olds, (nonce) => !journal.isOwn(nonce)),
        );
    }

    /** Names interrupted creates of a resource that is not created in this run: no create will look for the objects that they may have made. */
    #reportInterruptedOf(urn: string, { info }: Reporter): Promise<void> {
        const { journal } = this.session.dependencies;
        const entries = journal.entriesOf(digestOfResource(urn, kindIn(urn)));
        return reportInterrupted(journal, entries, info, (entry) => isSameStack(entry.urn, urn));
    }
}

/** The objects that the resource, or the entries of a library, adopt. `path`: the input that names the object, for messages. */
function adoptionsOf(urn: string, { inputs: { importId }, adopts = [] }: Checked) {
    if (typeof importId !== "string" || hasUnknown(importId))
        return adopts.map(([id, key]) => ({ id, adopter: entryUrn(urn, key), path: `${entryPath(key)}.` }));
    return [{ id: importId, adopter: urn, path: "" }];
}

/**
 * The properties as a lifecycle takes them: without hidden inputs, without `null`, which programs write for "not set", and with one unknown value in place
 * of the engine's values for each type.
 */
function visibleProperties(properties: Properties): Properties {
    const set = Object.entries(withoutHidden(properties)).filter(([, value]) => value !== null);
    return normalizeUnknowns(Object.fromEntries(set)) as Properties;
}

/** The nonces of the recorded markers. A generator: most journals are empty, and then none of a library's thousands of markers is parsed. */
function* noncesIn(olds: Properties, isMeant = (_: string) => true): Generator<string> {
    for (const __meta of [olds.__meta, ...recordedEntriesOf(olds).map(([, , meta]) => meta)]) {
        const nonce = parseMarker(metaOf({ __meta }).mark)?.nonce;
        if (nonce !== undefined && isMeant(nonce)) yield nonce;
    }
}

/** A copy with nothing but JSON. Otherwise the engine would refuse the answer, for example at `undefined`, and a new object would be lost. */
export function toState(properties: Properties): Properties {
    return JSON.parse(JSON.stringify(properties));
}

/**
 * The properties without the inputs that the program's classes add: the implementation of a dynamic resource, its URN, its time limits, whether it only
 * reads (`.get`), the attempt, the organization, and the digest by which a library is known to hold no secret. A native resource gets all of them where it
 * takes over the record of a dynamic one.
 */
export function withoutHidden(properties: Properties): Properties {
    const { __provider, __urn, __timeouts, __get, __attempt, __organization, __plain, ...rest } = properties;
    return rest;
}
