/** The emulated service's objects, by environment. Reading and changing one costs one Map lookup. */
import type { contentFields, livestreamFields, PlainRecord } from "./plainFields";
import type { MetadataPair, PlaybackPolicy, SubtitleCreate, WatermarkCreate } from "./requests";

/** The outcome of a source: something to play, or the reason why not. */
export type SourceOutcome =
    | {
          readonly playable: true;
          readonly durationMs: number;
          /** Width and height as shown, e.g. "1280x720". */
          readonly resolution: string;
          /** Name of the stored file in the media folder; null when sources are not fetched. */
          readonly file: string | null;
      }
    | { readonly playable: false; readonly reason: string };

export interface Subtitle extends SubtitleCreate {
    uuid: string;
    /** Epoch ms. */
    createdOn: number;
}

/** The fields of both kinds of objects; all JSON, for the state file. */
interface ObjectBase {
    environmentId: number;
    title: string;
    description: string;
    tags: string[];
    metadata: MetadataPair[];
    playbackPolicy: PlaybackPolicy;
    /** Epoch ms. */
    createdOn: number;
}

export interface ContentRecord extends ObjectBase, PlainRecord<typeof contentFields> {
    /** Always text here; the variant `idShape: "number"` only shows it as a number. */
    contentId: string;
    /** URLs of the sources: never shown by the service itself. */
    sourceUrls: string[];
    watermark: WatermarkCreate[];
    subtitle: Subtitle[];
    /** The least time that processing takes; null for ever. */
    processingMs: number | null;
    /** The outcome of fetching and checking the source; null while these are under way. */
    outcome: SourceOutcome | null;
    /** Second of the video that the thumbnail shows; null for the service's choice. */
    thumbnailAtSec: number | null;
    /** The source of a clip; null for other contents. */
    clip: { contentId: string; startTime: number; endTime: number } | null;
    /** A status set from outside, which ends all processing. */
    statusOverride: { status: string; reason: string | null } | null;
}

export interface LivestreamRecord extends ObjectBase, PlainRecord<typeof livestreamFields> {
    streamUUID: string;
    region: string;
    record: boolean;
    recordingsPlaybackPolicy: PlaybackPolicy;
    streamKey: string;
    /** Idle, Active, Failed… ("Deleting" follows from `goneAt`). */
    status: string;
    /** Epoch ms at which a deleted livestream ceases to exist; null while it is not deleted. */
    goneAt: number | null;
}

/** A signing key's public part, as `GET /signing-keys` shows it. */
export interface SigningKey {
    id: number;
    /** 1 Video, 2 Data, 3 System. */
    productTypeId: number;
    environmentId: number;
    signingKeyId: string;
    /** Epoch ms. */
    createdOn: number;
    /** An e-mail address. */
    createdBy: string;
}

/** One change to the store, complete in itself: the state file is a sequence of these. */
export type Change =
    | { readonly content: ContentRecord }
    | { readonly contentDeleted: { readonly environmentId: number; readonly id: string } }
    | { readonly livestream: LivestreamRecord }
    | { readonly livestreamDeleted: { readonly environmentId: number; readonly id: string } }
    | { readonly signingKey: SigningKey };

interface Environment {
    readonly contents: Map<string, ContentRecord>;
    readonly livestreams: Map<string, LivestreamRecord>;
    readonly signingKeys: Map<string, SigningKey>;
    /** The last id that was given out in sequence. */
    lastId: number;
}

export class Store {
    readonly #environments = new Map<number, Environment>();
    /** The functions that are called after each change, before the answer to the request that made it. */
    readonly observers: ((change: Change) => void)[] = [];

    environment(id: number): Environment {
        let environment = this.#environments.get(id);
        if (environment === undefined) {
            environment = { contents: new Map(), livestreams: new Map(), signingKeys: new Map(), lastId: 0 };
            this.#environments.set(id, environment);
        }
        return environment;
    }

    /** Makes a change, whether a request asks for it, a test from outside, or the state file at start. */
    apply(change: Change): void {
        this.#change(change);
        for (const observe of this.observers) observe(change);
    }

    #change(change: Change): void {
        if ("content" in change) {
            const { content } = change;
            this.environment(content.environmentId).contents.set(content.contentId, content);
        } else if ("livestream" in change) {
            const { livestream } = change;
            this.environment(livestream.environmentId).livestreams.set(livestream.streamUUID, livestream);
        } else if ("signingKey" in change) {
            const { signingKey } = change;
            this.environment(signingKey.environmentId).signingKeys.set(signingKey.signingKeyId, signingKey);
        } else if ("contentDeleted" in change) {
            const { environmentId, id } = change.contentDeleted;
            this.environment(environmentId).contents.delete(id);
        } else {
            const { environmentId, id } = change.livestreamDeleted;
            this.environment(environmentId).livestreams.delete(id);
        }
    }

    /** The contents of one environment, or of all, oldest first. */
    contents(environmentId?: number): ContentRecord[] {
        return this.#select(environmentId).flatMap((environment) => [...environment.contents.values()]);
    }

    /** The livestreams of one environment, or of all, oldest first. Deletes those whose deletion has ended. */
    livestreams(now: number, environmentId?: number): LivestreamRecord[] {
        return this.#select(environmentId).flatMap((environment) =>
            [...environment.livestreams.values()].filter((stream) => !this.#forgetIfGone(stream, now)),
        );
    }

    signingKeys(environmentId?: number): SigningKey[] {
        return this.#select(environmentId).flatMap((environment) => [...environment.signingKeys.values()]);
    }

    livestream(environmentId: number, streamUUID: string, now: number): LivestreamRecord | undefined {
        const stream = this.environment(environmentId).livestreams.get(streamUUID);
        return stream === undefined || this.#forgetIfGone(stream, now) ? undefined : stream;
    }

    /** Finds an object by id alone, for the parts of the emulator that know no environment. */
    findContent(contentId: string): ContentRecord | undefined {
        for (const { contents } of this.#environments.values()) {
            const content = contents.get(contentId);
            if (content !== undefined) return content;
        }
        return undefined;
    }

    findLivestream(streamUUID: string, now: number): LivestreamRecord | undefined {
        for (const id of this.#environments.keys()) {
            const stream = this.livestream(id, streamUUID, now);
            if (stream !== undefined) return stream;
        }
        return undefined;
    }

    clear(): void {
        for (const content of this.contents())
            this.apply({ contentDeleted: { environmentId: content.environmentId, id: content.contentId } });
        for (const stream of this.livestreams(0))
            this.apply({ livestreamDeleted: { environmentId: stream.environmentId, id: stream.streamUUID } });
    }

    #select(environmentId: number | undefined): Environment[] {
        return environmentId === undefined ? [...this.#environments.values()] : [this.environment(environmentId)];
    }

    #forgetIfGone(stream: LivestreamRecord, now: number): boolean {
        if (stream.goneAt === null || now < stream.goneAt) return false;
        this.apply({ livestreamDeleted: { environmentId: stream.environmentId, id: stream.streamUUID } });
        return true;
    }
}
