/** Looking at and changing the emulated objects from outside the API, as the dashboard's other users do. */
import { contentState, newContent, parseContentCreate } from "./contents";
import type { Context } from "./context";
import type { ContentSnapshot, Emulator, LivestreamSnapshot } from "./emulator";
import { livestreamStatus, newLivestream, parseLivestreamCreate } from "./livestreams";
import type { SourceOutcome } from "./source";
import type { ContentRecord, LivestreamRecord, SigningKey } from "./store";

type FromOutside = Pick<
    Emulator,
    | "contents"
    | "content"
    | "addContent"
    | "updateContent"
    | "setContentStatus"
    | "deleteContent"
    | "livestreams"
    | "livestream"
    | "addLivestream"
    | "updateLivestream"
    | "deleteLivestream"
    | "signingKeys"
    | "addSigningKey"
>;

/** `pretended` is the outcome of contents that are added without a source. */
export function fromOutside(context: Context, pretended: SourceOutcome): FromOutside {
    const { store, now } = context;

    const snapshot = (content: ContentRecord): ContentSnapshot => {
        const { status, reason, durationMs, resolution } = contentState(context, content);
        return structuredClone({ ...content, status, failureReason: reason, durationMs, resolution });
    };
    const existing = (id: string) => store.findContent(id) ?? missing("content", id);
    const keep = (content: ContentRecord) => {
        store.apply({ content });
        return snapshot(content);
    };

    const streamSnapshot = (livestream: LivestreamRecord): LivestreamSnapshot =>
        structuredClone({ ...livestream, status: livestreamStatus(livestream) });
    const existingStream = (id: string) => store.findLivestream(id, now()) ?? missing("livestream", id);
    const keepStream = (livestream: LivestreamRecord) => {
        store.apply({ livestream });
        return streamSnapshot(livestream);
    };

    return {
        contents: (environmentId) => store.contents(environmentId).map(snapshot),
        content: (id) => {
            const content = store.findContent(id);
            return content && snapshot(content);
        },
        addContent: (create, environmentId = 1) => {
            const content = create.content ?? [{ url: "https://media.example.com/added-from-outside.mp4" }];
            const body = parseContentCreate({ playback_policy: ["public"], ...create, content });
            const added = newContent(context, environmentId, body);
            if (create.content === undefined) {
                return keep({ ...added, outcome: pretended, outcomeAt: added.createdOn });
            }
            const kept = keep({ ...added, processingMs: context.processingTimeMs(body) });
            context.process(added);
            return kept;
        },
        updateContent: (id, change) => keep({ ...existing(id), ...structuredClone(change) }),
        setContentStatus: (id, status, reason) => keep({ ...existing(id), fixed: { status, reason: reason ?? null } }),
        deleteContent: (id) => store.apply({ contentDeleted: { environmentId: existing(id).environmentId, id } }),

        livestreams: (environmentId) => store.livestreams(now(), environmentId).map(streamSnapshot),
        livestream: (id) => {
            const livestream = store.findLivestream(id, now());
            return livestream && streamSnapshot(livestream);
        },
        addLivestream: (create, environmentId = 1) => {
            const body = parseLivestreamCreate({ region: "us-east-1", record: false, ...create });
            return keepStream(newLivestream(context, environmentId, body));
        },
        updateLivestream: (id, change) => keepStream({ ...existingStream(id), ...structuredClone(change) }),
        deleteLivestream: (id) =>
            store.apply({ livestreamDeleted: { environmentId: existingStream(id).environmentId, id } }),

        signingKeys: (environmentId) => structuredClone(store.signingKeys(environmentId)),
        addSigningKey: (key = {}) => {
            const number = store.signingKeys().length + 1;
            const signingKey: SigningKey = {
                id: 10_000 + number,
                productTypeId: 1,
                environmentId: 1,
                signingKeyId: `added-signing-key-${number}`,
                createdOn: now(),
                createdBy: "owner@example.com",
                ...key,
            };
            store.apply({ signingKey });
            return { ...signingKey };
        },
    };
}

function missing(what: string, id: string): never {
    throw new Error(`The emulator has no ${what} ${id}`);
}
