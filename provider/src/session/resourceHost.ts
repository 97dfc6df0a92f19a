/**
 * What every call of the engine needs besides the resource's own code, for dynamic resources and for the native plugin alike. It notes which resource
 * has which object, removes journal entries that are no longer needed, and shows the lines of a preview.
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
    /**
     * A random text that the engine gives the resource. A program in Python, Go or YAML sends no `__attempt`: there the seed identifies the create.
     */
    seed?: string | undefined;
}

/** What later calls for a resource have to know of its last `check`. */
interface Check {
    /** The recorded inputs. The SDK does not hand them to the `diff` of a dynamic provider. */
    oldInputs?: Properties | undefined;
    /** Whether the run is a preview. A preview is known by `__attempt`, which the program leaves unknown there. */
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
            // Only a check is told the organization. `pulumi stack export` needs it to find the stack.
            session.noteOrganization(news.__organization);
            // The engine checks a replacement a second time, as a new resource without recorded inputs. So the recorded inputs of the first check are
            // kept: otherwise every input would seem to have changed.
            const oldInputs = before ?? this.#checks.get(urn)?.oldInputs;
            this.#checks.set(urn, { oldInputs, isPreview: hasUnknown(news.__attempt) });
            const checked = this.lifecycle.check(visibleProperties(news), before, session.checkContext);
            // If two resources adopted one object, both would change it, and the delete of one would take the object from the other.
            const claimed = this.#claimAdoptions(urn, isNew, checked);
            // The answer to a check has room for problems only. Notes and warnings go to the resource's row.
            for (const note of checked.notes ?? []) info(note);
            for (const warning of checked.warnings ?? []) warn(warning);
            const problems = [...session.problems, ...checked.problems, ...claimed];
            // An existing resource keeps the attempt of its create: a new attempt would count as a changed input.
            const __attempt = isNew ? session.newAttempt(news.__attempt, seed) : olds.__attempt;
            return {
                inputs: { ...checked.inputs, __attempt },
                problems: problems.map((problem) => session.redacted(problem, checked)),
            };
        });
    }

    /** Notes which objects the resource adopts. Returns a problem for each object that another resource of this run already has. */
    #claimAdoptions(urn: string, isNew: boolean, checked: Checked): Message[] {
        const { claims } = this.session;
        // Called before `claimAdopted`: if the resource is replaced, `onCheck` ends all claims that the resource has, and would end the new ones too.
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

    /** Shows which playback URLs end with a replacement. Called for a preview, after which the user can still decide against it. */
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

    /** Reads an object that no state has. Returns it with the inputs that a program would declare; `undefined` where there is no object. */
    find({ id, isImport = false, ...request }: Call & { id: string; isImport?: boolean }) {
        // Noted before the request: otherwise another resource could delete the object while the request is under way.
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
            // A second record has the object: the replacement of this resource has adopted it, or the user has renamed the resource with `importId`
            // in place of an alias. Deleting the object would take it from that record.
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

    /**
     * Removes the journal entries of creates whose objects the state has. Such entries remain after a run with `PULUMI_SKIP_CHECKPOINTS`, and after
     * an interrupt.
     */
    async #forgetRecordedCreates(olds: Properties): Promise<void> {
        // A `.get` records the marker of an object that another resource manages. The create of that resource may not have ended, so its entry stays.
        if (metaOf(olds).external) return;
        const { journal } = this.session.dependencies;
        // Entries of this run stay. The state on the disk does not have the new objects yet: after a kill, only the entries would name them.
        await forgetCreates(
            journal,
            noncesIn(olds, (nonce) => !journal.isOwn(nonce)),
        );
    }

    /**
     * Shows the interrupted creates of a resource that this run does not create. So no create of this run will look for the objects that they may
     * have made.
     */
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
 * The properties as a lifecycle takes them: without hidden inputs, without `null` (programs write it for "not set"), and with one unknown value in
 * place of the engine's values for each type.
 */
function visibleProperties(properties: Properties): Properties {
    const set = Object.entries(withoutHidden(properties)).filter(([, value]) => value !== null);
    return normalizeUnknowns(Object.fromEntries(set)) as Properties;
}

/**
 * The nonces of the recorded markers. Made one by one, because most journals are empty: then nobody asks for a nonce, and none of a library's
 * thousands of markers is parsed.
 */
function* noncesIn(olds: Properties, isMeant = (_: string) => true): Generator<string> {
    for (const __meta of [olds.__meta, ...recordedEntriesOf(olds).map(([, , meta]) => meta)]) {
        const nonce = parseMarker(metaOf({ __meta }).mark)?.nonce;
        if (nonce !== undefined && isMeant(nonce)) yield nonce;
    }
}

/**
 * A copy that holds nothing but JSON. Any other value, such as `undefined`, would make the engine refuse the answer, and a new object would be lost.
 */
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
