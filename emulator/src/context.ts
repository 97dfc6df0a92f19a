/** The arguments of every route: the store, the switches, time, randomness and its request. */
import type { Random } from "./clock";
import type { FaultPlan } from "./faults";
import type { ApiRequest } from "./http";
import type { ContentCreate } from "./requests";
import type { ContentRecord, Store } from "./store";
import type { Variants } from "./variants";

export interface Context {
    readonly store: Store;
    /** Contents that were deleted, by id: the variant `deletedShownMs` still shows them for a while. */
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
    /** The number of lists that were requested: an unstable order is rotated by it. */
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
    /** The data; left out of the body when undefined, which is one of the shapes the service may have. */
    readonly data: unknown;
}

export type RouteHandler = (context: Context, request: RouteRequest) => Result;
