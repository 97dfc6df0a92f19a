/** Reads and changes the emulated objects from outside the API, as other users of the dashboard do. */
import { contentState, newContent } from "./contents";
import type { Context } from "./context";
import { ServiceError } from "./http";
import { livestreamStatus, newLivestream } from "./livestreams";
import type { contentFields } from "./plainFields";
import { contentCreate, livestreamCreate } from "./requestSchemas";
import type { ContentCreate, LivestreamCreate } from "./requests";
import { unfetched } from "./sourceQueue";
import type { ContentRecord, LivestreamRecord, SigningKey } from "./store";
import { check } from "./validate";

/** A content, with its state at the time of the call. */
export interface ContentSnapshot extends ContentRecord {
    status: string;
    /** The reason why it Failed; null otherwise. */
    failureReason: string | null;
    /** The duration in ms; 0 until Ready. */
    durationMs: number;
    /** The resolution; empty until Ready. */
    resolution: string;
}

/** A livestream at the time of the call; `status` is "Deleting" while its deletion goes on. */
export type LivestreamSnapshot = LivestreamRecord;

/** The fields of a content that can be changed from outside. */
export type ContentChange = Partial<
    Pick<
        ContentRecord,
        "title" | "description" | "tags" | "metadata" | "playbackPolicy" | "clip" | keyof typeof contentFields
    >
>;

/** The fields of a livestream that can be changed from outside. */
export type LivestreamChange = Partial<Omit<LivestreamRecord, "streamUUID" | "environmentId" | "createdOn" | "goneAt">>;

export class OutsideAccess {
    constructor(protected readonly context: Context) {}

    /** Contents of one environment, or of all, oldest first, even those that the service's lists do not show. */
    contents(environmentId?: number): ContentSnapshot[] {
        return this.context.store.contents(environmentId).map((content) => this.#snapshot(content));
    }

    /** One content of any environment. */
    content(contentId: string): ContentSnapshot | undefined {
        const content = this.context.store.findContent(contentId);
        return content && this.#snapshot(content);
    }

    /** Adds a content as another user would; environment 1 by default. Without `content` it is Ready at once. */
    addContent(create: Partial<ContentCreate> & Pick<ContentCreate, "title">, environmentId = 1): ContentSnapshot {
        const { context } = this;
        const content = create.content ?? [{ url: "https://media.example.com/added-from-outside.mp4" }];
        const given = { playback_policy: ["public"], ...create, content };
        const body: ContentCreate = check(contentCreate, given, "content");
        const added = newContent(context, environmentId, body);
        if (create.content === undefined) return this.#keep({ ...added, outcome: unfetched });
        const kept = this.#keep({ ...added, processingMs: context.processingTimeMs(body) });
        context.process(added);
        return kept;
    }

    /** Changes a content as another user would. Throws when it does not exist. */
    updateContent(contentId: string, change: ContentChange): ContentSnapshot {
        return this.#keep({ ...this.#existing(contentId), ...structuredClone(change) });
    }

    /** Sets a content's status, which ends its processing: Ready, Failed, or anything else. */
    setContentStatus(contentId: string, status: string, reason?: string): ContentSnapshot {
        return this.#keep({ ...this.#existing(contentId), statusOverride: { status, reason: reason ?? null } });
    }

    /** Deletes a content as another user would. Throws when it does not exist. */
    deleteContent(contentId: string): void {
        const { environmentId } = this.#existing(contentId);
        this.context.store.apply({ contentDeleted: { environmentId, id: contentId } });
    }

    /** Livestreams of one environment, or of all, oldest first. */
    livestreams(environmentId?: number): LivestreamSnapshot[] {
        return this.context.store.livestreams(this.context.now(), environmentId).map(streamSnapshot);
    }

    livestream(streamUUID: string): LivestreamSnapshot | undefined {
        const livestream = this.context.store.findLivestream(streamUUID, this.context.now());
        return livestream && streamSnapshot(livestream);
    }

    /** Adds a livestream as another user would; environment 1 by default. */
    addLivestream(
        create: Partial<LivestreamCreate> & Pick<LivestreamCreate, "title">,
        environmentId = 1,
    ): LivestreamSnapshot {
        const body = check(livestreamCreate, { region: "us-east-1", record: false, ...create }, "livestream");
        return this.#keepStream(newLivestream(this.context, environmentId, body));
    }

    /** Changes a livestream, its `status` included. Throws when it does not exist. */
    updateLivestream(streamUUID: string, change: LivestreamChange): LivestreamSnapshot {
        return this.#keepStream({ ...this.#existingStream(streamUUID), ...structuredClone(change) });
    }

    /** Removes a livestream at once. Throws when it does not exist. */
    deleteLivestream(streamUUID: string): void {
        const { environmentId } = this.#existingStream(streamUUID);
        this.context.store.apply({ livestreamDeleted: { environmentId, id: streamUUID } });
    }

    signingKeys(environmentId?: number): SigningKey[] {
        return structuredClone(this.context.store.signingKeys(environmentId));
    }

    /** Adds a signing key; fields that are left out are made up. */
    addSigningKey(key: Partial<SigningKey> = {}): SigningKey {
        const number = this.context.store.signingKeys().length + 1;
        const signingKey: SigningKey = {
            id: 10_000 + number,
            productTypeId: 1,
            environmentId: 1,
            signingKeyId: `added-signing-key-${number}`,
            createdOn: this.context.now(),
            createdBy: "owner@example.com",
            ...key,
        };
        this.context.store.apply({ signingKey });
        return { ...signingKey };
    }

    #existing(contentId: string): ContentRecord {
        return this.context.store.findContent(contentId) ?? throwMissing("content", contentId);
    }

    #existingStream(streamUUID: string): LivestreamRecord {
        const stream = this.context.store.findLivestream(streamUUID, this.context.now());
        return stream ?? throwMissing("livestream", streamUUID);
    }

    #keep(content: ContentRecord): ContentSnapshot {
        this.context.store.apply({ content });
        return this.#snapshot(content);
    }

    #keepStream(livestream: LivestreamRecord): LivestreamSnapshot {
        this.context.store.apply({ livestream });
        return streamSnapshot(livestream);
    }

    #snapshot(content: ContentRecord): ContentSnapshot {
        const { status, reason, durationMs, resolution } = contentState(this.context, content);
        return structuredClone({ ...content, status, failureReason: reason, durationMs, resolution });
    }
}

function streamSnapshot(livestream: LivestreamRecord): LivestreamSnapshot {
    return structuredClone({ ...livestream, status: livestreamStatus(livestream) });
}

function throwMissing(what: string, id: string): never {
    throw new ServiceError(404, `The emulator has no ${what} ${id}`);
}
