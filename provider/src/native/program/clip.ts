import * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../../program/clip";
import { isOfType, stopTraces } from "../../program/registration";
import { clipDefinition } from "../../resources/clip/definition";
import { nativeTypeOf } from "../tokens";
import { optionsOf, propertiesOf } from "./registration";

const type = nativeTypeOf("Clip");

/** The inputs of a {@link Clip}. To import an existing clip, use the `import` resource option. */
export interface ClipArgs extends Omit<dynamic.ClipArgs, "importId"> {}

/** The outputs: see the class of the same name in `pulumi-videograph`. */
export interface Clip extends Omit<dynamic.Clip, keyof pulumi.CustomResource | "importId"> {}

/** A part of a content: the class of `pulumi-videograph` with the native type `videograph:index:Clip`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK sets each output that the interface names
export class Clip extends pulumi.CustomResource {
    /** Reads an existing clip into the program without managing it. An id that does not exist is an error. */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Clip {
        return new Clip(name, {}, { ...opts, id });
    }

    /** Whether the object is a Clip, also one of another copy of this package. */
    public static override isInstance(object: unknown): object is Clip {
        return isOfType(object, type);
    }

    constructor(name: string, args: ClipArgs, opts?: pulumi.CustomResourceOptions) {
        const resumeTraces = stopTraces();
        try {
            super(type, name, propertiesOf(clipDefinition, args, opts), optionsOf("Clip", opts));
        } finally {
            resumeTraces();
        }
    }
}
