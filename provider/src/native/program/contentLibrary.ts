import * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../../program/contentLibrary";
import { catalogueOf, isPlain, refuseBothForms, withText } from "../../program/contentLibrary";
import { stopTraces } from "../../program/registration";
import { nativeTypeOf } from "../tokens";
import { hiddenInputs, optionsOf } from "./registration";

/** A content of a {@link ContentLibrary}. */
export interface LibraryEntry extends dynamic.LibraryEntry {}

/** The inputs of a {@link ContentLibrary}. */
export interface ContentLibraryArgs extends dynamic.ContentLibraryArgs {}

/** The outputs: see the class of the same name in `pulumi-videograph`. */
export interface ContentLibrary extends Omit<dynamic.ContentLibrary, keyof pulumi.CustomResource> {}

/** Up to this many contents are registered one by one: previews show the changes of each. More are registered as one text. */
const maxMap = 200;

/** A library of contents as one resource: the class of `pulumi-videograph` with the native type `videograph:index:ContentLibrary`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK sets each output that the interface names
export class ContentLibrary extends pulumi.CustomResource {
    constructor(name: string, args: ContentLibraryArgs, opts?: pulumi.CustomResourceOptions) {
        refuseBothForms(args);
        const resumeTraces = stopTraces();
        const { contents, ...rest } = args;
        const isText = contents !== undefined && isPlain(contents) && Object.keys(contents).length > maxMap;
        const catalogue = isText ? catalogueOf(contents) : rest.catalogue;
        const results = catalogue === undefined ? {} : { results: undefined };
        try {
            super(
                nativeTypeOf("ContentLibrary"),
                name,
                { ...rest, contents: isText ? undefined : contents, catalogue, ...results, ...hiddenInputs(opts) },
                optionsOf("ContentLibrary", withText(name, opts, isText)),
            );
        } finally {
            resumeTraces();
        }
        if (catalogue === undefined) return;
        const { results: text } = this as unknown as { results: pulumi.Output<string> };
        Object.assign(this, { contents: text.apply((known) => JSON.parse(known ?? "{}")) });
    }
}
