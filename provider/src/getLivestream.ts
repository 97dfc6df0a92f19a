import * as pulumi from "@pulumi/pulumi";
import type { LivestreamObject } from "./api";
import { visible } from "./lifecycle/mark";
import { type LookupOptions, lookup, lookupOutput } from "./lookups";

/** A livestream as a list shows it: without its key. */
export type LivestreamItem = Omit<LivestreamObject, "reason" | "streamKey">;

/** A livestream as a lookup shows it. */
export interface LivestreamResult extends LivestreamItem {
    /** A secret: whoever has it can broadcast. */
    streamKey: pulumi.Output<string | undefined>;
}

export interface GetLivestreamArgs {
    streamUUID: pulumi.Input<string>;
}

export interface GetLivestreamsArgs {
    /** Only recorded livestreams, or only plain ones. Default: both. */
    record?: pulumi.Input<boolean> | undefined;
}

/** Looks up one livestream. An id that does not exist is an error. */
export function getLivestream(args: { streamUUID: string }, opts: LookupOptions = {}): Promise<LivestreamResult> {
    return lookup(opts, async (api) => {
        const { streamKey, ...livestream } = await api.getLivestream(args.streamUUID);
        return { ...shown(livestream), streamKey: pulumi.secret(streamKey) };
    });
}

/** {@link getLivestream} that takes and gives Outputs. */
export function getLivestreamOutput(
    args: GetLivestreamArgs,
    opts?: LookupOptions,
): pulumi.Output<pulumi.Unwrap<LivestreamResult>> {
    return lookupOutput(args, opts, getLivestream);
}

/** Looks up all livestreams of the environment that match. */
export function getLivestreams(
    args: { record?: boolean | undefined } = {},
    opts: LookupOptions = {},
): Promise<{ livestreams: LivestreamItem[] }> {
    return lookup(opts, async (api) => {
        const livestreams = new Map<string, LivestreamItem>();
        // The service's two lists are disjoint.
        for (const record of args.record === undefined ? [false, true] : [args.record]) {
            for await (const { items } of api.livestreams({ record })) {
                for (const item of items) livestreams.set(item.streamUUID, shown(item));
            }
        }
        return { livestreams: [...livestreams.values()] };
    });
}

/** {@link getLivestreams} that takes and gives Outputs. */
export function getLivestreamsOutput(
    args: GetLivestreamsArgs = {},
    opts?: LookupOptions,
): pulumi.Output<{ livestreams: LivestreamItem[] }> {
    return lookupOutput(args, opts, getLivestreams);
}

function shown({ reason: _, streamKey: __, ...livestream }: LivestreamObject): LivestreamItem {
    return visible(livestream);
}
