/**
 * Sends the POST of a create. After a lost answer, it searches for the object until no request can still be accepted; only then is
 * the POST sent a second time. A POST that was surely not processed is sent again by `api/requester.ts`.
 */
import {
    ApiError,
    acceptanceMs,
    Deadline,
    isSameId,
    MalformedAnswerError,
    maxPosts,
    searchPausesMs,
    unlessAborted,
} from "../api";
import { digestOfTitle } from "../evidence/digest";
import type { Found } from "../evidence/lists";
import { createBody } from "../inputs/properties";
import { LifecycleError, messageOf, messages } from "../messages";
import type { Operation } from "../operation/operation";
import { type Create, inDoubt } from "./create";
import { forgetCreates } from "./ledger";
import { foundOf } from "./search";

/** @throws {PartialFailure} where an object may have been created. */
export async function post(create: Create) {
    const { subject, entry } = create;
    const { handled } = create.decision;
    const { operation, requests, resource } = subject;
    // A create under way is never cut off: its answer is the object's id.
    const options = { ...subject.options, deadline: subject.deadline };
    const object = entry.kind.toLowerCase();
    const unconfirmed = (error: unknown) =>
        inDoubt(messages.createUnknown({ object, error: messageOf(error) }), subject, entry, handled);
    const body = createBody(resource.definition, subject.inputs, entry.marker ?? "");
    for (let posts = 1; ; posts++) {
        let failure: ApiError;
        try {
            const answer = unlessAborted(requests.post(body, options), operation.answerNow);
            const found = foundOf(requests, await answer);
            if (isAnswerTo(create, found) && !create.isManaged(found.id)) return await taken(create, found);
            const other = `${entry.kind} ${found.id}`;
            failure = new MalformedAnswerError(messages.answeredTwice({ object: other }), { outcome: "ambiguous" });
        } catch (error) {
            const isRefused = error instanceof ApiError || error instanceof LifecycleError;
            if (error instanceof ApiError && error.outcome === "ambiguous") failure = error;
            // With the reason of `answerNow` the process is about to end, and nobody knows what became of the POST.
            else if (isRefused && error !== operation.answerNow.reason) {
                // This POST was refused, and an earlier one can no longer be accepted: `searchUntilCertain` has waited for that.
                await forgetCreates(operation.services.journal, [entry.nonce]);
                throw error;
            } else throw unconfirmed(error);
        }
        const found = await searchUntilCertain(create, failure).catch((error: unknown) => {
            // The error of a search that ran out of time does not name the first failure.
            throw unconfirmed(`${failure.message} ${messageOf(error)}`);
        });
        if (found !== undefined) return taken(create, found);
        const reason = messages.attemptsFailed({ attempts: posts, object, error: failure.message });
        if (posts === maxPosts) throw inDoubt(reason, subject, entry, handled);
    }
}

/** Claims the object at once: two answers of the same moment may name one object. The id is in memory even if the disk fails. */
async function taken({ subject, entry }: Create, found: Found): Promise<Found> {
    const { claims, journal } = subject.operation.services;
    claims.claim(found.id, entry.urn);
    await journal.note(entry.nonce, { id: found.id }).catch(() => undefined);
    return found;
}

/**
 * Whether the answer may name the new object. A marker decides by its nonce. An object without one must not have been listed before, and must
 * have the title that was sent, unless the answer shows no title or no metadata.
 */
function isAnswerTo({ subject, entry, listed }: Create, { id, marker, object }: Found): boolean {
    if (marker !== undefined) return marker.nonce === entry.nonce;
    if (listed.some((item) => isSameId(subject.requests.idOf(item), id))) return false;
    return (
        object.metadata === undefined || object.title === undefined || digestOfTitle(object.title) === entry.titleDigest
    );
}

/** Searches for the object of a lost answer, at once and in growing pauses, until it would surely be listed. */
async function searchUntilCertain(create: Create, { status }: ApiError) {
    const { subject, entry, search } = create;
    const { operation, deadline } = subject;
    const object = entry.kind.toLowerCase();
    const until = new Deadline(operation.services.clock, acceptanceMs);
    const why = `${status === undefined ? "no answer" : `HTTP ${status}`}; checking whether the ${object} was created`;
    for (let searches = 0; ; searches++) {
        const isLast = until.passed;
        try {
            const [found, ...copies] = (await search.findOf(entry)).own;
            // No later create would know of the copies: this create ends with its object in the state.
            if (copies.length > 0)
                operation.warn(messages.madeAgain({ objects: copies.map(({ id }) => id).join(", ") }));
            if (found !== undefined || isLast) {
                operation.progress(found === undefined ? "not found" : "found again");
                return found;
            }
        } catch (error) {
            operation.signal.throwIfAborted();
            // Without one complete search at the end, nothing may be sent again.
            if (isLast) throw error;
        }
        await pause(operation, until, why, deadline, searchPausesMs[searches] ?? Math.max(...searchPausesMs));
    }
}

/**
 * Waits until no POST that was sent at or before `since` can be accepted any more. The POST of an earlier run was sent before this process began,
 * so its time counts from that moment.
 */
export async function waitForLateAcceptance(
    operation: Operation,
    since: number,
    why: string,
    deadline?: Deadline,
): Promise<void> {
    const { clock, startedAt } = operation.services;
    const sentAgoMs = since < startedAt.now ? clock.monotonic() - startedAt.monotonic : 0;
    const end = new Deadline(clock, acceptanceMs - sentAgoMs);
    while (!end.passed) await pause(operation, end, why, deadline);
}

/** One step of a wait; the row shows the time that is left. */
async function pause(
    { services: { clock }, progress, signal }: Operation,
    end: Deadline,
    why: string,
    deadline?: Deadline,
    ms = 5_000,
): Promise<void> {
    if (deadline?.passed) throw new LifecycleError(messages.createTimedOut());
    progress(`${why} (${Math.ceil(end.left / 1000)} s left)`);
    await clock.sleep(Math.min(end.left, deadline?.left ?? end.left, ms), signal);
}
