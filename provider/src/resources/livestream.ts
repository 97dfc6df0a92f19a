/** Live streams: read again where the answer to the create was incomplete, and followed until they no longer exist. */
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

    // It is undocumented whether the answer to a create has these outputs, and a broadcaster needs all: a livestream without one is read again.
    phase(id, { streamKey, rtmpUrl, playbackUrl }, meta) {
        const isWhole = [streamKey, rtmpUrl, playbackUrl].every((output) => output !== undefined);
        const isRead = meta?.unseenSince === undefined;
        return isWhole || isRead ? { is: "ready" } : { is: "pending", note: messages.livestreamReadLater({ id }) };
    },

    // If the object counts as deleted, one more GET throws the error.
    wait: async (_object, subject, meta) => (await subject.readRecorded({ __meta: meta })) ?? subject.get(),

    failure(id, error, { signal }) {
        const reason = signal.aborted ? messages.interrupted() : messageOf(error);
        return messages.livestreamUnread({ id, error: reason });
    },

    async afterDelete({ id, operation, deadline, redactor }) {
        const { signal, progress, services } = operation;
        const { api, clock } = services;
        const since = clock.monotonic();
        let shown: string | undefined;
        for (let isLast = false; !isLast; ) {
            await clock.sleep(Math.min(pauseAfter(clock.monotonic() - since), deadline.left), signal);
            // A last read is made after the deadline, with a separate time limit: the machine may have slept.
            isLast = deadline.passed;
            const limit = isLast ? new Deadline(clock, lastReadMs) : deadline;
            const call = api.livestreams.get(id, { signal, redactor, deadline: limit });
            const status = await call.then(({ status = "unknown" }) => status, statusAfter);
            // The row of a deleted object does not say `Deleting`.
            if (status?.toLowerCase() === "deleted") return progress("gone");
            if (status !== undefined && status !== shown) progress(status);
            shown = status ?? shown;
            signal.throwIfAborted();
        }
        const limit = operation.timeouts.delete ?? timeouts.delete;
        operation.warn(messages.livestreamLeaving({ id, time: durationText(limit) }));
    },
});

/** What a failed request shows of a livestream that is being deleted: nothing, unless it is gone. */
function statusAfter(error: unknown): string | undefined {
    if (error instanceof NotFoundError) return "deleted";
    if (error instanceof PermissionError) throw error;
    return undefined;
}
