import * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../../program/livestream";
import { isOfType, stopTraces } from "../../program/registration";
import { livestreamDefinition } from "../../resources/livestream/definition";
import { nativeTypeOf } from "../tokens";
import { optionsOf, propertiesOf } from "./registration";

const type = nativeTypeOf("Livestream");

/** The inputs of a {@link Livestream}. To import an existing livestream, use the `import` resource option. */
export interface LivestreamArgs extends Omit<dynamic.LivestreamArgs, "importId"> {}

/** The outputs: see the class of the same name in `pulumi-videograph`. */
export interface Livestream extends Omit<dynamic.Livestream, keyof pulumi.CustomResource | "streamUUID" | "importId"> {}

/**
 * A live stream: the class of `pulumi-videograph` with the native type `videograph:index:Livestream`. It takes the place of a
 * dynamic one of the same name without any change to the livestream.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK sets each output that the interface names
export class Livestream extends pulumi.CustomResource {
    /**
     * Reads an existing livestream into the program without managing it. It is never changed and never deleted. An id that
     * does not exist is an error.
     */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Livestream {
        return new Livestream(name, { title: "" }, { ...opts, id });
    }

    /** Whether the object is a Livestream, also one of another copy of this package. */
    public static override isInstance(object: unknown): object is Livestream {
        return isOfType(object, type);
    }

    /** The livestream's id: the same as `id`. */
    public get streamUUID(): pulumi.Output<string> {
        return this.id;
    }

    constructor(name: string, args: LivestreamArgs, opts?: pulumi.CustomResourceOptions) {
        const resumeTraces = stopTraces();
        try {
            const secret = { additionalSecretOutputs: ["streamKey"] };
            super(type, name, propertiesOf(livestreamDefinition, args, opts), optionsOf("Livestream", opts, secret));
        } finally {
            resumeTraces();
        }
    }
}
