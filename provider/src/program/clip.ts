import type * as pulumi from "@pulumi/pulumi";
import { clipDefinition } from "../definitions/clip";
import type { CommonInputs, ContentOutputs } from "./common";
import { dynamicFace } from "./registration";
import { type NewOrAdopted, type ObjectClass, type Outputs, objectClass } from "./resourceClass";

/** Every input of a {@link Clip}: for types of your own that extend it. */
export interface ClipInputs extends CommonInputs {
    /**
     * The id of the content that the clip is cut from. The create waits until that content is Ready. Required unless
     * `importId` is given. A change replaces the clip.
     */
    contentId?: pulumi.Input<string | undefined> | undefined;
    /**
     * Where the clip begins, in seconds from the beginning of the content. Required unless `importId` is given. A change
     * replaces the clip.
     */
    startTime?: pulumi.Input<number | undefined> | undefined;
    /**
     * Where the clip ends, in seconds from the beginning of the content: after `startTime`, and not after the end of the
     * content. Required unless `importId` is given. A change replaces the clip.
     */
    endTime?: pulumi.Input<number | undefined> | undefined;
    /** The title. Default `"Clip"`. When you remove it from the program, it is reset to `"Clip"`. Changed in place. */
    title?: pulumi.Input<string | undefined> | undefined;
}

/** The inputs of a {@link Clip}: with `contentId`, `startTime` and `endTime`, or `importId`. */
export type ClipArgs = NewOrAdopted<ClipInputs, "contentId" | "startTime" | "endTime">;

/**
 * A part of a content, from one second to another: a content of its own, with its own id, URLs and playlist.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * const film = new videograph.Content("film", {
 *     title: "Film",
 *     content: [{ url: "https://media.example.com/film.mp4" }],
 * });
 * const teaser = new videograph.Clip("teaser", { contentId: film.id, startTime: 12, endTime: 42, title: "Teaser" });
 *
 * export const watch = teaser.playbackUrl;
 * ```
 *
 * The create waits until the content is Ready, then until the clip is. It creates nothing when the content has Failed, was deleted
 * or is too short. Changes to `title`, `description`, `tags` and `metadata` are made in place, with one request. Another content or
 * other times replace the clip. When the content is replaced, so is the clip; when it is deleted, the clip stays.
 *
 * Functions such as {@link getContent} and {@link ContentReadiness} treat a clip like any other content. The service does not show
 * from which content a clip was cut. For a clip that you adopt or import, declare `contentId`, or leave it out.
 */
export interface Clip extends pulumi.CustomResource, Outputs<ClipInputs>, Outputs<ContentOutputs> {}

export const Clip: ObjectClass<Clip, ClipArgs> = objectClass(dynamicFace, clipDefinition);
