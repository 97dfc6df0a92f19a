/** Finds the objects that a stack created and its state does not have. */
import type { VideographApi } from "#provider/api/index";
import type { FileJournal, JournalEntry } from "#provider/lifecycle/index";
import { messages } from "#provider/messages/index";
import { parseUrn } from "#provider/urn";
import { isLeaving } from "#provider/wait/status";
import { keyOf, list, read, refuseUnknown, type Unreadable } from "../account";
import type { Shell } from "../shell";
import { exportedState, identityOf, type StackIdentity, type StackState } from "../state";
import { asMarked, isInState, type Marked, type Status, statusOf } from "./verdict";

/** Where to search, and for which objects. */
export interface Search {
    readonly shell: Shell;
    readonly api: VideographApi;
    readonly journal: FileJournal;
    readonly stack: string | undefined;
    /** Only these; all by default. */
    readonly ids: readonly string[];
}

export interface Found {
    readonly identity: StackIdentity;
    readonly state: StackState;
    readonly judged: readonly { readonly object: Marked; readonly status: Status }[];
    /** Those to delete or to import: the objects that the user names, or else the orphans. */
    readonly chosen: readonly Marked[];
    readonly unread: readonly Unreadable[];
    /** Entries of this stack in the journal whose object is not among those found. */
    readonly journal: readonly JournalEntry[];
}

export async function find({ shell, api, journal, stack, ids }: Search): Promise<Found> {
    const { fingerprint } = api;
    const state = await exportedState(shell, stack);
    const identity = await identityOf(shell, state, stack);
    const items = await list(api, ["Content", "Livestream"], shell.terminal);
    refuseUnknown(ids, items, messages.idsUnknown);
    const recorded = new Set(state.resources.filter((one) => one.fingerprint === fingerprint).map(keyOf));
    const marked: Marked[] = [];
    const unread: Unreadable[] = [];
    const candidates = items.filter((item) => !recorded.has(keyOf(item)));
    for await (const whole of read(shell, api, candidates)) {
        if ("problem" in whole) unread.push(whole);
        else if (!isLeaving(whole.status)) {
            const object = asMarked(whole, state, identity);
            if (object !== undefined && !isInState(object, state, fingerprint)) marked.push(object);
        }
    }
    refuseUnknown(ids, [...marked, ...unread], messages.idsNotListed);
    const entries = await journal.entries();
    const judged = marked
        .filter(({ id }) => ids.length === 0 || ids.includes(id))
        .map((object) => ({ object, status: statusOf(object, state, entries) }));
    const chosen = judged.filter(({ status }) => status === "orphan" || ids.length > 0);
    const known = new Set([...marked.map(({ marker }) => marker.nonce), ...state.resources.map(({ nonce }) => nonce)]);
    return {
        ...{ identity, state, judged, unread },
        chosen: chosen.map(({ object }) => object),
        journal: entries.filter(({ urn, nonce }) => isOf(identity, urn) && !known.has(nonce)),
    };
}

function isOf({ project, stack }: StackIdentity, urn: string): boolean {
    const owner = parseUrn(urn);
    return owner?.stack === stack && owner.project === project;
}
