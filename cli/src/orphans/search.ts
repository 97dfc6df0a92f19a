/** Finds the objects that a stack created and its state does not have. */
import type { VideographApi } from "#provider/api/index";
import type { FileJournal, JournalEntry } from "#provider/lifecycle/index";
import { messages } from "#provider/messages/index";
import { parseUrn } from "#provider/urn";
import { isLeaving } from "#provider/wait/status";
import { keyOf, list, read, refuseUnknown, type Unreadable } from "../account";
import type { Shell } from "../shell";
import { exportedState, identityOf, type StackIdentity } from "../state";
import { asMarked, type Judged, judgeAll, type Marked } from "./verdict";

export interface Found {
    readonly identity: StackIdentity;
    readonly judged: readonly Judged[];
    /** Those to delete or to import: the objects that the user names, or else the orphans. */
    readonly chosen: readonly Marked[];
    readonly unread: readonly Unreadable[];
    /** Entries of this stack in the journal whose object is not among those found. */
    readonly journal: readonly JournalEntry[];
}

/** Where to search, and for which objects. */
export interface Search {
    readonly shell: Shell;
    readonly api: VideographApi;
    readonly journal: FileJournal;
    readonly stack: string | undefined;
    /** Only these; all by default. */
    readonly ids: readonly string[];
    /** The time for one object. */
    readonly timeoutMs: number;
}

export async function find({ shell, api, journal, stack, ids, timeoutMs }: Search): Promise<Found> {
    const { fingerprint } = api;
    const before = await exportedState(shell, stack);
    const identity = await identityOf(shell, before, stack);
    const items = await list(api, ["Content", "Livestream"], shell.terminal);
    refuseUnknown(ids, items, messages.idsUnknown);
    const recorded = new Set(before.resources.filter((one) => one.fingerprint === fingerprint).map(keyOf));
    const candidates = items.filter((item) => !recorded.has(keyOf(item)));
    const marked: Marked[] = [];
    const unread: Unreadable[] = [];
    for await (const whole of read(shell, api, candidates, timeoutMs)) {
        if ("problem" in whole) unread.push(whole);
        else if (!isLeaving(whole.status)) marked.push(...asMarked(whole, { state: before, identity }));
    }
    // Once more, because an update may have recorded some of them in the meantime.
    const state = marked.length === 0 ? before : await exportedState(shell, stack);
    const entries = await journal.entries();
    const judged = judgeAll(marked, { state, journal: entries, fingerprint });
    refuseUnknown(ids, [...judged.map(({ object }) => object), ...unread], messages.idsNotListed);
    const shown = judged.filter(({ object }) => ids.length === 0 || ids.includes(object.id));
    const chosen = shown.filter(({ status }) => status === "orphan" || ids.length > 0);
    const known = new Set([...marked.map(({ marker }) => marker.nonce), ...state.resources.map(({ nonce }) => nonce)]);
    return {
        identity,
        unread: unread.filter(({ deleted }) => !deleted),
        judged: shown,
        chosen: chosen.map(({ object }) => object),
        journal: entries.filter(({ urn, nonce }) => isOf(identity, urn) && !known.has(nonce)),
    };
}

function isOf({ project, stack }: StackIdentity, urn: string): boolean {
    const owner = parseUrn(urn);
    return owner?.stack === stack && owner.project === project;
}
