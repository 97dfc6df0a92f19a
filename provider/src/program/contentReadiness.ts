import type * as pulumi from "@pulumi/pulumi";
import { dynamicFace, type Face, unset } from "./registration";
import { type Outputs, type ResourceClass, resourceClass } from "./resourceClass";

/** The inputs of a {@link ContentReadiness}. */
export interface ContentReadinessArgs {
    /** The ids of the contents to wait for, of any stack in the same environment. Changed in place: new ones are waited for. */
    contentIds: pulumi.Input<pulumi.Input<string>[]>;
}

/** A content that was waited for. */
export interface ReadyContent {
    /** The content's id. */
    contentId: string;
    /** `Ready`. After a wait that failed, another status is possible, or `unknown`. */
    status: string;
    /** The URL of the HLS playlist. */
    playbackUrl?: string;
    /** The playing time in milliseconds. */
    duration?: number;
}

/**
 * One wait for many contents. Pulumi creates only a few resources at a time (four for each processor core), and a create that waits
 * occupies one of these slots. So set `waitForReady` to `false` for the contents of a large library, and declare one ContentReadiness
 * that waits for all of them.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * const episodes = Array.from({ length: 40 }, (_, index) => index + 1).map(
 *     (number) =>
 *         new videograph.Content(`episode-${number}`, {
 *             title: `Episode ${number}`,
 *             content: [{ url: `https://media.example.com/episodes/${number}.mp4` }],
 *             waitForReady: false,
 *         }),
 * );
 * const library = new videograph.ContentReadiness("library", { contentIds: episodes.map(({ id }) => id) });
 *
 * export const playlists = library.contents.apply((contents) => contents.map(({ playbackUrl }) => playbackUrl));
 * ```
 *
 * The wait fails with the list of the contents that have Failed. If it takes longer than its timeout, the next `pulumi up` continues
 * it. A delete and a refresh of this resource send nothing to the service.
 */
export interface ContentReadiness extends pulumi.CustomResource, Outputs<ContentReadinessArgs> {
    /** The contents, in the order of `contentIds`. */
    readonly contents: pulumi.Output<ReadyContent[]>;
}

export const ContentReadiness: ResourceClass<ContentReadiness, ContentReadinessArgs> = readinessClass(dynamicFace);

export function readinessClass<Readiness>(face: Face): ResourceClass<Readiness, ContentReadinessArgs> {
    return resourceClass(face, "ContentReadiness", (args, opts) => ({
        inputs: { ...unset("contentIds", "contents"), ...args },
        opts,
    }));
}
