/** What every route works with: the store, the switches, time and chance. */
import type { Random } from "./clock";
import type { ContentCreate } from "./contents";
import { type ApiRequest, type Reply, ServiceError } from "./http";
import type { ContentRecord, LivestreamRecord, Store } from "./store";
import type { Variants } from "./variants";

/** What a fault does to the processing of a content that is being created. */
export interface ProcessingFault {
    /** Processing time in ms instead of the emulator's own. */
    readonly ms?: number | undefined;
    /** Never becomes Ready. */
    readonly stuck?: boolean | undefined;
    /** Ends as Failed for this reason. */
    readonly fail?: string | undefined;
}

export interface Context {
    readonly store: Store;
    readonly variants: Variants;
    readonly now: () => number;
    readonly random: Random;
    readonly processingTimeMs: (create: ContentCreate) => number;
    readonly deletingTimeMs: () => number;
    /** Where the emulator is reached from outside, without a trailing slash: the base of playback URLs. */
    publicUrl: string;
    /** Starts fetching and checking a content's source. */
    process: (content: ContentRecord) => void;
    /** How many lists were asked for: what an unstable order is rotated by. */
    lists: number;
}

/** A request that has passed authentication. */
export interface RouteRequest extends ApiRequest {
    readonly environmentId: number;
    /** The `:id` of the route's path, or "" for routes without. */
    readonly id: string;
    readonly processing: ProcessingFault | undefined;
}

export type RouteHandler = (context: Context, request: RouteRequest) => Reply;

/** Refuses an object that does not exist, is not the caller's, or is too new to be seen. */
export function visible<T extends ContentRecord | LivestreamRecord>(
    context: Context,
    found: T | undefined,
    what: string,
    id: string,
): T {
    if (found === undefined || context.now() < found.createdOn + context.variants.visibleAfterMs) {
        throw new ServiceError(404, `${what} ${id} not found`);
    }
    return found;
}

/** The objects a list shows, in the order of the day. `oldestFirst` is as the store gives them. */
export function listed<T extends ContentRecord | LivestreamRecord>(context: Context, oldestFirst: T[]): T[] {
    context.lists += 1;
    const newest = context.now() - context.variants.listedAfterMs;
    const seen = oldestFirst.filter((object) => object.createdOn <= newest);
    switch (context.variants.listOrder) {
        case "oldest":
            return seen;
        case "newest":
            return seen.reverse();
        case "unstable": {
            // Rotated by another amount on each request: what a client pages through moves under its hands.
            const by = seen.length === 0 ? 0 : context.lists % seen.length;
            return [...seen.slice(by), ...seen.slice(0, by)];
        }
    }
}

/** Drops or nulls what holds nothing, as `emptyFields` says. Ids, titles and statuses never hold nothing. */
export function shape(context: Context, fields: Record<string, unknown>): Record<string, unknown> {
    const { emptyFields } = context.variants;
    const shaped: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(fields)) {
        if (value === undefined) continue;
        const empty = value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
        if (!empty || emptyFields === "present") shaped[key] = value;
        else if (emptyFields === "null") shaped[key] = null;
    }
    return shaped;
}
