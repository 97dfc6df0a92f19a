/** Clips: contents that the service cuts from another content, their source. The service refuses a source that is not Ready. */
import { AuthenticationError, type ContentObject } from "../api";
import { isFailed, isReady } from "../api/status";
import { clipDefinition } from "../definitions/clip";
import { hasUnknown, type Properties } from "../inputs/values";
import { ManagedLifecycle } from "../lifecycle/managed";
import { LifecycleError, type Message, messageOf, messages } from "../messages";
import { contentTimeouts, reasonOf, untilReady, waitForOther } from "./content";

export const clip = new ManagedLifecycle<ContentObject>({
    definition: clipDefinition,
    timeouts: contentTimeouts,

    requests: (api) => ({
        ...api.contents,
        post: (body, options) => {
            const { contentId, ...clip } = body as Properties;
            return api.createClip(String(contentId), clip, options);
        },
    }),

    ...untilReady(messages.clipFailed),
    problems(inputs, { id, propertiesOf }) {
        const { contentId, startTime, endTime, importId } = inputs;
        const problems: Message[] = [];
        if (typeof startTime === "number" && typeof endTime === "number" && startTime >= endTime)
            problems.push(messages.badInput({ property: "endTime", expected: "after startTime" }));
        if (typeof contentId !== "string" || hasUnknown(contentId)) return problems;
        if (contentId === importId || contentId === id) problems.push(messages.clipOfItself());
        const source = propertiesOf?.(contentId);
        if (source === undefined && propertiesOf?.(contentId, true) !== undefined)
            problems.push(messages.badInput({ property: "contentId", expected: idOfContent }));
        return [...problems, ...problemsOfEnd(inputs, source ?? {})];
    },

    async beforeCreate({ inputs, operation, deadline }) {
        const onStatus = (status: string) => operation.progress(`its source is ${status}`);
        const wait = waitForOther(String(inputs.contentId), operation, { deadline, onStatus });
        const source = await wait.catch((error: unknown) => {
            if (error instanceof AuthenticationError || operation.signal.aborted) throw error;
            throw new LifecycleError(messages.sourceNotReady({ error: messageOf(error) }));
        });
        if (isFailed(source.status)) {
            const { contentId: id, status = "" } = source;
            throw new LifecycleError(messages.sourceFailed({ id, status, reason: reasonOf(source) }));
        }
        const [problem] = problemsOfEnd(inputs, { ...source });
        if (problem !== undefined) throw new LifecycleError(problem);
    },
});

const idOfContent = "the id of a content, such as trailer.id, and not of a livestream";

/** The problem of a clip that would end after its source. There is none before the source is Ready, because its duration may still grow. */
function problemsOfEnd({ endTime }: Properties, { status, duration }: Properties): Message[] {
    const isBeyond = typeof endTime === "number" && typeof duration === "number" && endTime * 1000 > duration;
    if (!isBeyond || !isReady(status)) return [];
    const expected = `at most ${duration / 1000}, the duration of the content in seconds`;
    return [messages.badInput({ property: "endTime", expected })];
}
