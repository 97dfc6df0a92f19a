import * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../../program/contentReadiness";
import { stopTraces } from "../../program/registration";
import { nativeTypeOf } from "../tokens";
import { optionsOf } from "./registration";

/** The inputs of a {@link ContentReadiness}. */
export interface ContentReadinessArgs extends dynamic.ContentReadinessArgs {}

/** The outputs: see the class of the same name in `pulumi-videograph`. */
export interface ContentReadiness extends Omit<dynamic.ContentReadiness, keyof pulumi.CustomResource> {}

/**
 * One wait for many contents: the class of `pulumi-videograph` with the native type `videograph:index:ContentReadiness`.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK sets each output that the interface names
export class ContentReadiness extends pulumi.CustomResource {
    constructor(name: string, args: ContentReadinessArgs, opts?: pulumi.CustomResourceOptions) {
        const resumeTraces = stopTraces();
        try {
            const properties = { ...args, contents: undefined };
            super(nativeTypeOf("ContentReadiness"), name, properties, optionsOf("ContentReadiness", opts));
        } finally {
            resumeTraces();
        }
    }
}
