/** The dependencies of one operation on a resource. */
import { type Clock, Deadline, type Random, type VideographApi } from "../api";
import type { Journal } from "../evidence/journal";
import type { JournalEntry } from "../evidence/journalFile";
import type { Known, Lists } from "../evidence/lists";
import type { Nonces } from "../evidence/marker";
import type { Properties, Timeouts } from "../inputs/values";
import { advice, LifecycleError, type Message, type Reporter } from "../messages";
import type { KnownSecrets } from "../secretValues/known";
import type { Watcher } from "../wait/watcher";
import type { NotFoundTrust } from "./notFound";
import type { ObjectClaims } from "./objectClaims";
import type { OwnState, UnfinishedCreate } from "./ownState";
import type { UserDecision } from "./userDecision";

/** The services that all operations of a run share: the client with its credentials, and this process's knowledge of the service's objects. */
export interface Services {
    api: VideographApi;
    clock: Clock;
    random: Random;
    journal: Journal;
    ownState: Pick<OwnState, "of" | "holderOf" | "skipsCheckpoints">;
    trust: NotFoundTrust;
    watcher: Watcher;
    claims: ObjectClaims;
    secrets: KnownSecrets;
    /** The lists that searches for lost creates share. */
    lists: Lists;
    /** The user's decision about objects that the state does not have: `VIDEOGRAPH_UNRECORDED`. */
    userDecision: UserDecision;
    /** The nonces of the unfinished creates that this run has handled. */
    handledThisRun: Nonces;
    /** The time when this process began, on both clocks. */
    startedAt: { now: number; monotonic: number };
}

/** The context of one create, read, update or delete. */
export interface Operation extends Reporter {
    services: Services;
    /** The time limits that the user has set. */
    timeouts: Timeouts;
    /** The signal that the process has to end: every wait stops, and every known fact is kept. */
    signal: AbortSignal;
    /** The signal that the answer has to leave now: a request under way is given up, and is in doubt. */
    answerNow: AbortSignal;
    /** Random text that the engine records with the operation: a create that never ends keeps it in the state. */
    attempt?: string | undefined;
    /** For an entry of a library: the earlier creates that may have made its object, all objects that were made for it, and the ids that have left. */
    library?: {
        creates: readonly UnfinishedCreate[];
        known: Known;
        left: ReadonlySet<string>;
    };
    /** The URN of the library whose entry this is about. */
    libraryUrn?: string | undefined;
    /** The journal entries of its creates, which are closed when its answer leaves. */
    openedEntries: JournalEntry[];
    /** Runs as soon as the object of a create exists, before the wait for it. */
    onMade?(): void;
}

/** The end of the operation's time: the user's limit, or the kind's. */
export function deadlineOf(
    { services, timeouts }: Operation,
    limit: keyof Timeouts,
    defaults: Record<keyof Timeouts, number>,
): Deadline {
    const option = limit === "delete" ? advice.moreTimeToDelete : advice.moreTime;
    return new Deadline(services.clock, timeouts[limit] ?? defaults[limit], option);
}

/** The failure of an operation whose object exists, or may exist, but is not as requested. It carries the id and outputs: nothing is lost (L4). */
export class PartialFailure extends LifecycleError {
    constructor(
        readonly id: string,
        readonly outputs: Properties,
        reason: Message,
    ) {
        super(reason);
    }
}
