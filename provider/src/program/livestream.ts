import type * as pulumi from "@pulumi/pulumi";
import { livestreamDefinition } from "../definitions/livestream";
import type { CommonInputs, LivestreamOutputs } from "./common";
import { dynamicFace } from "./registration";
import { type ObjectClass, type Outputs, objectClass } from "./resourceClass";

/** The inputs of a {@link Livestream}. */
export interface LivestreamArgs extends CommonInputs {
    /** The title. It must not be empty. Changed in place. */
    title: pulumi.Input<string>;
    /**
     * Where the stream is received; the service's documentation shows `"us-east-1"`, `"us-west-1"` and `"ap-south-1"`.
     * Default: `VIDEOGRAPH_REGION`, else `videograph:region` of the configuration, as it was when the livestream was
     * created. Required where neither is set, unless `importId` is given. A change replaces the livestream, and the new
     * one has a new stream key.
     */
    region?: pulumi.Input<string | undefined> | undefined;
    /** Whether broadcasts are recorded. Default `false`. A change replaces the livestream. */
    record?: pulumi.Input<boolean | undefined> | undefined;
    /**
     * How far viewers can go back, in whole minutes. When you remove it from the program, it is reset to 0. Changed in
     * place.
     */
    dvrDurationInMins?: pulumi.Input<number | undefined> | undefined;
    /**
     * Who can watch: `"public"` (anyone), `"signed"` (only with a token that one of the signing keys has signed) or
     * both. If not set, the service decides. A change replaces the livestream.
     */
    playbackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[] | undefined> | undefined;
    /**
     * Who can play recordings: `"public"`, `"signed"` or both. If not set, the service decides. A change replaces the
     * livestream.
     */
    recordingsPlaybackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[] | undefined> | undefined;
}

/**
 * A live stream: a URL and a key for an encoder, and a playlist for viewers.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * const stage = new videograph.Livestream("main-stage", { title: "Main stage", region: "us-east-1", record: true });
 *
 * export const ingestUrl = stage.rtmpUrl;
 * export const streamKey = stage.streamKey; // a secret
 * ```
 *
 * Changes to `title`, `description`, `tags`, `metadata` and `dvrDurationInMins` are made in place, with one request. A change to any
 * other property replaces the livestream, and the new one has a new stream key. The `status` changes with the broadcast and never
 * causes an update.
 *
 * The service continues to delete a livestream after it has answered. So a delete waits until the livestream is really deleted, but
 * not longer than its timeout; then a warning says that it counts as deleted.
 *
 * @example
 * ### Protected while it is on air
 *
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as videograph from "pulumi-videograph";
 *
 * new videograph.Livestream(
 *     "concert",
 *     { title: "Concert", region: "us-east-1", record: true, dvrDurationInMins: 120 },
 *     { protect: new pulumi.Config().getBoolean("onAir") ?? false },
 * );
 * ```
 *
 * @example
 * ### Adopting an existing livestream
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * new videograph.Livestream("main-stage", {
 *     title: "Main stage",
 *     importId: "5c2d3a0e-7b1f-4a55-9c32-9b1d7c6b1e02",
 * });
 * ```
 */
export interface Livestream extends pulumi.CustomResource, Outputs<LivestreamArgs>, Outputs<LivestreamOutputs> {
    readonly region: pulumi.Output<string>;
    /** The livestream's id on the service; the same as `id`. Unlike other outputs, it is known in the preview of an update. */
    readonly streamUUID: pulumi.Output<string>;
    /** The key that an encoder authenticates with: anyone who has it can broadcast. Always a secret. */
    readonly streamKey: pulumi.Output<string>;
}

export const Livestream: ObjectClass<Livestream, LivestreamArgs> = objectClass(dynamicFace, livestreamDefinition);
