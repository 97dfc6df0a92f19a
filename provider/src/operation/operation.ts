/** What is handed from function to function while a call of the engine runs. */
import { type Clock, Deadline, type Random, type VideographApi } from "../api";
import type { Journal } from "../evidence/journal";
import type { JournalEntry } from "../evidence/journalFile";
import type { Found, Lists, Reading } from "../evidence/lists";
import type { Nonces } from "../evidence/marker";
import type { Properties, Timeouts } from "../inputs/values";
import { advice, LifecycleError, type Message, type Reporter } from "../messages";
import type { KnownSecrets } from "../secretValues/known";
import type { Schedule } from "../wait/schedule";
import type { NotFoundTrust } from "./notFound";
import type { ObjectClaims } from "./objectClaims";
import type { OwnState, UnfinishedCreate } from "./ownState";
import type { UserDecision } from "./userDecision";

/** What all operations of a process share: the client of the service, and what this process knows of the service's objects. */
export interface Services {
    api: VideographApi;
    clock: Clock;
    random: Random;
    journal: Journal;
    ownState: Pick<OwnState, "of" | "holderOf" | "skipsCheckpoints">;
    trust: NotFoundTrust;
    schedule: Schedule;
    claims: ObjectClaims;
    secrets: KnownSecrets;
    /** Reads the lists of the service, once for all creates that look for a lost object at the same time. */
    lists: Lists;
    /** What the user has said in `VIDEOGRAPH_UNRECORDED` about objects that the state does not have. */
    userDecision: UserDecision;
    /** The nonces of the unfinished creates that this run has decided on: their objects were adopted, deleted or left alone. */
    handledThisRun: Nonces;
    /** When this process began, by the wall clock and by the monotonic clock. Any POST of an earlier run was sent before that. */
    startedAt: { now: number; monotonic: number };
}

/** One create, read, update or delete, or one call of a function. */
export interface Operation extends Reporter {
    services: Services;
    /** The `customTimeouts` of the user. */
    timeouts: Timeouts;
    /** Aborted when the process has to end: every wait stops, and the answer still holds all that is known by then. */
    signal: AbortSignal;
    /** Aborted when the answer has to leave now: a POST under way is given up, and nobody knows whether the service accepts it. */
    answerNow: AbortSignal;
    /** A random text that the engine records before it calls a create. After a kill the state still has it, and a later run can find the object by it. */
    attempt?: string | undefined;
    /**
     * For an entry of a library: the earlier creates that may have made its object, the objects that were made for the entry, and the ids of the objects
     * that the library has deleted or released.
     */
    library?: {
        creates: readonly UnfinishedCreate[];
        known: Reading<Found>;
        left: ReadonlySet<string>;
    };
    /** For an entry of a library: the URN of the library. */
    libraryUrn?: string | undefined;
    /** The journal entries of the creates in this operation. They are closed when the answer leaves. */
    openedEntries: JournalEntry[];
    /** Called as soon as the object of a create exists, before the wait until it is Ready. */
    onMade?(): void;
}

/** The end of the time for the operation: the limit that the user has set, or else the limit of the kind. */
export function deadlineOf(
    { services, timeouts }: Operation,
    limit: keyof Timeouts,
    defaults: Record<keyof Timeouts, number>,
): Deadline {
    const option = limit === "delete" ? advice.moreTimeToDelete : advice.moreTime;
    return new Deadline(services.clock, timeouts[limit] ?? defaults[limit], option);
}

/** A failure after which the object exists, or may exist. The engine records the id and the outputs of this error, so the next run can go on (L4). */
export class PartialFailure extends LifecycleError {
    constructor(
        readonly id: string,
        readonly outputs: Properties,
        reason: Message,
    ) {
        super(reason);
    }
}
