import type * as pulumi from "@pulumi/pulumi";
import type { LookupOptions, LookupOutputOptions } from "./lookupOptions";
import { lookup, lookupOutput } from "./lookups";

/** A livestream as a list returns it, without its key. Properties that the service does not return are `undefined`. */
export interface LivestreamItem {
    /** The livestream's id. */
    streamUUID: string;
    // Generated results: `npm run generate`
    /** The title. */
    title: string | undefined;
    /** Where the stream is received. */
    region: string | undefined;
    /** Whether broadcasts are recorded. */
    record: boolean | undefined;
    /** A description. */
    description: string | undefined;
    /** How far viewers can go back, in whole minutes. */
    dvrDurationInMins: number | undefined;
    /** Keywords for searching. */
    tags: string[] | undefined;
    /** Pairs of strings, without the ownership marker of this package. */
    metadata: Record<string, string> | undefined;
    /**
     * Who can watch: `"public"` (anyone), `"signed"` (only with a token that one of the signing keys has signed) or
     * both.
     */
    playbackPolicy: string[] | undefined;
    /** Who can play recordings: `"public"`, `"signed"` or both. */
    recordingsPlaybackPolicy: string[] | undefined;
    /** The RTMP URL that an encoder sends to. */
    rtmpUrl: string | undefined;
    /** The RTMPS URL that an encoder sends to; the service may leave it empty. */
    rtmpsUrl: string | undefined;
    /** The URL of the HLS playlist. */
    playbackUrl: string | undefined;
    /** `Idle`, `Active`, `Failed` or `Deleting`; the service may have others. */
    status: string | undefined;
    /** When it was created, in milliseconds since the Unix epoch. */
    createdOn: number | undefined;
    // End of generated results
}

/** A livestream as `getLivestream` returns it. */
export interface LivestreamResult extends LivestreamItem {
    /** What an encoder authenticates with. A secret: anyone who has it can broadcast. */
    streamKey: pulumi.Output<string | undefined>;
}

/** Which livestream {@link getLivestreamOutput} looks up. */
export interface GetLivestreamArgs {
    /** The livestream's id. Required. */
    streamUUID: pulumi.Input<string>;
}

/** The filters of {@link getLivestreamsOutput}. */
export interface GetLivestreamsArgs {
    /** `true`: only recorded livestreams; `false`: only plain ones. Default: both. */
    record?: pulumi.Input<boolean> | undefined;
}

/**
 * Looks up one livestream, in every preview and every `pulumi up`.
 *
 * Unlike {@link Livestream.get}, it adds nothing to the stack's state.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export = async () => {
 *     const stage = await videograph.getLivestream({ streamUUID: "5c2d3a0e-7b1f-4a55-9c32-9b1d7c6b1e02" });
 *     return { onAir: stage.status === "Active", streamKey: stage.streamKey };
 * };
 * ```
 *
 * @param args - Which livestream: `streamUUID`, required.
 * @param opts - The environment, for programs that use several.
 * @returns The livestream as the service returns it; `streamKey` is a secret Output.
 * @throws A `pulumi.RunError` when there is no such livestream, when the credentials are missing or wrong, and when the
 * service does not answer. The program ends with its message and without a stack trace.
 */
export function getLivestream(args: { streamUUID: string }, opts: LookupOptions = {}): Promise<LivestreamResult> {
    return lookup("getLivestream", args, opts);
}

/**
 * It accepts and returns Outputs, such as an id that another resource computes.
 *
 * @param args - Which livestream. The result is secret if these are, and unknown in a preview if these are.
 * @param opts - The environment, for programs that use several.
 */
export function getLivestreamOutput(
    args: GetLivestreamArgs,
    opts?: LookupOutputOptions,
): pulumi.Output<pulumi.Unwrap<LivestreamResult>> {
    return lookupOutput(args, opts, getLivestream);
}

/**
 * Looks up all livestreams of the environment that match. The result has no stream keys; {@link getLivestream} returns the key of
 * one livestream.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export = async () => {
 *     const { livestreams } = await videograph.getLivestreams({ record: true });
 *     return { onAir: livestreams.filter(({ status }) => status === "Active").map(({ title }) => title) };
 * };
 * ```
 *
 * @param args - `record`: only recorded livestreams, or only plain ones. Default: both.
 * @param opts - The environment, for programs that use several.
 * @returns The livestreams, plain ones first. The service's list may leave out properties.
 * @throws A `pulumi.RunError` when the credentials are missing or wrong, and when the service does not answer.
 */
export function getLivestreams(
    args: { record?: boolean | undefined } = {},
    opts: LookupOptions = {},
): Promise<{ livestreams: LivestreamItem[] }> {
    return lookup("getLivestreams", args, opts);
}

/**
 * It accepts and returns Outputs.
 *
 * @param args - `record`: only recorded livestreams, or only plain ones. Default: both.
 * @param opts - The environment, for programs that use several.
 */
export function getLivestreamsOutput(
    args: GetLivestreamsArgs = {},
    opts?: LookupOutputOptions,
): pulumi.Output<{ livestreams: LivestreamItem[] }> {
    return lookupOutput(args, opts, getLivestreams);
}
