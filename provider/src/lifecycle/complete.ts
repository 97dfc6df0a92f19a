/** The steps after a create, an adoption or an update, until the object is as declared. After a failure the state keeps what is known by then. */
import { ApiError } from "../api";
import type { Definition } from "../definitions/definition";
import { readMarker } from "../evidence/marker";
import { withoutUnsent } from "../inputs/ownRequests";
import { appliedInputs, inputsIn } from "../inputs/properties";
import type { Properties } from "../inputs/values";
import { LifecycleError, messageFrom, messageOf, messages } from "../messages";
import { PartialFailure } from "../operation/operation";
import { type Draft, isWaitDue, type Subject } from "../operation/subject";
import { WaitTimeout } from "../wait/untilSettled";

/** Runs `update` if there is one, waits until the object is ready, and sends the requests that are still due. Returns the outputs. */
export async function completeObject(
    subject: Subject,
    draft: Draft,
    update?: () => Promise<unknown>,
): Promise<Properties> {
    const { id, olds, inputs } = subject;
    const { definition } = subject.resource;
    let applied = inputs;
    try {
        if (update !== undefined) {
            // If the update fails, the state must not say that the object has the declared inputs: no later update would send them.
            applied = appliedInputs(definition.inputs.shape, inputs, draft.object);
            await update().catch((error: unknown) => {
                throw new LifecycleError(messages.notUpdated({ object: subject.label, error: messageOf(error) }));
            });
            applied = inputs;
        }
        await wait(subject, draft);
        await sendOwnRequests(subject, draft);
    } catch (error) {
        throw new PartialFailure(id, outputsOf(definition, draft, applied, olds), messageFrom(error));
    }
    return outputsOf(definition, draft, inputs, olds);
}

/** The outputs: the inputs that the object has, its computed values, and `__meta`. A value that the answer lacks stays as recorded. */
export function outputsOf(
    { inputs: { shape: fields }, outputs }: Definition,
    { object, unsentRequests = [], meta: __meta }: Draft,
    inputs: Properties,
    olds: Properties = {},
): Properties {
    const actual = object as Properties;
    const all = inputsIn(fields, withoutUnsent(inputs, unsentRequests));
    for (const name in outputs.shape) all[name] = actual[name] ?? olds[name];
    return Object.assign(all, { __meta });
}

async function wait(subject: Subject, draft: Draft): Promise<void> {
    const { object, meta } = draft;
    const { id, inputs, operation, resource } = subject;
    if (!isWaitDue(resource.phase(id, object, meta), inputs)) return;
    const seen = await resource.wait(object, subject, meta).catch((error: unknown) => {
        if (error instanceof WaitTimeout && error.lastStatus !== undefined) meta.unseenSince = undefined;
        throw new LifecycleError(resource.failure(id, error, operation));
    });
    draft.object = { ...object, ...seen };
    if (subject.isNew && seen.metadata !== undefined && readMarker(seen.metadata) === undefined)
        operation.warn(messages.markerNotKept());
    draft.meta = { ...meta, unseenSince: undefined };
    const phase = resource.phase(id, draft.object, draft.meta);
    if (phase.is === "failed") throw new LifecycleError(phase.problem);
}

/** Sends one request after the other. If one fails, the state says which inputs were sent, and the next update sends the rest. */
async function sendOwnRequests(
    { id, label: object, operation: { signal }, redactor, requests }: Subject,
    draft: Draft,
): Promise<void> {
    const options = { signal, redactor };
    const { unsentRequests = [] } = draft;
    for (const [index, due] of unsentRequests.entries()) {
        const { input, value, what } = due;
        try {
            signal.throwIfAborted();
            if (input === "subtitle") await requests.setSubtitle?.(id, value, options);
            else draft.object = { ...draft.object, ...(await requests.setThumbnail?.(id, value, options)) };
        } catch (error) {
            const { status = "unknown" } = draft.object;
            const failed = { object, item: what, error: messageOf(error) };
            const isRefused = input === "subtitle" && error instanceof ApiError && error.outcome === "refused";
            throw new LifecycleError(
                isRefused ? messages.itemRefused({ ...failed, status, input }) : messages.itemNotSet(failed),
            );
        }
        draft.unsentRequests = unsentRequests.slice(index + 1);
    }
}
