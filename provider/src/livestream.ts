import * as pulumi from "@pulumi/pulumi";
import { typeOf } from "./kinds";
import { hiddenInputs } from "./registration";

/** The inputs of a {@link Livestream}. */
export interface LivestreamArgs {
    /** The title. Changed in place. */
    title: pulumi.Input<string>;
    /**
     * Where the stream is received, such as `"us-east-1"`, `"us-west-1"` or `"ap-south-1"`. Default: `videograph:region` of the
     * configuration. Another region replaces the livestream.
     */
    region?: pulumi.Input<string> | undefined;
    /** Whether the broadcast is recorded. Default false. Replaces the livestream. */
    record?: pulumi.Input<boolean> | undefined;
    /** Changed in place. */
    description?: pulumi.Input<string> | undefined;
    /** How far viewers can go back, in minutes. Changed in place. */
    dvrDurationInMins?: pulumi.Input<number> | undefined;
    /** Changed in place; their order has no meaning. */
    tags?: pulumi.Input<pulumi.Input<string>[]> | undefined;
    /** Pairs of text. Changed in place. The key `managed_by` is reserved. */
    metadata?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
    /** `"public"`, `"signed"` or both. Replaces the livestream. */
    playbackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[]> | undefined;
    /** The policy of recordings. Replaces the livestream. */
    recordingsPlaybackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[]> | undefined;
    /**
     * The id of an existing livestream to take over instead of creating one. May be taken out later, which changes nothing,
     * but not changed to another id.
     */
    importId?: pulumi.Input<string> | undefined;
}

/**
 * A live stream. Its `status` moves with the broadcast and never makes a difference.
 *
 * A delete is followed until the livestream is really gone, for `customTimeouts.delete` (60 seconds by default) at most.
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
    /** What an encoder authenticates with: always a secret. */
    declare public readonly streamKey: pulumi.Output<string>;
    /** The RTMP ingest address. */
    declare public readonly rtmpUrl: pulumi.Output<string>;
    /** The RTMPS ingest address; may be empty. */
    declare public readonly rtmpsUrl: pulumi.Output<string | undefined>;
    /** The HLS playlist. */
    declare public readonly playbackUrl: pulumi.Output<string>;
    /** `Idle`, `Active`, `Failed`, `Deleting`; the service may have others. */
    declare public readonly status: pulumi.Output<string>;
    /** Milliseconds since the Unix epoch. */
    declare public readonly createdOn: pulumi.Output<number>;

    /** The livestream's id on the service. A getter on `id`, which alone stays known in the preview of an update. */
    public get streamUUID(): pulumi.Output<string> {
        return this.id;
    }

    /** Reads an existing livestream into the program without managing it. An id that does not exist is an error. */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Livestream {
        return new Livestream(name, { title: "" }, { ...opts, id });
    }

    /** Whether the object is a Livestream, also one of another copy of this package. */
    public static override isInstance(object: unknown): object is Livestream {
        return (
            typeof object === "object" &&
            object !== null &&
            "__pulumiType" in object &&
            object.__pulumiType === typeOf("Livestream")
        );
    }

    constructor(name: string, args: LivestreamArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            typeOf("Livestream"),
            name,
            {
                // Every property has to be named here, or `.get` does not have it.
                title: undefined,
                region: undefined,
                record: undefined,
                description: undefined,
                dvrDurationInMins: undefined,
                tags: undefined,
                metadata: undefined,
                playbackPolicy: undefined,
                recordingsPlaybackPolicy: undefined,
                importId: undefined,
                // What is no property is passed on too: the check names it and the right name.
                ...(opts?.id === undefined && args),
                streamKey: undefined,
                rtmpUrl: undefined,
                rtmpsUrl: undefined,
                playbackUrl: undefined,
                status: undefined,
                createdOn: undefined,
                ...hiddenInputs("Livestream", name, opts),
            },
            pulumi.mergeOptions(opts, { additionalSecretOutputs: ["streamKey"] }),
        );
    }
}
