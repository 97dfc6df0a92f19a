import type * as pulumi from "@pulumi/pulumi";
import type { LookupOptions, LookupOutputOptions } from "./lookupOptions";
import { lookup, lookupOutput } from "./lookups";

/** A content as a function returns it. Properties that the service does not return are `undefined`. */
export interface ContentResult {
    /** The content's id. */
    contentId: string;
    // Generated results: `npm run generate`
    /** The title. */
    title: string | undefined;
    /**
     * Who can play it: `"public"` (anyone), `"signed"` (only with a token that one of the signing keys has signed) or
     * both.
     */
    playbackPolicy: string[] | undefined;
    /** A description. */
    description: string | undefined;
    /** Keywords for searching. */
    tags: string[] | undefined;
    /** Pairs of strings, without the ownership marker of this package. */
    metadata: Record<string, string> | undefined;
    /** Whether MP4 renditions are made. */
    mp4Support: boolean | undefined;
    /** Whether the service keeps the source file. */
    saveOriginalCopy: boolean | undefined;
    /** Whether it is a test video: the service transcodes only its first 10 seconds. */
    testVideo: boolean | undefined;
    /** `Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others. */
    status: string | undefined;
    /** The URL of the HLS playlist. Known once the content is Ready. */
    playbackUrl: string | undefined;
    /** The URL of a still image, where the service has made one. */
    thumbnailUrl: string | undefined;
    /** The playing time in milliseconds. Final once the content is Ready. */
    duration: number | undefined;
    /** The size of the picture, such as `"1920x1080"`. Known once the content is Ready. */
    resolution: string | undefined;
    /** When it was created, in milliseconds since the Unix epoch. */
    createdOn: number | undefined;
    // End of generated results
}

/** Which content {@link getContentOutput} looks up. */
export interface GetContentArgs {
    /** The content's id. Required. */
    contentId: pulumi.Input<string>;
}

/** The filters of {@link getContentsOutput}; all that are given must hold. */
export interface GetContentsArgs {
    /** The exact title, in the exact case. */
    title?: pulumi.Input<string> | undefined;
    /** The exact status, such as `"Ready"`. */
    status?: pulumi.Input<string> | undefined;
    /** Tags that a content must all have. */
    tags?: pulumi.Input<pulumi.Input<string>[]> | undefined;
}

/**
 * Looks up one content, in every preview and every `pulumi up`.
 *
 * Unlike {@link Content.get}, it adds nothing to the stack's state.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export = async () => {
 *     const intro = await videograph.getContent({ contentId: "0b6f2a34-9c1d-4f0e-8a57-2f4f7f1f6f11" });
 *     return { title: intro.title, minutes: Math.round((intro.duration ?? 0) / 60_000) };
 * };
 * ```
 *
 * @param args - Which content: `contentId`, required.
 * @param opts - The environment, for programs that use several.
 * @returns The content as the service returns it.
 * @throws A `pulumi.RunError` when there is no such content, when the credentials are missing or wrong, and when the service
 * does not answer; the program ends with its message and without a stack trace.
 */
export function getContent(args: { contentId: string }, opts: LookupOptions = {}): Promise<ContentResult> {
    return lookup("getContent", args, opts);
}

/**
 * It accepts and returns Outputs, such as an id that another resource computes.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * const trailer = new videograph.Content("trailer", {
 *     title: "Trailer",
 *     content: [{ url: "https://media.example.com/trailer.mp4" }],
 * });
 * export const seconds = videograph
 *     .getContentOutput({ contentId: trailer.contentId })
 *     .apply(({ duration }) => (duration ?? 0) / 1000);
 * ```
 *
 * @param args - Which content. The result is secret if these are, and unknown in a preview if these are.
 * @param opts - The environment, for programs that use several.
 */
export function getContentOutput(args: GetContentArgs, opts?: LookupOutputOptions): pulumi.Output<ContentResult> {
    return lookupOutput(args, opts, getContent);
}

/**
 * Looks up all contents of the environment that match, over all pages of the service's list.
 *
 * A filter by `tags` may cost one more request for each content that matches the other filters, because the service's list may leave
 * out tags.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export = async () => {
 *     const { contents } = await videograph.getContents({ status: "Ready", tags: ["season-2"] });
 *     return { playable: contents.map(({ title, playbackUrl }) => ({ title, playbackUrl })) };
 * };
 * ```
 *
 * @param args - Filters; all that are given must hold. Default: every content.
 * @param opts - The environment, for programs that use several.
 * @returns The contents, in the order of the service's list. The service's list may leave out properties.
 * @throws A `pulumi.RunError` when the credentials are missing or wrong, and when the service does not answer.
 */
export function getContents(
    args: { title?: string | undefined; status?: string | undefined; tags?: string[] | undefined } = {},
    opts: LookupOptions = {},
): Promise<{ contents: ContentResult[] }> {
    return lookup("getContents", args, opts);
}

/**
 * It accepts and returns Outputs, such as filters that other resources compute.
 *
 * @param args - Filters; all that are given must hold. Default: every content.
 * @param opts - The environment, for programs that use several.
 */
export function getContentsOutput(
    args: GetContentsArgs = {},
    opts?: LookupOutputOptions,
): pulumi.Output<{ contents: ContentResult[] }> {
    return lookupOutput(args, opts, getContents);
}
