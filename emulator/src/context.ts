/** What every route gets: the store, the variants, time, randomness, and the request. */
import type { Random } from "./clock";
import type { FaultPlan } from "./faults";
import type { ApiRequest } from "./http";
import type { ContentCreate } from "./requests";
import type { ContentRecord, Store } from "./store";
import type { Variants } from "./variants";

export interface Context {
    readonly store: Store;
    /** Deleted contents, by id. With the variant `deletedShownMs`, a GET still shows them for a while. */
    readonly deleted: Map<string, { content: ContentRecord; at: number }>;
    readonly variants: Variants;
    readonly now: () => number;
    readonly random: Random;
    readonly processingTimeMs: (create: ContentCreate) => number;
    readonly deletingTimeMs: () => number;
    /** The URL of the emulator from outside, without a trailing slash: the base of playback URLs. */
    publicUrl: string;
    /** Starts fetching and checking a content's source. */
    process: (content: ContentRecord) => void;
    /** How many lists were requested. The variant of an unstable order changes the order by this number. */
    listRequests: number;
}

/** A request that has passed authentication. */
export interface RouteRequest extends ApiRequest {
    readonly environmentId: number;
    /** The values of the `*` in the route's pattern, in order. */
    readonly ids: readonly string[];
    readonly processing: FaultPlan["processing"];
}

/** A route's answer, before it becomes a body. */
export interface Result {
    readonly code: number;
    readonly message: string;
    /** The data. If undefined, the body has no `data` at all: the service may answer so. */
    readonly data: unknown;
}

export type RouteHandler = (context: Context, request: RouteRequest) => Result;
