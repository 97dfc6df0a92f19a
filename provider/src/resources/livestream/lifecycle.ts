/** Live streams: created, updated, replaced, read, and deleted until they are really gone. */
import * as z from "zod";
import {
    ApiError,
    consistencyGraceMs,
    Deadline,
    type LivestreamCreate,
    type LivestreamObject,
    type LivestreamUpdate,
    NotFoundError,
    type VideographApi,
} from "../../api";
import { endPending, removeAbandoned } from "../../lifecycle/create/abandoned";
import { createOnce } from "../../lifecycle/create/createOnce";
import { markIn, markKey, visible } from "../../lifecycle/create/marker";
import type { Kind } from "../../lifecycle/create/search";
import { type Lifecycle, messageOf, type Operation, PartialFailure, type Properties } from "../../lifecycle/resource";
import { patiently } from "../../lifecycle/state/consistencyGrace";
import { inputDifference } from "../../lifecycle/state/difference";
import { type Meta, metaOf, stateVersion, timedOut } from "../../lifecycle/state/hidden";
import { bringUpToDate, type Target, takeOver, updateInPlace } from "../../lifecycle/state/inPlace";
import { importable, inputsIn, observedInputs, type PropertyTable } from "../../lifecycle/state/properties";
import { readRecorded, unlessMissing } from "../../lifecycle/state/readManaged";
import { redactorFor } from "../../lifecycle/state/secrets";
import { problemsOf, someText } from "../../lifecycle/state/validate";
import { statusProgress } from "../../lifecycle/wait/progress";
import { isLeaving } from "../../lifecycle/wait/status";
import { commonProblems } from "../content/lifecycle";

const deleteTimeout = 60_000;

const policy = z
    .array(z.enum(["public", "signed"]))
    .min(1, 'must name "public", "signed" or both')
    .optional();

const schema = z.strictObject({
    title: someText(),
    region: someText(),
    record: z.boolean().optional(),
    description: z.string().optional(),
    dvrDurationInMins: z.int("must be a whole number of minutes").min(0, "must not be negative").optional(),
    tags: z.array(someText()).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    playbackPolicy: policy,
    recordingsPlaybackPolicy: policy,
    importId: someText().optional(),
});

export const livestreamTable: PropertyTable = {
    title: { changes: "inPlace" },
    description: { changes: "inPlace", empty: "" },
    tags: { changes: "inPlace", empty: [], unordered: true },
    dvrDurationInMins: { changes: "inPlace", empty: 0 },
    metadata: { changes: "inPlace", empty: {} },
    region: { changes: "createOnly" },
    record: { changes: "createOnly" },
    playbackPolicy: { changes: "createOnly", unordered: true },
    recordingsPlaybackPolicy: { changes: "createOnly", unordered: true },
    importId: { changes: "local" },
};

const computed = ["status", "streamKey", "rtmpUrl", "rtmpsUrl", "playbackUrl", "createdOn"] as const;

const kind: (api: VideographApi, record: boolean) => Kind<LivestreamObject> = (api, record) => ({
    name: "Livestream",
    idOf: ({ streamUUID }) => streamUUID,
    get: (id, options) => api.getLivestream(id, options),
    async *list(options, anyShape) {
        yield* api.livestreams({ record }, options);
        if (anyShape) yield* api.livestreams({ record: !record }, options);
    },
    remove: async (id, options) => {
        await api.deleteLivestream(id, options);
    },
});

export const livestream: Lifecycle = {
    check(news, olds, defaults) {
        const inputs = { ...news };
        const created = inputs.importId === undefined;
        // A default acts at creation only: another default later, or an object that was taken over, changes nothing.
        if (created && (olds === undefined || olds.record !== undefined)) inputs.record ??= false;
        if (olds === undefined ? created : olds.region !== undefined) inputs.region ??= olds?.region ?? defaults.region;
        if (inputs.region === undefined) delete inputs.region;
        const required = created && (olds === undefined || olds.region !== undefined);
        const problems = problemsOf(required ? schema : schema.partial({ region: true }), inputs).map((problem) =>
            problem === "region is required"
                ? `${problem}: name it here, in videograph:region or in VIDEOGRAPH_REGION`
                : problem,
        );
        problems.push(...commonProblems(inputs, olds));
        return { inputs, problems };
    },

    inputs: Object.keys(livestreamTable),

    diff({ id, olds, news }) {
        const difference = inputDifference(livestreamTable, id, olds, news);
        if (difference.kind !== "none" || !metaOf(olds).unfinished) return difference;
        return { kind: "update", because: ["status"] };
    },

    async create(inputs, operation) {
        const { api } = operation.environment;
        if (typeof inputs.importId === "string") return adopt(inputs.importId, inputs, operation);
        const redactor = redactorFor(inputs);
        const { importId: _, ...sent } = inputsIn(livestreamTable, inputs);
        const made = await createOnce(operation, {
            kind: kind(api, inputs.record === true),
            title: String(inputs.title),
            shape: Object.entries(livestreamTable).map(
                ([name, { changes }]) => changes === "createOnly" && (inputs[name] ?? null),
            ),
            // A POST under way is never cut off: its answer is the object's id.
            post: (mark) =>
                api.createLivestream(
                    { ...sent, metadata: { ...(sent.metadata ?? {}), [markKey]: mark } } as unknown as LivestreamCreate,
                    {
                        redactor,
                        unlessSent: operation.signal,
                    },
                ),
            options: { signal: operation.signal, redactor },
        });
        const { mark, unseen } = made;
        const meta: Meta = { v: stateVersion, env: api.fingerprint, mark, unseen };
        return keeping(made.id, inputs, made.object, meta, operation, async () => {
            if (made.found) await bringUpToDate(target(made.id, inputs, operation), inputs, made.object);
            const object = isComplete(made.object)
                ? made.object
                : await appeared(target(made.id, inputs, operation), operation);
            if (object !== made.object) meta.unseen = undefined;
            await made.settle();
            return { ...made.object, ...object };
        });
    },

    async read(id, olds, operation) {
        const { get } = target(id, olds, operation);
        const object = await readRecorded(`Livestream ${id}`, olds, operation, get);
        if (object === undefined || isLeaving(object.status)) return undefined;
        const seen = visible(object);
        const inputs = observedInputs(livestreamTable, olds, seen, { complete: true });
        const meta: Meta = {
            ...metaOf(olds),
            env: operation.environment.api.fingerprint,
            unfinished: undefined,
            unseen: undefined,
        };
        return { inputs, outputs: outputs(inputs, seen, olds, meta) };
    },

    async find(id, operation) {
        const object = await unlessMissing(() =>
            operation.environment.api.getLivestream(id, { signal: operation.signal }),
        );
        if (object === undefined) return undefined;
        return {
            inputs: importable(livestreamTable, visible(object)),
            outputs: recordOf(object, operation.environment.api.fingerprint),
        };
    },

    async update(id, olds, news, operation) {
        const { api } = operation.environment;
        const mine = target(id, { ...olds, ...news }, operation);
        await removeAbandoned(operation, kind(api, true), metaOf(olds).mark);
        const updated = await updateInPlace(mine, olds, news, operation);
        const unfinished = metaOf(olds).unfinished === true;
        const meta: Meta = {
            ...metaOf(olds),
            unfinished: undefined,
            ...(updated !== undefined && { env: api.fingerprint, unseen: undefined }),
        };
        const known = updated ?? { streamUUID: id };
        if (!unfinished) return outputs(news, known, olds, meta);
        const finish = async () => {
            const object = await appeared(mine, operation);
            meta.unseen = undefined;
            return object;
        };
        const kept = await keeping(id, news, known, meta, operation, finish, olds);
        return kept.outputs;
    },

    async delete(id, olds, operation) {
        const { api, clock, trust, watcher } = operation.environment;
        const meta = metaOf(olds);
        const limit = operation.timeouts.delete ?? deleteTimeout;
        const deadline = Deadline.after(clock, limit);
        const options = { signal: operation.signal, deadline, redactor: redactorFor(olds) };
        const get = () => api.getLivestream(id, options);
        // Under other credentials the object is looked at first: another environment may use the same id.
        const present = trust.isCurrent(meta.env) || (await readRecorded(`Livestream ${id}`, olds, operation, get));
        if (present && (await requestDelete(id, olds, operation, options))) {
            const onStatus = statusProgress(operation, clock);
            const gone = await watcher.untilGone(id, { ...options, fresh: true, onStatus });
            if (!gone)
                operation.warn(
                    `Livestream ${id} is still being deleted by the service: ${timedOut("delete", limit)}. It is taken as deleted.`,
                );
        }
        await endPending(operation, kind(api, true), meta.mark);
    },
};

/** The state of an existing object that nothing manages yet: every input that the service tells. */
export function recordOf(object: LivestreamObject, fingerprint: string): Properties {
    const seen = visible(object);
    const mark = markIn(object.metadata);
    return outputs(inputsIn(livestreamTable, { ...seen }), seen, {}, { v: stateVersion, env: fingerprint, mark });
}

/** False when it is gone already. A refusal counts for nothing while the object is on its way out. */
async function requestDelete(
    id: string,
    olds: Properties,
    operation: Operation,
    options: Parameters<VideographApi["deleteLivestream"]>[1],
): Promise<boolean> {
    const { api } = operation.environment;
    try {
        await patiently(olds, operation, () => api.deleteLivestream(id, options));
        return true;
    } catch (error) {
        if (error instanceof NotFoundError) return false;
        if (!(error instanceof ApiError) || error.outcome !== "refused") throw error;
        const object = await unlessMissing(() => api.getLivestream(id, options));
        if (object === undefined) return false;
        if (!isLeaving(object.status)) throw error;
        return true;
    }
}

async function adopt(id: string, inputs: Properties, operation: Operation) {
    const object = await takeOver(target(id, inputs, operation), inputs, operation);
    const meta: Meta = { v: stateVersion, env: operation.environment.api.fingerprint, mark: markIn(object.metadata) };
    return { id, outputs: outputs(inputs, object, {}, meta) };
}

/** Whether an answer tells all that a broadcaster needs; nobody says what the answer to a create holds. */
function isComplete({ streamKey, rtmpUrl, playbackUrl }: LivestreamObject): boolean {
    return streamKey !== undefined && rtmpUrl !== undefined && playbackUrl !== undefined;
}

/** Reads a livestream that was created a moment ago. */
async function appeared({ get }: Target<LivestreamObject>, operation: Operation): Promise<LivestreamObject> {
    const { clock } = operation.environment;
    const until = Deadline.after(clock, consistencyGraceMs);
    for (;;) {
        try {
            return await get();
        } catch (error) {
            if (!(error instanceof NotFoundError) || until.passed) throw error;
            await clock.sleep(1_000, operation.signal);
        }
    }
}

/** Whatever happens from here on, the object's id and outputs are kept (L4). */
async function keeping(
    id: string,
    inputs: Properties,
    known: LivestreamObject,
    meta: Meta,
    operation: Operation,
    finish: () => Promise<LivestreamObject>,
    prior: Properties = {},
): Promise<{ id: string; outputs: Properties }> {
    try {
        return { id, outputs: outputs(inputs, await finish(), prior, meta) };
    } catch (error) {
        const why = operation.signal.aborted ? "the run was interrupted." : messageOf(error);
        throw new PartialFailure(
            id,
            outputs(inputs, known, prior, { ...meta, unfinished: true }),
            `Livestream ${id} was created, but could not be read afterwards: ${why} It is kept; the next \`pulumi up\` goes on with it.`,
        );
    }
}

function target(id: string, bag: Properties, operation: Operation): Target<LivestreamObject> {
    const { api } = operation.environment;
    const options = { signal: operation.signal, redactor: redactorFor(bag) };
    return {
        table: livestreamTable,
        what: `Livestream ${id}`,
        id,
        get: () => api.getLivestream(id, options),
        put: (body) => api.updateLivestream(id, body as unknown as LivestreamUpdate, options),
    };
}

/** Inputs, what the service computed (an absent value is as it was), and what we remember. */
function outputs(inputs: Properties, object: LivestreamObject, prior: Properties, meta: Meta): Properties {
    const service = Object.fromEntries(computed.map((name) => [name, object[name] ?? prior[name]]));
    return { ...inputsIn(livestreamTable, inputs), ...service, __meta: meta };
}
