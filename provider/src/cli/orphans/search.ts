/** Finds the objects that bear a stack's mark, and sorts them by what is known of them. */
import type { VideographApi } from "../../api";
import type { FileJournal, JournalEntry } from "../../lifecycle";
import { isLeaving } from "../../lifecycle/wait/status";
import { parseUrn } from "../../urn";
import { list, read, type Unreadable } from "../account";
import { CommandError } from "../commandLine";
import { findProject } from "../project";
import { pulumi } from "../pulumi";
import { counted, type Shell } from "../shell";
import { exportedState, type StackIdentity } from "../stackState";
import type { Options } from "./options";
import { asMarked, isPending, isRecorded, judge, type Knowledge, type Marked, type Verdict } from "./verdict";

export interface Found {
    readonly identity: StackIdentity;
    readonly orphans: readonly Marked[];
    readonly pending: readonly (Marked & { readonly verdict: Verdict })[];
    readonly young: readonly Marked[];
    readonly unread: readonly Unreadable[];
    /** Creates of this stack in the journal whose object is not among those found. */
    readonly unsent: readonly JournalEntry[];
}

export async function find(shell: Shell, api: VideographApi, journal: FileJournal, options: Options): Promise<Found> {
    const before = await exportedState(shell, options.stack);
    const identity = before.identity ?? (await identityAtHand(shell, options.stack));
    const { items, serverTime } = await list(api, ["Content", "Livestream"], shell.talk);
    const candidates = items.filter(
        (item) =>
            (options.ids.length === 0 || options.ids.includes(item.id)) &&
            !isRecorded(item, before.resources, api.fingerprint),
    );
    let done = 0;
    const wholes = await read(api, candidates, () => {
        done++;
        shell.talk.progress(`Reading: ${done} of ${counted(candidates.length, "object")}`);
    });
    const marked = wholes.flatMap((whole) => {
        if ("problem" in whole || isLeaving(whole.status)) return [];
        const mine = asMarked(whole, identity);
        return mine === undefined ? [] : [mine];
    });
    const entries = (await journal.entries()).filter(({ urn }) => isOfStack(urn, identity));
    const knowledge: Knowledge = {
        // Once more: a create that ended since the first time has its object recorded now.
        state: marked.length === 0 ? before : await exportedState(shell, options.stack),
        journal: entries,
        fingerprint: api.fingerprint,
        now: serverTime ?? shell.clock.now(),
        minAge: options.minAge,
    };
    const judged = marked.map((object) => ({ ...object, verdict: judge(object, knowledge) }));
    const pending = judged.filter(({ verdict }) => isPending(verdict));
    return {
        identity,
        orphans: [...judged.filter(({ verdict }) => verdict === "orphan"), ...(options.includePending ? pending : [])],
        pending: options.includePending ? [] : pending,
        young: judged.filter(({ verdict }) => verdict === "young"),
        unread: wholes.filter((whole) => "problem" in whole).filter(({ gone }) => !gone),
        unsent: entries.filter(
            ({ mark }) =>
                options.ids.length === 0 &&
                ![...judged, ...knowledge.state.resources].some((known) => known.mark === mark),
        ),
    };
}

function isOfStack(urn: string, { project, stack }: StackIdentity): boolean {
    const owner = parseUrn(urn);
    return owner?.stack === stack && owner.project === project;
}

/** For a state without resources. */
async function identityAtHand(shell: Shell, stack: string | undefined): Promise<StackIdentity> {
    const parts = stack?.split("/") ?? [];
    const project = parts.length === 3 ? parts[1] : findProject(shell.cwd)?.name;
    if (project === undefined) {
        throw new CommandError(
            `The state is empty, and ${shell.cwd} is in no Pulumi project: which project's objects are meant is not known. Run ` +
                "this in the project's folder, or give --stack as organization/project/stack.",
        );
    }
    return { project, stack: parts.at(-1) ?? (await pulumi(shell, "stack", "--show-name")).trim() };
}
