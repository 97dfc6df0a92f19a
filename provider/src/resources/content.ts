/** On-demand videos: created from a URL, and waited for until they are Ready. */
import type { ContentObject } from "../api";
import { isFailed, isReady } from "../api/status";
import { contentDefinition } from "../definitions/content";
import { wireBody } from "../definitions/definition";
import { ManagedLifecycle } from "../lifecycle/managed";
import { advice, append, type Message, messageFrom, messages } from "../messages";
import type { Operation } from "../operation/operation";
import type { Resource } from "../operation/subject";
import type { WaitOptions } from "../wait/schedule";
import { untilSettled, Vanished } from "../wait/untilSettled";

const minute = 60_000;

export const contentTimeouts = { create: 60 * minute, update: 60 * minute, delete: 5 * minute };

export const content = new ManagedLifecycle<ContentObject>({
    definition: contentDefinition,
    timeouts: contentTimeouts,

    requests: (api) => ({
        ...api.contents,
        // `inputs/ownRequests.ts` decides which content needs these two requests, and `lifecycle/complete.ts` sends them.
        setSubtitle(id, value, options) {
            // A create accepts a subtitle without some of the four fields. This request is refused without all four.
            const whole = { name: value.languageCode, supportClosedCaptions: false, ...value };
            const [body] = wireBody(contentDefinition.inputs.shape, { subtitle: [whole] }).subtitle as [object];
            return api.setPart(id, "subtitles", body, options);
        },
        async setThumbnail(id, value, options) {
            const { thumbnail } = wireBody(contentDefinition.inputs.shape, { thumbnail: value });
            await api.setPart(id, "thumbnails", thumbnail as object, options);
            return api.contents.get(id, options);
        },
    }),

    problems: ({ thumbnail, waitForReady }) =>
        thumbnail !== undefined && waitForReady === false ? [messages.thumbnailTooEarly()] : [],

    ...untilReady(messages.contentFailed),
});

/**
 * What videos and clips have in common: the wait until the object is ready, and the statuses that end it. `failed` is the message about an object
 * that has Failed.
 */
export function untilReady(failed: (what: Record<"id" | "status" | "reason", string>) => Message) {
    return {
        phase(id, object) {
            const status = typeof object.status === "string" ? object.status : "unknown";
            if (isReady(status)) return { is: "ready" };
            if (!isFailed(status)) return { is: "pending", note: messages.contentAwaited({ id, status }) };
            const reason = reasonOf(object);
            const problem = failed({ id, status, reason });
            return { is: "failed", note: messages.contentReplaced({ id }), status: `${status} (${reason})`, problem };
        },

        wait({ status }, { id, isNew, operation, deadline, redactor }) {
            const { progress: onStatus, services } = operation;
            if (status !== undefined) onStatus(status);
            return untilSettled(services.schedule, id, { deadline, fresh: isNew, redactor, onStatus });
        },

        failure(id, error, { signal }) {
            if (error instanceof Vanished) return error.message;
            const reason = signal.aborted ? messages.contentInterrupted({ id }) : messageFrom(error);
            return append(reason, advice.awaited);
        },
    } satisfies Partial<Resource<ContentObject>>;
}

/** Waits for a content that another resource manages. The messages show no URL of that content: this run may not know that the URL is a secret. */
export function waitForOther(
    id: string,
    { services }: Operation,
    options: Pick<WaitOptions, "deadline" | "onStatus">,
): Promise<ContentObject> {
    const { claims, secrets, schedule } = services;
    const redactor = secrets.redactorFor(contentDefinition, [claims.propertiesOf(id) ?? {}], { everyUrl: true });
    return untilSettled(schedule, id, { ...options, redactor });
}

export function reasonOf({ reason }: Pick<ContentObject, "reason">): string {
    return reason === undefined ? "no reason given" : reason.replace(/[.\s]+$/, "");
}
