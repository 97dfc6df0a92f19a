import * as pulumi from "@pulumi/pulumi";
import { secretOutputs } from "../inputs/definition";
import { livestreamDefinition } from "../resources/livestream/definition";
import { typeOf } from "../typeTokens";
import { hiddenInputs, isOfType, propertiesOf, stopTraces } from "./registration";

/** The inputs of a {@link Livestream}. */
export interface LivestreamArgs {
    /** The title. It must not be empty. Changed in place. */
    title: pulumi.Input<string>;
    /**
     * Where the stream is received; the service's documentation shows `"us-east-1"`, `"us-west-1"` and `"ap-south-1"`.
     * Default: `VIDEOGRAPH_REGION`, else `videograph:region` of the configuration, as it was when the livestream was
     * created. Required where neither is set, unless `importId` is given. A change replaces the livestream, and the new
     * one has a new stream key.
     */
    region?: pulumi.Input<string> | undefined;
    /** Whether broadcasts are recorded. Default `false`. A change replaces the livestream. */
    record?: pulumi.Input<boolean> | undefined;
    /** A description. When you remove it from the program, it is reset to `""`. Changed in place. */
    description?: pulumi.Input<string> | undefined;
    /**
     * How far viewers can go back, in whole minutes. When you remove it from the program, it is reset to 0. Changed in
     * place.
     */
    dvrDurationInMins?: pulumi.Input<number> | undefined;
    /**
     * Keywords for searching. Their order does not matter. When you remove them from the program, they are reset to
     * `[]`. Changed in place.
     */
    tags?: pulumi.Input<pulumi.Input<string>[]> | undefined;
    /**
     * Your own key-value pairs, all strings. The key `managed_by` is reserved: it contains the ownership marker, which
     * names the stack that manages the livestream. When you remove them from the program, they are reset to `{}`.
     * Changed in place.
     */
    metadata?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
    /**
     * Who can watch: `"public"` (anyone), `"signed"` (only with a token that one of the signing keys has signed) or
     * both. If not set, the service decides. A change replaces the livestream.
     */
    playbackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[]> | undefined;
    /**
     * Who can play recordings: `"public"`, `"signed"` or both. If not set, the service decides. A change replaces the
     * livestream.
     */
    recordingsPlaybackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[]> | undefined;
    /**
     * The id of an existing livestream to adopt instead of creating one. You can remove it from the program later; that
     * changes nothing. You cannot change it to another id. A livestream with the ownership marker of another stack
     * (`managed_by` in its metadata) is refused.
     */
    importId?: pulumi.Input<string> | undefined;
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
export class Livestream extends pulumi.CustomResource {
    declare public readonly title: pulumi.Output<string>;
    declare public readonly region: pulumi.Output<string>;
    declare public readonly record: pulumi.Output<boolean | undefined>;
    declare public readonly description: pulumi.Output<string | undefined>;
    declare public readonly dvrDurationInMins: pulumi.Output<number | undefined>;
    declare public readonly tags: pulumi.Output<string[] | undefined>;
    declare public readonly metadata: pulumi.Output<Record<string, string> | undefined>;
    declare public readonly playbackPolicy: pulumi.Output<("public" | "signed")[] | undefined>;
    declare public readonly recordingsPlaybackPolicy: pulumi.Output<("public" | "signed")[] | undefined>;
    declare public readonly importId: pulumi.Output<string | undefined>;
    /** The key that an encoder authenticates with: anyone who has it can broadcast. Always a secret. */
    declare public readonly streamKey: pulumi.Output<string>;
    /** The RTMP URL that an encoder sends to. */
    declare public readonly rtmpUrl: pulumi.Output<string>;
    /** The RTMPS URL that an encoder sends to; the service may leave it empty. */
    declare public readonly rtmpsUrl: pulumi.Output<string | undefined>;
    /** The URL of the HLS playlist. */
    declare public readonly playbackUrl: pulumi.Output<string>;
    /**
     * `Idle`, `Active`, `Failed` or `Deleting`; the service may have others. As it was when the resource was last read
     * or changed.
     */
    declare public readonly status: pulumi.Output<string>;
    /** When it was created, in milliseconds since the Unix epoch. */
    declare public readonly createdOn: pulumi.Output<number>;

    /** The livestream's id on the service; the same as `id`. Unlike other outputs, it is known in the preview of an update. */
    public get streamUUID(): pulumi.Output<string> {
        return this.id;
    }

    /**
     * Reads an existing livestream without managing it, in every preview and every `pulumi up`. Pulumi never changes or deletes it.
     * An id that does not exist is an error. {@link getLivestream} does the same without an entry in the state.
     */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Livestream {
        return new Livestream(name, { title: "" }, { ...opts, id });
    }

    /** Whether the object is a Livestream, also one of another copy of this package. */
    public static override isInstance(object: unknown): object is Livestream {
        return isOfType(object, typeOf("Livestream"));
    }

    constructor(name: string, args: LivestreamArgs, opts?: pulumi.CustomResourceOptions) {
        const resumeTraces = stopTraces();
        try {
            super(
                typeOf("Livestream"),
                name,
                propertiesOf(livestreamDefinition, args, opts, hiddenInputs("Livestream", name, opts)),
                pulumi.mergeOptions(opts, { additionalSecretOutputs: secretOutputs(livestreamDefinition) }),
            );
        } finally {
            resumeTraces();
        }
    }
}
