/**
 * Sends the POST of a create. If its answer is lost, the object is searched for until the service can no longer accept the request. Only then is the
 * POST sent a second time: sooner, it could make a second object. (A POST that was surely not processed is sent again by `api/requester.ts`.)
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

/** Sends the POST, and returns the object that it has made. @throws {PartialFailure} where an object may have been created. */
export async function post(create: Create) {
    const { subject, entry } = create;
    const { handled } = create.decision;
    const { operation, requests, resource } = subject;
    // The deadline ends repetitions alone. A POST under way is not cut off, because its answer has the object's id.
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
            // The reason of `answerNow` is no refusal: the process is about to end, and nobody knows what became of the POST under way.
            else if (isRefused && error !== operation.answerNow.reason) {
                // The service has refused this POST, and can no longer accept an earlier one: `searchUntilCertain` has waited for that.
                await forgetCreates(operation.services.journal, [entry.nonce]);
                throw error;
            } else throw unconfirmed(error);
        }
        const found = await searchUntilCertain(create, failure).catch((error: unknown) => {
            // The message needs both: why the search failed, and why the create had to search.
            throw unconfirmed(`${failure.message} ${messageOf(error)}`);
        });
        if (found !== undefined) return taken(create, found);
        const reason = messages.attemptsFailed({ attempts: posts, object, error: failure.message });
        if (posts === maxPosts) throw inDoubt(reason, subject, entry, handled);
    }
}

/** Claims the object before anything else: two answers of the same moment may name one object, and only one create may take it. */
async function taken({ subject, entry }: Create, found: Found): Promise<Found> {
    const { claims, journal } = subject.operation.services;
    claims.claim(found.id, entry.urn);
    await journal.note(entry.nonce, { id: found.id }).catch(() => undefined);
    return found;
}

/**
 * Whether the answer may name the new object: a broken service or proxy may answer with another object. The nonce in the marker decides. Where the
 * answer shows no marker, the object must not have been listed before this run created anything, and must have the title that was sent.
 */
function isAnswerTo({ subject, entry, listed }: Create, { id, marker, object }: Found): boolean {
    if (marker !== undefined) return marker.nonce === entry.nonce;
    if (listed.some((item) => isSameId(subject.requests.idOf(item), id))) return false;
    return (
        object.metadata === undefined || object.title === undefined || digestOfTitle(object.title) === entry.titleDigest
    );
}

/** Searches for the object of a lost answer, at once and in growing pauses, until an object that exists would surely be listed. */
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
            // A proxy may have repeated the POST. This create ends well, so no later create would ask about the copies: the user has to know them.
            if (copies.length > 0)
                operation.warn(messages.madeAgain({ objects: copies.map(({ id }) => id).join(", ") }));
            if (found !== undefined || isLast) {
                operation.progress(found === undefined ? "not found" : "found again");
                return found;
            }
        } catch (error) {
            operation.signal.throwIfAborted();
            // A failed search is repeated, unless it is the last. After a failed last search, the POST must not be sent again.
            if (isLast) throw error;
        }
        await pause(operation, until, why, deadline, searchPausesMs[searches] ?? Math.max(...searchPausesMs));
    }
}

/**
 * Waits until the service can no longer accept a POST that was sent at `since`. A POST of an earlier run was sent before this process began, whatever
 * the clock of its machine said: for such a POST, the wait counts from the beginning of this process.
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

/** One step of a wait. The resource's row shows the time that is left. */
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
