/** Deletes the chosen objects, or writes them into an import file that puts them into the state under their old names. */
import { NotFoundError, type VideographApi } from "#provider/api/index";
import { isBeingDeleted, isFailed } from "#provider/api/status";
import type { Journal } from "#provider/evidence/journal";
import type { JournalEntry } from "#provider/evidence/journalFile";
import { digestOfResource, isSameMarker, markerText, markerTextIn } from "#provider/evidence/marker";
import { typeOf } from "#provider/typeTokens";
import { collectionOf, errorClause, readObject, type UnreadObject } from "../account";
import { CommandError } from "../commandLine";
import { declareObject, type ImportEntry } from "../entry";
import { writeImportFile } from "../files";
import { messages } from "../messages";
import type { Shell } from "../shell";
import { exportedState, type StackState, stackUseOf } from "../state";
import { counted } from "../terminal";
import { createOf, isInState, type MarkedObject, secretInputsOf, type Verdict } from "./verdict";

export interface Search {
    readonly shell: Shell;
    readonly api: VideographApi;
    readonly journal: Journal;
    readonly stack: string | undefined;
    /** The objects that the user names. */
    readonly ids: readonly string[];
}

export interface Found {
    readonly state: StackState;
    readonly judged: readonly { readonly object: MarkedObject; readonly verdict: Verdict }[];
    /** The objects to delete or to import: those that the user names, or else the orphans. */
    readonly chosen: readonly MarkedObject[];
    readonly unread: readonly UnreadObject[];
    /** The entries of this stack in the journal whose object is not among the found ones. */
    readonly journal: readonly JournalEntry[];
}

/** The outcome for the chosen objects. */
export interface Outcome {
    readonly done: readonly MarkedObject[];
    readonly kept: readonly { readonly object: MarkedObject; readonly reason: string }[];
}

/**
 * Deletes the chosen objects, after a question unless `isAgreed`. Refuses while a run uses the stack: the run's objects are not in the state yet.
 * Where no lock can be seen, only objects named with --id are deleted.
 */
export async function deleteObjects(
    search: Search,
    { state: before, chosen }: Found,
    isAgreed: boolean,
): Promise<Outcome> {
    const { shell, api, journal, stack, ids } = search;
    if (!isAgreed && !(await shell.terminal.confirm(`Delete ${counted(chosen.length, "object")} for good?`)))
        throw new CommandError(messages.notConfirmed());
    const { used: how, unknown: why } = await stackUseOf(shell, before.identity);
    if (how !== undefined) throw new CommandError(messages.stackInUse({ how }));
    if (why !== undefined && ids.length === 0) throw new CommandError(messages.lockUnknown({ why }));
    // Minutes may have passed since the search: a run may have put the objects into the state meanwhile.
    const state = await exportedState(shell, stack);
    const entries = new Map((await journal.entries()).map((entry) => [entry.nonce, entry]));
    let count = 0;
    return handleEach(chosen, async (object) => {
        shell.terminal.progress(`Deleting: ${++count} of ${chosen.length}`);
        const entry = entries.get(object.marker.nonce);
        if (entry !== undefined && journal.isHeldByLivingProcess(entry))
            return "another process is creating it right now";
        const reason = await deleteObject(api, object, state);
        // A service may have made two objects with one marker. The journal's entry belongs to the one whose id it has.
        const isOwn = (entry?.id ?? object.id) === object.id;
        if (reason === undefined && isOwn) await journal.forget([object.marker.nonce]);
        return reason;
    });
}

/** Runs `one` for each object. @param one - returns the reason why the object is kept, or nothing */
async function handleEach(
    objects: readonly MarkedObject[],
    one: (object: MarkedObject) => Promise<string | undefined>,
): Promise<Outcome> {
    const done: MarkedObject[] = [];
    const kept: { object: MarkedObject; reason: string }[] = [];
    for (const object of objects) {
        const reason = await one(object);
        if (reason === undefined) done.push(object);
        else kept.push({ object, reason });
    }
    return { done, kept };
}

/** The reason why the object was not deleted; `undefined` when it was deleted. */
async function deleteObject(api: VideographApi, object: MarkedObject, state: StackState): Promise<string | undefined> {
    if (isInState(object, state, api.fingerprint)) return "the state has it now";
    try {
        const now = await readObject(api, object);
        if (isBeingDeleted(now.status)) return undefined;
        if (!isSameMarker(markerTextIn(now.object.metadata), markerText(object.marker)))
            return "it no longer has the marker";
        await collectionOf(api, object.kind).remove(object.id);
        return undefined;
    } catch (error) {
        return error instanceof NotFoundError ? undefined : errorClause(error);
    }
}

export async function writeEntries({ api }: Search, found: Found, importFile: string): Promise<Outcome> {
    const { state, chosen } = found;
    // The program that created the object declares no importId. With one in the state, the next update would take the source for a new one.
    const how = { fingerprint: api.fingerprint, identity: state.identity, plugin: state.plugin, isAdopted: false };
    const entries: ImportEntry[] = [];
    const done = await handleEach(chosen, async (object) => {
        const isNamesake = (kind: string, name: string) => kind === object.kind && name === object.marker.name;
        if (isFailed(object.status)) return `its status is ${object.status}: delete it`;
        if (state.resources.some(({ kind, name }) => isNamesake(kind, name)))
            return "the state has another object under its name: delete this one";
        if (chosen.filter(({ kind, marker }) => isNamesake(kind, marker.name)).length > 1)
            return "several objects have its name: choose one with --id, and delete the others";
        if (!isTopLevel(object))
            return "it is of a Clip, an entry of a library or a resource of a component, which the file cannot name: the next `pulumi up` takes it up";
        const secrets = secretInputsOf(object, state);
        const shown = secrets.filter((name) => name in object.object);
        if (shown.length > 0)
            return `the state has its ${shown.join(", ")} encrypted, and the file would show it: the next \`pulumi up\` takes it up`;
        // The service does not show every input. The state has those with which the create began.
        const sent = Object.fromEntries(
            Object.entries(createOf(object, state)?.inputs ?? {}).filter(([name]) => !secrets.includes(name)),
        );
        const result = declareObject(object, object.marker.name, how, sent);
        if ("reason" in result) return result.reason;
        entries.push(result.declared.entry);
        return undefined;
    });
    if (entries.length > 0) await writeImportFile(importFile, entries);
    return done;
}

/** Whether the object's resource is a Content or a Livestream without a parent. A marker names no parents, which an import file would need. */
function isTopLevel({ kind, marker: { project, stack, name, resourceDigest } }: MarkedObject): boolean {
    return digestOfResource(`urn:pulumi:${stack}::${project}::${typeOf(kind)}::${name}`, kind) === resourceDigest;
}
