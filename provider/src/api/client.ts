import type { Clock, Random } from "./clock";
import type {
    ContentCreate,
    ContentObject,
    ContentUpdate,
    LivestreamCreate,
    LivestreamObject,
    LivestreamUpdate,
    SigningKey,
} from "./model";
import type { Redactor } from "./redact";
import type { Transport } from "./transport";

export interface VideographApiOptions {
    baseUrl: string;
    accessTokenId: string;
    secretKey: string;
    transport?: Transport;
    clock?: Clock;
    random?: Random;
    userAgent?: string;
}

export interface CallOptions {
    signal?: AbortSignal | undefined;
    /** When to give up, in ms since the epoch; 2 minutes after the first request by default. */
    deadline?: number | undefined;
    /** The secrets of the resource at hand; the credentials are always taken out. */
    redactor?: Redactor | undefined;
}

/** One page of a list. */
export interface Page<T> {
    items: T[];
    /** The `Date` header, in ms since the epoch: the service's clock, to the second. */
    serverTime?: number;
}

export interface Created<T> {
    object: T;
    /** When the request that succeeded was sent, in ms since the epoch of this machine. */
    sentAt: number;
}

export class VideographApi {
    readonly fingerprint: string;
    constructor(_options: VideographApiOptions) {
        this.fingerprint = "";
    }
    createContent(_body: ContentCreate, _options?: CallOptions): Promise<Created<ContentObject>> {
        throw new Error("not yet");
    }
    getContent(_id: string, _options?: CallOptions): Promise<ContentObject> {
        throw new Error("not yet");
    }
    updateContent(_id: string, _body: ContentUpdate, _options?: CallOptions): Promise<ContentObject | undefined> {
        throw new Error("not yet");
    }
    deleteContent(_id: string, _options?: CallOptions): Promise<void> {
        throw new Error("not yet");
    }
    contents(_options?: CallOptions): AsyncIterable<Page<ContentObject>> {
        throw new Error("not yet");
    }
    createLivestream(_body: LivestreamCreate, _options?: CallOptions): Promise<Created<LivestreamObject>> {
        throw new Error("not yet");
    }
    getLivestream(_id: string, _options?: CallOptions): Promise<LivestreamObject> {
        throw new Error("not yet");
    }
    updateLivestream(
        _id: string,
        _body: LivestreamUpdate,
        _options?: CallOptions,
    ): Promise<LivestreamObject | undefined> {
        throw new Error("not yet");
    }
    deleteLivestream(_id: string, _options?: CallOptions): Promise<LivestreamObject | undefined> {
        throw new Error("not yet");
    }
    livestreams(_query: { record: boolean }, _options?: CallOptions): AsyncIterable<Page<LivestreamObject>> {
        throw new Error("not yet");
    }
    signingKeys(_options?: CallOptions): Promise<SigningKey[]> {
        throw new Error("not yet");
    }
    close(): Promise<void> {
        return Promise.resolve();
    }
}
