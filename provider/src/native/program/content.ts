import * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../../program/content";
import { isOfType, stopTraces } from "../../program/registration";
import { contentDefinition } from "../../resources/content/definition";
import { nativeTypeOf } from "../tokens";
import { optionsOf, propertiesOf } from "./registration";

const type = nativeTypeOf("Content");

/** The inputs of a {@link Content}. To import an existing content, use the `import` resource option. */
export interface ContentArgs extends Omit<dynamic.ContentArgs, "importId"> {}

/** The outputs: see the class of the same name in `pulumi-videograph`. */
export interface Content extends Omit<dynamic.Content, keyof pulumi.CustomResource | "contentId" | "importId"> {}

/**
 * An on-demand video, made by the service from the URL of a source: the class of `pulumi-videograph` with the native type
 * `videograph:index:Content`. It takes the place of a dynamic one of the same name without any change to the content.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK sets each output that the interface names
export class Content extends pulumi.CustomResource {
    /**
     * Reads an existing content into the program without managing it. It is never changed and never deleted. An id that does
     * not exist is an error.
     */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Content {
        return new Content(name, { title: "" }, { ...opts, id });
    }

    /** Whether the object is a Content, also one of another copy of this package. */
    public static override isInstance(object: unknown): object is Content {
        return isOfType(object, type);
    }

    /** The content's id: the same as `id`. */
    public get contentId(): pulumi.Output<string> {
        return this.id;
    }

    constructor(name: string, args: ContentArgs, opts?: pulumi.CustomResourceOptions) {
        const resumeTraces = stopTraces();
        try {
            super(type, name, propertiesOf(contentDefinition, args, opts), optionsOf("Content", opts));
        } finally {
            resumeTraces();
        }
    }
}
