/** The classes of native programs: those of `pulumi-videograph`, with the types of the resource plugin. */
import type * as pulumi from "@pulumi/pulumi";
import { clipDefinition } from "../../definitions/clip";
import { contentDefinition } from "../../definitions/content";
import { livestreamDefinition } from "../../definitions/livestream";
import type * as dynamic from "../../index";
import type { ContentClass } from "../../program/content";
import { libraryClass } from "../../program/contentLibrary";
import { readinessClass } from "../../program/contentReadiness";
import { isPlain } from "../../program/refusals";
import { type ObjectClass, objectClass, type ResourceClass } from "../../program/resourceClass";
import { nativeFace } from "./registration";

/** The properties of a class in `pulumi-videograph`, without `importId`, which native types do not have. */
type OwnProperties<Dynamic> = Omit<Dynamic, keyof pulumi.CustomResource | "importId">;

/** The inputs of a {@link Content}. To import an existing content, use the `import` resource option. */
export interface ContentArgs extends Omit<dynamic.ContentInputs, "importId"> {}
/** The outputs are those of the class of the same name in `pulumi-videograph`. */
export interface Content extends pulumi.CustomResource, OwnProperties<dynamic.Content> {}
/** An on-demand video, made by the service from the URL of a source, with the native type `videograph:index:Content`. */
export const Content: ContentClass<Content, ContentArgs> = objectClass(nativeFace, contentDefinition);

/** The inputs of a {@link Clip}. To import an existing clip, use the `import` resource option. */
export interface ClipArgs extends Omit<dynamic.ClipInputs, "importId"> {}
/** The outputs are those of the class of the same name in `pulumi-videograph`. */
export interface Clip extends pulumi.CustomResource, OwnProperties<dynamic.Clip> {}
/** A part of a content, with the native type `videograph:index:Clip`. */
export const Clip: ObjectClass<Clip, ClipArgs> = objectClass(nativeFace, clipDefinition);

/** The inputs of a {@link Livestream}. To import an existing livestream, use the `import` resource option. */
export interface LivestreamArgs extends Omit<dynamic.LivestreamArgs, "importId"> {}
/** The outputs are those of the class of the same name in `pulumi-videograph`. */
export interface Livestream extends pulumi.CustomResource, OwnProperties<dynamic.Livestream> {}
/** A live stream, with the native type `videograph:index:Livestream`. */
export const Livestream: ObjectClass<Livestream, LivestreamArgs> = objectClass(nativeFace, livestreamDefinition);

/** The outputs are those of the class of the same name in `pulumi-videograph`. */
export interface ContentReadiness extends pulumi.CustomResource, OwnProperties<dynamic.ContentReadiness> {}
/** One wait for many contents, with the native type `videograph:index:ContentReadiness`. */
export const ContentReadiness: ResourceClass<ContentReadiness, dynamic.ContentReadinessArgs> =
    readinessClass(nativeFace);

/** The outputs are those of the class of the same name in `pulumi-videograph`. */
export interface ContentLibrary extends pulumi.CustomResource, OwnProperties<dynamic.ContentLibrary> {}
/** A library of contents as one resource, with the native type `videograph:index:ContentLibrary`. */
export const ContentLibrary: ResourceClass<ContentLibrary, dynamic.ContentLibraryArgs> = libraryClass(
    nativeFace,
    // A library of up to 200 contents is sent as a map, so that previews show what changes in each content. A larger map takes the engine too long.
    (contents) => isPlain(contents) && Object.keys(contents).length > 200,
);
