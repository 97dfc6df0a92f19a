/**
 * Livestreams. The answer to a create may lack outputs: then the livestream is read again. After a delete, the livestream is watched until it is
 * gone.
 */
import { Deadline, type LivestreamObject, lastReadMs, NotFoundError, PermissionError } from "../api";
import { livestreamDefinition } from "../definitions/livestream";
import { durationText } from "../inputs/duration";
import { ManagedLifecycle } from "../lifecycle/managed";
import { messageOf, messages } from "../messages";
import { pauseAfter } from "../wait/schedule";

const minute = 60_000;
const timeouts = { create: 60 * minute, update: 60 * minute, delete: minute };

export const livestream = new ManagedLifecycle<LivestreamObject>({
    definition: livestreamDefinition,
    timeouts,

    requests: (api) => api.livestreams,

    // No documentation says whether the answer to a create has these three outputs. Without them a program has nothing to broadcast to, so a
    // livestream without them is read again.
    phase(id, { streamKey, rtmpUrl, playbackUrl }, meta) {
        const isWhole = [streamKey, rtmpUrl, playbackUrl].every((output) => output !== undefined);
        const isRead = meta?.unseenSince === undefined;
        return isWhole || isRead ? { is: "ready" } : { is: "pending", note: messages.livestreamReadLater({ id }) };
    },

    // A wait for a deleted livestream has to fail. `readRecorded` returns `undefined` for it, and the second GET throws the error.
    wait: async (_object, subject, meta) => (await subject.readRecorded({ __meta: meta })) ?? subject.get(),

    failure(id, error, { signal }) {
        const reason = signal.aborted ? messages.interrupted() : messageOf(error);
        return messages.livestreamUnread({ id, error: reason });
    },

    async afterDelete({ id, operation, deadline, redactor }) {
        const { signal, progress, services } = operation;
        const { api, clock } = services;
        const since = clock.monotonic();
        for (let isLast = false; !isLast; ) {
            await clock.sleep(Math.min(pauseAfter(clock.monotonic() - since), deadline.left), signal);
            // The machine may have slept past the deadline. Without a last read, a livestream that is long gone would be reported as still there.
            isLast = deadline.passed;
            const limit = isLast ? new Deadline(clock, lastReadMs) : deadline;
            const call = api.livestreams.get(id, { signal, redactor, deadline: limit });
            const status = await call.then(({ status = "unknown" }) => status, statusAfter);
            // Without this line, the last status that the row shows for a deleted livestream would be `Deleting`.
            if (status?.toLowerCase() === "deleted") return progress("gone");
            if (status !== undefined) progress(status);
            signal.throwIfAborted();
        }
        const limit = operation.timeouts.delete ?? timeouts.delete;
        operation.warn(messages.livestreamLeaving({ id, time: durationText(limit) }));
    },
});

/** The status that a failed GET proves: a 404 says that the livestream is deleted, a 503 says nothing. */
function statusAfter(error: unknown): string | undefined {
    if (error instanceof NotFoundError) return "deleted";
    if (error instanceof PermissionError) throw error;
    return undefined;
}
