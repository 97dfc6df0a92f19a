/** Deletes orphans, as long as they still are. */
import { NotFoundError, type VideographApi } from "../../api";
import type { FileJournal } from "../../lifecycle";
import { isLeaving } from "../../lifecycle/wait/status";
import { messages } from "../../messages";
import { clauseOf, readOne } from "../account";
import { CommandError } from "../commandLine";
import { counted, type Shell } from "../shell";
import { exportedState, type StackIdentity } from "../stackState";
import { updateUnderway } from "../updateUnderway";
import type { Done, Kept } from "./done";
import type { Options } from "./options";
import type { Found } from "./search";
import { asMarked, type Marked, StateIndex } from "./verdict";

export async function remove(
    shell: Shell,
    api: VideographApi,
    journal: FileJournal,
    found: Found,
    options: Options,
): Promise<Done> {
    const { orphans, identity } = found;
    refuseUnproven(found, options);
    await refuseUnderway(shell, identity);
    shell.talk.warn(
        "objects that you stopped managing on purpose (`pulumi state delete`, retainOnDelete) have the marker too, and so do those of a " +
            `stack ${identity.project}/${identity.stack} in another organization or another backend.`,
    );
    if (!options.yes) {
        if (!(await shell.talk.agrees(`Delete ${counted(orphans.length, "object")} for good?`))) {
            throw new CommandError(messages.notConfirmed());
        }
    }
    // People take their time to answer.
    await refuseUnderway(shell, identity);
    const state = new StateIndex(await exportedState(shell, options.stack));
    const deleted: Marked[] = [];
    const kept: Kept[] = [];
    const entries = new Map((await journal.entries()).map((entry) => [entry.marker, entry]));
    for (const object of orphans) {
        shell.talk.progress(`Deleting: ${deleted.length + kept.length + 1} of ${orphans.length}`);
        const entry = entries.get(object.marker);
        const isBusy = entry !== undefined && journal.isOwnedElsewhere(entry);
        const reason = isBusy
            ? "another process is creating it right now"
            : await removeOne(api, object, identity, state);
        if (reason !== undefined) {
            kept.push({ object, reason });
            continue;
        }
        deleted.push(object);
        // Of two objects with one marker, the entry may be the other's.
        if ((entry?.id ?? object.id) === object.id) await journal.close(object.marker);
    }
    return { deleted, kept, importFile: undefined };
}

/** Why the object was not deleted; `undefined` when it was. */
async function removeOne(
    api: VideographApi,
    object: Marked,
    identity: StackIdentity,
    state: StateIndex,
): Promise<string | undefined> {
    const { kind, id, marker } = object;
    if (state.has(object, api.fingerprint)) return "the state has it now";
    try {
        const now = await readOne(api, object);
        if (isLeaving(now.status)) return undefined;
        const [marked] = asMarked(now, identity);
        if (marked?.marker !== marker) return "it does not have the marker any more";
        if (kind === "Content") await api.deleteContent(id);
        else await api.deleteLivestream(id);
        return undefined;
    } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        return clauseOf(error);
    }
}

/** An empty state owns nothing, so to it every object is an orphan: those of a renamed stack, or of another backend (S9). */
function refuseUnproven({ isProven, ownersUnknown, identity }: Found, { ids }: Options): void {
    if (ids.length > 0) return;
    if (!isProven) throw new CommandError(messages.notProvenOrphans({ ...identity }));
    if (ownersUnknown !== undefined) throw new CommandError(messages.ownersUnknown({ error: ownersUnknown }));
}

async function refuseUnderway(shell: Shell, identity: StackIdentity): Promise<void> {
    const underway = await updateUnderway(shell, identity);
    if (underway === undefined) return;
    throw new CommandError(messages.stackInUse({ how: underway }));
}
