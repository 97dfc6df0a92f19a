/** Finds the objects that have a stack's marker, and sorts them by what is known of them. */
import type { VideographApi } from "../../api";
import type { FileJournal, JournalEntry } from "../../lifecycle";
import { isLeaving } from "../../lifecycle/wait/status";
import { messages } from "../../messages";
import { parseUrn } from "../../urn";
import { type Listed, list, read, type Unreadable } from "../account";
import { CommandError } from "../commandLine";
import { keyOf } from "../names";
import { counted, type Shell } from "../shell";
import { exportedState, identityOfStack, type StackIdentity, type StackState } from "../stackState";
import type { Options } from "./options";
import { ownersOf } from "./otherStacks";
import type { ReadBefore } from "./readBefore";
import {
    asMarked,
    isPending,
    judge,
    type Knowledge,
    type Marked,
    prefixOf,
    recordedHere,
    StateIndex,
    type Verdict,
} from "./verdict";

/** An object with the stack's marker that another stack of the backend owns: this stack was renamed, or it was moved. */
export type OwnedElsewhere = Marked & { readonly owner: string };

export interface Found {
    readonly identity: StackIdentity;
    /** Whether the stack's state owns an object with the stack's own marker: only then is an unknown one surely lost. */
    readonly isProven: boolean;
    readonly orphans: readonly Marked[];
    readonly pending: readonly (Marked & { readonly verdict: Verdict })[];
    readonly young: readonly Marked[];
    readonly elsewhere: readonly OwnedElsewhere[];
    /** Why the owners of these objects could not be found out, if so. */
    readonly ownersUnknown: string | undefined;
    readonly unread: readonly Unreadable[];
    /** Creates of this stack in the journal whose object is not among those found. */
    readonly unsent: readonly JournalEntry[];
}

export async function find(
    shell: Shell,
    api: VideographApi,
    { journal, before: readBefore }: { journal: FileJournal; before: ReadBefore },
    options: Options,
): Promise<Found> {
    const before = await exportedState(shell, options.stack);
    const identity = before.identity ?? (await identityOfStack(shell, options.stack));
    if (identity === undefined) throw unknownStack(shell.cwd);
    const { items, serverTime } = await list(api, ["Content", "Livestream"], shell.talk);
    const isRecorded = recordedHere(before.resources, api.fingerprint);
    const candidates = items.filter(
        (item) => (options.ids.length === 0 || options.ids.includes(item.id)) && !isRecorded(item),
    );
    const { marked, unread } = await readMarked(shell, api, candidates, { identity, options, readBefore });
    const { owners, ownersUnknown } = await ownersIfKnown(shell, marked);
    const entries = (await journal.entries()).filter(({ urn }) => isOfStack(urn, identity));
    // Once more: a create that ended since the first time has its object recorded now.
    const state = marked.length === 0 ? before : await exportedState(shell, options.stack);
    const knowledge: Knowledge = {
        state: new StateIndex(state),
        journal: new Set(entries.flatMap(({ marker }) => marker ?? [])),
        fingerprint: api.fingerprint,
        now: serverTime ?? shell.clock.now(),
        minAge: options.minAge,
    };
    const known = new Set([...marked, ...state.resources].map(({ marker }) => marker));
    const judged = marked.map((object) => ({ ...object, verdict: judge(object, knowledge) }));
    return {
        identity,
        isProven: ownsMarked(state, identity),
        ...sorted(judged, owners, options),
        ownersUnknown,
        unread: unread.filter(({ deleted }) => !deleted),
        unsent: entries.filter(({ marker }) => options.ids.length === 0 && !known.has(marker ?? "")),
    };
}

function sorted(
    judged: readonly (Marked & { readonly verdict: Verdict })[],
    owners: ReadonlyMap<string, string>,
    { includePending }: Options,
): Pick<Found, "orphans" | "pending" | "young" | "elsewhere"> {
    const unowned = judged.filter((object) => !owners.has(keyOf(object)));
    const pending = unowned.filter(({ verdict }) => isPending(verdict));
    return {
        orphans: [...unowned.filter(({ verdict }) => verdict === "orphan"), ...(includePending ? pending : [])],
        pending: includePending ? [] : pending,
        young: unowned.filter(({ verdict }) => verdict === "young"),
        elsewhere: judged.flatMap((object) => {
            const owner = owners.get(keyOf(object));
            return owner === undefined || object.verdict === "recorded" ? [] : [{ ...object, owner }];
        }),
    };
}

/**
 * Reads the candidates. That an object does not have this stack's marker is remembered, so that an interrupted run continues
 * after it: nothing is deleted because of that. Objects with the marker, and those that could not be read, are read again.
 */
async function readMarked(
    shell: Shell,
    api: VideographApi,
    candidates: readonly Listed[],
    { identity, options, readBefore }: { identity: StackIdentity; options: Options; readBefore: ReadBefore },
): Promise<{ marked: Marked[]; unread: Unreadable[] }> {
    const marked: Marked[] = [];
    const unread: Unreadable[] = [];
    // Whoever names objects wants them looked at.
    const foreign = options.ids.length > 0 ? new Set<string>() : await readBefore.begin(identity);
    const left = candidates.filter((item) => !foreign.has(keyOf(item)));
    let done = candidates.length - left.length;
    if (done > 0) shell.talk.say(`Continuing after ${counted(done, "object")} of an interrupted run.`);
    for await (const whole of read(api, left, options.timeoutMs)) {
        shell.talk.progress(`Reading: ${++done} of ${counted(candidates.length, "object")}`);
        if ("problem" in whole) unread.push(whole);
        else {
            const ours = asMarked(whole, identity);
            if (ours.length === 0) await readBefore.add(whole);
            else if (!isLeaving(whole.status)) marked.push(...ours);
        }
    }
    return { marked, unread };
}

async function ownersIfKnown(shell: Shell, marked: readonly Marked[]) {
    try {
        return { owners: await ownersOf(shell, marked), ownersUnknown: undefined };
    } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return { owners: new Map<string, string>(), ownersUnknown: error.message };
    }
}

function ownsMarked({ resources }: StackState, identity: StackIdentity): boolean {
    return resources.some(({ external, marker }) => !external && marker?.startsWith(prefixOf(identity)));
}

function isOfStack(urn: string, { project, stack }: StackIdentity): boolean {
    const owner = parseUrn(urn);
    return owner?.stack === stack && owner.project === project;
}

function unknownStack(folder: string): CommandError {
    return new CommandError(messages.projectUnknown({ folder }));
}
