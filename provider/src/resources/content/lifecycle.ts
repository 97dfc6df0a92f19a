/** On-demand videos: created from a URL, waited for until Ready, updated, replaced, read and deleted. */
import * as z from "zod";
import { type ContentCreate, type ContentObject, type ContentUpdate, Deadline, type VideographApi } from "../../api";
import { endPending, removeAbandoned } from "../../lifecycle/create/abandoned";
import { createOnce, type Made } from "../../lifecycle/create/createOnce";
import { markIn, markKey, visible } from "../../lifecycle/create/marker";
import type { Kind } from "../../lifecycle/create/search";
import {
    type Difference,
    type Lifecycle,
    LifecycleError,
    messageOf,
    type Operation,
    PartialFailure,
    type Properties,
} from "../../lifecycle/resource";
import { patiently } from "../../lifecycle/state/consistencyGrace";
import { inputDifference, refuseReplacement } from "../../lifecycle/state/difference";
import { type Meta, metaOf, stateVersion } from "../../lifecycle/state/hidden";
import { bringUpToDate, type Target, takeOver, updateInPlace } from "../../lifecycle/state/inPlace";
import {
    changedInputs,
    importable,
    inputsIn,
    observedInputs,
    type PropertyTable,
} from "../../lifecycle/state/properties";
import { readRecorded, unlessMissing } from "../../lifecycle/state/readManaged";
import { redactorFor } from "../../lifecycle/state/secrets";
import { pathText, problemsOf, someText, webAddress } from "../../lifecycle/state/validate";
import { statusProgress } from "../../lifecycle/wait/progress";
import { isFailed, isLeaving, isReady } from "../../lifecycle/wait/status";
import { Vanished } from "../../lifecycle/wait/watcher";

const createTimeout = 60 * 60_000;
const updateTimeout = 60 * 60_000;
const deleteTimeout = 5 * 60_000;

const schema = z.strictObject({
    title: someText(),
    content: z
        .array(z.strictObject({ url: webAddress() }))
        .min(1, "must have at least one source")
        .optional(),
    playbackPolicy: z
        .array(z.enum(["public", "signed"]))
        .min(1, 'must name "public", "signed" or both')
        .optional(),
    description: z.string().optional(),
    tags: z.array(someText()).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    mp4Support: z.boolean().optional(),
    saveOriginalCopy: z.boolean().optional(),
    testVideo: z.boolean().optional(),
    watermark: z
        .array(
            z.strictObject({
                url: webAddress(),
                xPos: someText().optional(),
                yPos: someText().optional(),
                opacity: z.union([z.number(), someText()], "must be a number or text").optional(),
            }),
        )
        .optional(),
    subtitle: z
        .array(
            z.strictObject({
                url: webAddress(),
                name: someText().optional(),
                languageCode: someText().optional(),
                supportClosedCaptions: z.boolean().optional(),
            }),
        )
        .optional(),
    waitForReady: z.boolean().optional(),
    sourceVersion: someText().optional(),
    importId: someText().optional(),
});

export const contentTable: PropertyTable = {
    title: { changes: "inPlace" },
    description: { changes: "inPlace", empty: "" },
    tags: { changes: "inPlace", empty: [], unordered: true },
    metadata: { changes: "inPlace", empty: {} },
    saveOriginalCopy: { changes: "inPlace", empty: false },
    content: { changes: "createOnly", readable: false },
    playbackPolicy: { changes: "createOnly", unordered: true },
    mp4Support: { changes: "createOnly" },
    testVideo: { changes: "createOnly" },
    watermark: { changes: "createOnly", readable: false },
    subtitle: { changes: "createOnly", readable: false },
    sourceVersion: { changes: "local" },
    waitForReady: { changes: "local" },
    importId: { changes: "local" },
};

const computed = ["status", "playbackUrl", "thumbnailUrl", "duration", "resolution", "createdOn"] as const;

const kind: (api: VideographApi) => Kind<ContentObject> = (api) => ({
    name: "Content",
    idOf: ({ contentId }) => contentId,
    get: (id, options) => api.getContent(id, options),
    list: (options) => api.contents(options),
    remove: (id, options) => api.deleteContent(id, options),
});

export const content: Lifecycle = {
    check(news, olds) {
        const inputs = { ...news };
        // The default belongs to what is created here; an object that was taken over keeps its own policy.
        const unmanaged = inputs.importId !== undefined || (olds !== undefined && olds.playbackPolicy === undefined);
        if (!unmanaged) inputs.playbackPolicy ??= ["public"];
        const problems = problemsOf(schema, inputs);
        if (
            inputs.content === undefined &&
            inputs.importId === undefined &&
            (olds === undefined || olds.content !== undefined)
        ) {
            problems.push(
                "content is required: at least one source, such as [{ url }] (or importId, to take over an existing content)",
            );
        }
        problems.push(...commonProblems(inputs, olds));
        return { inputs, problems };
    },

    inputs: Object.keys(contentTable),

    diff({ id, olds, news }, row) {
        const difference = contentDifference(id, olds, news);
        if (difference.kind === "replace") return difference;
        if (isFailed(text(olds.status))) {
            refuseReplacement(news, ["status Failed"]);
            row.info(`Content ${id} has Failed: it will be replaced.`);
            return { kind: "replace", because: ["status"] };
        }
        if (difference.kind !== "none") return difference;
        // Also where a refresh has cleared the engine's memory of a failed wait (L4).
        return isUnfinished(olds, news) ? { kind: "update", because: ["status"] } : difference;
    },

    async create(inputs, operation) {
        const deadline = Deadline.after(operation.environment.clock, operation.timeouts.create ?? createTimeout);
        if (typeof inputs.importId === "string") return adopt(inputs.importId, inputs, operation, deadline);
        const made = await post(inputs, operation);
        const { mark, unseen } = made;
        const meta: Meta = { v: stateVersion, env: operation.environment.api.fingerprint, mark, unseen };
        return keeping(made.id, inputs, made.object, meta, operation, async () => {
            if (made.found) await bringUpToDate(target(made.id, inputs, operation), inputs, made.object);
            const object =
                inputs.waitForReady === false
                    ? made.object
                    : await untilReady(made.object, inputs, operation, deadline, !made.found);
            if (object !== made.object) meta.unseen = undefined;
            await made.settle();
            return object;
        });
    },

    async read(id, olds, operation) {
        const { get } = target(id, olds, operation);
        const object = await readRecorded(`Content ${id}`, olds, operation, get);
        if (object === undefined || isLeaving(object.status)) return undefined;
        const seen = visible(object);
        const inputs = observedInputs(contentTable, olds, seen, { complete: isReady(seen.status) });
        const meta: Meta = { ...metaOf(olds), env: operation.environment.api.fingerprint, unseen: undefined };
        return { inputs, outputs: outputs(inputs, seen, olds, meta) };
    },

    async find(id, operation) {
        const object = await unlessMissing(() =>
            operation.environment.api.getContent(id, { signal: operation.signal }),
        );
        if (object === undefined) return undefined;
        return {
            inputs: importable(contentTable, visible(object)),
            outputs: recordOf(object, operation.environment.api.fingerprint),
        };
    },

    async update(id, olds, news, operation) {
        const { clock, api } = operation.environment;
        const deadline = Deadline.after(clock, operation.timeouts.update ?? updateTimeout);
        await removeAbandoned(operation, kind(api), metaOf(olds).mark);
        const updated = await updateInPlace(target(id, { ...olds, ...news }, operation), olds, news, operation);
        // Without a request nothing was seen under today's credentials.
        const meta: Meta = {
            ...metaOf(olds),
            ...(updated !== undefined && { env: api.fingerprint, unseen: undefined }),
        };
        const last = updated ?? seenBefore(id, olds);
        if (!isUnfinished({ status: last.status }, news)) return outputs(news, last, olds, meta);
        const kept = await keeping(
            id,
            news,
            last,
            meta,
            operation,
            async () => {
                const object = await untilReady(last, news, operation, deadline);
                meta.unseen = undefined;
                return object;
            },
            olds,
        );
        return kept.outputs;
    },

    async delete(id, olds, operation) {
        const { api, clock, trust } = operation.environment;
        const meta = metaOf(olds);
        const options = {
            signal: operation.signal,
            deadline: Deadline.after(clock, operation.timeouts.delete ?? deleteTimeout),
            redactor: redactorFor(olds),
        };
        // Under other credentials the object is looked at first: another environment may use the same id.
        const present =
            trust.isCurrent(meta.env) ||
            (await readRecorded(`Content ${id}`, olds, operation, () => api.getContent(id, options)));
        if (present) await unlessMissing(() => patiently(olds, operation, () => api.deleteContent(id, options)));
        await endPending(operation, kind(api), meta.mark);
    },
};

/** The state of an existing object that nothing manages yet: every input that the service tells. */
export function recordOf(object: ContentObject, fingerprint: string): Properties {
    const seen = visible(object);
    const mark = markIn(object.metadata);
    return outputs(inputsIn(contentTable, { ...seen }), seen, {}, { v: stateVersion, env: fingerprint, mark });
}

/** Problems that both kinds of object can have. */
export function commonProblems(inputs: Properties, olds: Properties | undefined): string[] {
    const problems: string[] = [];
    const { metadata, importId } = inputs;
    if (typeof metadata === "object" && metadata !== null && markKey in metadata) {
        problems.push(
            `${pathText(["metadata", markKey])} is reserved: it tells which stack manages the object. Use another key`,
        );
    }
    if (importId !== undefined && olds?.importId !== undefined && importId !== olds.importId) {
        problems.push(
            "importId cannot be changed to another id: restore it, or take it out and declare a second resource",
        );
    }
    return problems;
}

function contentDifference(id: string, olds: Properties, news: Properties): Difference {
    const { local, createOnly } = changedInputs(contentTable, olds, news);
    // A presigned source changes at every run: with `sourceVersion`, that alone tells whether the video is another one.
    const versioned = news.sourceVersion !== undefined;
    const newVersion = versioned && olds.sourceVersion !== undefined && local.includes("sourceVersion");
    if (newVersion) {
        refuseReplacement(news, ["sourceVersion"]);
        const others = createOnly.filter((name) => name !== "content");
        return { kind: "replace", because: ["sourceVersion", ...others] };
    }
    const compared =
        versioned && olds.content !== undefined && news.content !== undefined
            ? { ...olds, content: news.content }
            : olds;
    return inputDifference(contentTable, id, compared, news);
}

function isUnfinished(olds: Properties, news: Properties): boolean {
    return news.waitForReady !== false && !isReady(text(olds.status));
}

async function post(inputs: Properties, operation: Operation): Promise<Made<ContentObject>> {
    const { api } = operation.environment;
    const redactor = redactorFor(inputs);
    const { importId: _i, sourceVersion: _s, waitForReady: _w, ...sent } = inputsIn(contentTable, inputs);
    return createOnce(operation, {
        kind: kind(api),
        title: String(inputs.title),
        shape: Object.entries(contentTable).map(
            ([name, { changes }]) => changes === "createOnly" && (inputs[name] ?? null),
        ),
        // A POST under way is never cut off: its answer is the object's id.
        post: (mark) =>
            api.createContent(
                { ...sent, metadata: { ...(sent.metadata ?? {}), [markKey]: mark } } as unknown as ContentCreate,
                {
                    redactor,
                    unlessSent: operation.signal,
                },
            ),
        options: { signal: operation.signal, redactor },
    });
}

async function adopt(id: string, inputs: Properties, operation: Operation, deadline: Deadline) {
    const { api } = operation.environment;
    const object = await takeOver(target(id, inputs, operation), inputs, operation);
    if (isFailed(object.status)) {
        throw new LifecycleError(`importId: ${failureText(object)} It cannot be taken over.`);
    }
    const meta: Meta = { v: stateVersion, env: api.fingerprint, mark: markIn(object.metadata) };
    return keeping(id, inputs, object, meta, operation, async () =>
        isUnfinished({ status: object.status }, inputs) ? untilReady(object, inputs, operation, deadline) : object,
    );
}

async function untilReady(
    { contentId, status }: ContentObject,
    inputs: Properties,
    operation: Operation,
    deadline: Deadline,
    fresh = false,
): Promise<ContentObject> {
    const { watcher, parallelismHint, clock } = operation.environment;
    const onStatus = statusProgress(operation, clock);
    if (status !== undefined) onStatus(status);
    const object = await parallelismHint.during(operation, () =>
        watcher.untilSettled(contentId, {
            signal: operation.signal,
            deadline,
            fresh,
            redactor: redactorFor(inputs),
            onStatus,
        }),
    );
    if (isFailed(object.status)) throw new FailedContent(object);
    return object;
}

/** Whatever happens from here on, the object's id and outputs are kept (L4). */
async function keeping(
    id: string,
    inputs: Properties,
    known: ContentObject,
    meta: Meta,
    operation: Operation,
    finish: () => Promise<ContentObject>,
    prior: Properties = {},
): Promise<{ id: string; outputs: Properties }> {
    try {
        return { id, outputs: outputs(inputs, await finish(), prior, meta) };
    } catch (error) {
        const last = error instanceof FailedContent ? error.object : known;
        // Those say themselves what to do.
        const advice =
            error instanceof FailedContent || error instanceof Vanished
                ? ""
                : " The content is kept; the next `pulumi up` goes on waiting for it.";
        const reason = operation.signal.aborted ? `Interrupted before content ${id} was Ready.` : messageOf(error);
        throw new PartialFailure(id, outputs(inputs, last, prior, meta), reason + advice);
    }
}

/** The service could not make a video of the source (L3). */
class FailedContent extends LifecycleError {
    readonly object: ContentObject;

    constructor(object: ContentObject) {
        super(
            `${failureText(object)} Mend the source (it must be publicly reachable, and an MP4, MOV or M4V video), then run ` +
                "`pulumi up`: it replaces the content. `pulumi destroy` removes it.",
        );
        this.object = object;
    }
}

function failureText({ contentId, status, reason }: ContentObject): string {
    const why = reason === undefined ? "the service gave no reason" : reason.replace(/[.\s]+$/, "");
    return `Content ${contentId} has the status ${status ?? "Failed"}: ${why}.`;
}

function target(id: string, bag: Properties, operation: Operation): Target<ContentObject> {
    const { api } = operation.environment;
    const options = { signal: operation.signal, redactor: redactorFor(bag) };
    return {
        table: contentTable,
        what: `Content ${id}`,
        id,
        get: () => api.getContent(id, options),
        put: (body) => api.updateContent(id, body as unknown as ContentUpdate, options),
    };
}

/** Inputs, what the service computed (an absent value is as it was), and what we remember. */
function outputs(inputs: Properties, object: ContentObject, prior: Properties, meta: Meta): Properties {
    const service = Object.fromEntries(computed.map((name) => [name, object[name] ?? prior[name]]));
    return { ...inputsIn(contentTable, inputs), ...service, __meta: meta };
}

/** The object as the outputs remember it. */
function seenBefore(id: string, olds: Properties): ContentObject {
    const status = text(olds.status);
    return { contentId: id, ...(status !== undefined && { status }) };
}

function text(value: unknown): string | undefined {
    return typeof value === "string" ? value : undefined;
}
