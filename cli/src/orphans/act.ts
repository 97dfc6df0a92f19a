/** Deletes the chosen objects, or writes them into an import file that puts them into the state under their old names. */
import { NotFoundError, type VideographApi } from "#provider/api/index";
import { isSameMarker, markerIn, markerText } from "#provider/evidence/marker";
import type { Properties } from "#provider/lifecycle/index";
import { messages } from "#provider/messages/index";
import { isFailed, isLeaving } from "#provider/wait/status";
import { clauseOf, readOne } from "../account";
import { useOf } from "../backend";
import { CommandError } from "../commandLine";
import { type Describing, describe, type ImportEntry } from "../entry";
import { writeImportFile } from "../files";
import { exportedState, type Recorded, type StackState } from "../state";
import { counted } from "../terminal";
import type { Found, Search } from "./search";
import { isCreateOf, isInState, type Marked } from "./verdict";

export interface Done {
    readonly deleted: readonly Marked[];
    readonly kept: readonly { readonly object: Marked; readonly reason: string }[];
    readonly importFile: string | undefined;
}

/** @param isAgreed - without a question */
export async function remove(search: Search, found: Found, isAgreed: boolean): Promise<Done> {
    const { shell, api, journal, stack } = search;
    const objects = found.chosen;
    await refuseInUse(search, found);
    if (!isAgreed) {
        const agreed = await shell.terminal.confirm(`Delete ${counted(objects.length, "object")} for good?`);
        if (!agreed) throw new CommandError(messages.notConfirmed());
        // The answer may take long.
        await refuseInUse(search, found);
    }
    const state = await exportedState(shell, stack);
    const entries = new Map((await journal.entries()).map((entry) => [entry.nonce, entry]));
    const deleted: Marked[] = [];
    const kept: { object: Marked; reason: string }[] = [];
    for (const object of objects) {
        shell.terminal.progress(`Deleting: ${deleted.length + kept.length + 1} of ${objects.length}`);
        const entry = entries.get(object.marker.nonce);
        const isBusy = entry !== undefined && journal.isOwnedElsewhere(entry);
        const reason = isBusy ? "another process is creating it right now" : await removeOne(api, object, state);
        if (reason !== undefined) kept.push({ object, reason });
        else {
            deleted.push(object);
            // If another object has the same marker, the entry may belong to that one.
            if ((entry?.id ?? object.id) === object.id) await journal.close(object.marker.nonce);
        }
    }
    return { deleted, kept, importFile: undefined };
}

/** The objects of a running update are not in the state yet. The user decides about named objects, unless a run holds the lock. */
async function refuseInUse({ shell, ids }: Search, { identity }: Found): Promise<void> {
    const use = await useOf(shell, identity);
    if (use.is === "used") throw new CommandError(messages.stackInUse({ how: use.text }));
    if (use.is === "unknown" && ids.length === 0) throw new CommandError(messages.lockUnknown({ why: use.text }));
}

/** Why the object was not deleted; `undefined` when it was. */
async function removeOne(api: VideographApi, object: Marked, state: StackState): Promise<string | undefined> {
    if (isInState(object, state, api.fingerprint)) return "the state has it now";
    try {
        const now = await readOne(api, object);
        if (isLeaving(now.status)) return undefined;
        if (!isSameMarker(markerIn(now.object.metadata), markerText(object.marker))) {
            return "it no longer has the marker";
        }
        if (object.kind === "Content") await api.deleteContent(object.id);
        else await api.deleteLivestream(object.id);
        return undefined;
    } catch (error) {
        return error instanceof NotFoundError ? undefined : clauseOf(error);
    }
}

export async function writeEntries(search: Search, found: Found, importFile: string): Promise<Done> {
    const { shell, api, stack } = search;
    const state = await exportedState(shell, stack);
    const describing = { fingerprint: api.fingerprint, identity: found.identity, plugin: state.plugin };
    const kept: { object: Marked; reason: string }[] = [];
    const entries: ImportEntry[] = [];
    const objects = found.chosen;
    for (const object of objects) {
        const isAlone = objects.filter((other) => isNamesake(object, other.kind, other.marker.name)).length === 1;
        const entry = isAlone
            ? entryOf(object, state, describing)
            : "there are several of its name: choose one with --id, and delete the others";
        if (typeof entry === "string") kept.push({ object, reason: entry });
        else entries.push(entry);
    }
    if (entries.length === 0) return { deleted: [], kept, importFile: undefined };
    await writeImportFile(importFile, entries);
    return { deleted: [], kept, importFile };
}

/** The entry, or why there can be none. */
function entryOf(object: Marked, state: StackState, how: Describing): ImportEntry | string {
    if (isFailed(object.status)) return `its status is ${object.status}: delete it`;
    if (state.resources.some(({ kind, name }: Recorded) => isNamesake(object, kind, name))) {
        return "the state has another object under its name: delete this one";
    }
    // The inputs that the service does not return are in the state's record of the create. Encrypted ones are left out.
    const sent = state.creating.find((create) => isCreateOf(create, object.marker))?.inputs;
    const described = describe(object, object.marker.name, how, sent);
    if (typeof described === "string") return described;
    const { inputs, outputs, ...entry } = described.entry;
    if (inputs === undefined || outputs === undefined) return entry;
    // The program that created it has no importId. If the entry had one, removing it would make the source count as a new one.
    const without = ({ importId: _, ...rest }: Properties) => rest;
    return { ...entry, inputs: without(inputs), outputs: without(outputs) };
}

function isNamesake(object: Marked, kind: string, name: string): boolean {
    return object.kind === kind && object.marker.name === name;
}
