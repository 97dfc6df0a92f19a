import type * as pulumi from "@pulumi/pulumi";
import type { SigningKey } from "../api/signingKey";
import type { ContentOutputs, LivestreamOutputs } from "./common";
import type { ContentInputs } from "./content";
import type { LivestreamArgs } from "./livestream";
import { lookup, lookupOutput } from "./lookup";

export type { SigningKey } from "../api/signingKey";

/** Outputs that the service may leave out. */
type PartialOutputs<Outputs> = { [name in keyof Outputs]: Outputs[name] | undefined };

/**
 * The inputs as a lookup returns them. A text may be one that no program may declare. Inputs that the service never returns (`Hidden`) are left out.
 */
type ReturnedInputs<Args, Hidden extends keyof Args> = {
    [name in keyof Required<Args> as Exclude<name, Hidden>]: Widened<pulumi.Unwrap<Args[name]>> | undefined;
};
type Widened<T> = T extends string ? string : T extends string[] ? string[] : T;

type HiddenOfContent =
    | ("content" | "watermark" | "subtitle" | "thumbnail")
    | ("waitForReady" | "sourceVersion" | "importId");

/** A content as a function returns it. Properties that the service does not return are `undefined`. */
export interface ContentResult extends ReturnedInputs<ContentInputs, HiddenOfContent>, PartialOutputs<ContentOutputs> {
    /** The content's id. */
    contentId: string;
    /** Pairs of strings, without the ownership marker of this package. */
    metadata: Record<string, string> | undefined;
    /** `Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others. */
    status: string | undefined;
}

/** A livestream as a list returns it, without its key. Properties that the service does not return are `undefined`. */
export interface LivestreamItem extends ReturnedInputs<LivestreamArgs, "importId">, PartialOutputs<LivestreamOutputs> {
    /** The livestream's id. */
    streamUUID: string;
    /** Pairs of strings, without the ownership marker of this package. */
    metadata: Record<string, string> | undefined;
    /** `Idle`, `Active`, `Failed` or `Deleting`; the service may have others. */
    status: string | undefined;
}

/** A livestream as `getLivestream` returns it. */
export interface LivestreamResult extends LivestreamItem {
    /** The key that an encoder authenticates with: anyone who has it can broadcast. Always a secret. */
    streamKey: pulumi.Output<string | undefined>;
}

/** The arguments of {@link getContentOutput}. */
export interface GetContentArgs {
    /** The content's id. */
    contentId: pulumi.Input<string>;
}

/** The filters of {@link getContentsOutput}; all that are given must hold. */
export interface GetContentsArgs {
    /** The exact title, in the exact case. */
    title?: pulumi.Input<string | undefined> | undefined;
    /** The exact status, such as `"Ready"`. */
    status?: pulumi.Input<string | undefined> | undefined;
    /** Tags, all of which a content must have. */
    tags?: pulumi.Input<pulumi.Input<string>[] | undefined> | undefined;
}

/** The arguments of {@link getLivestreamOutput}. */
export interface GetLivestreamArgs {
    /** The livestream's id. */
    streamUUID: pulumi.Input<string>;
}

/** The filters of {@link getLivestreamsOutput}; all that are given must hold. */
export interface GetLivestreamsArgs {
    /** `true`: only recorded livestreams; `false`: only those that are not recorded. Default: all. */
    record?: pulumi.Input<boolean | undefined> | undefined;
}

/** The filters of {@link getSigningKeysOutput}; all that are given must hold. */
export interface GetSigningKeysArgs {
    /** The purpose of the key: 1 Video, 2 Data, 3 System. */
    productTypeId?: pulumi.Input<number | undefined> | undefined;
    /** The number of the environment that the key belongs to. A token sees only the keys of its own environment. */
    environmentId?: pulumi.Input<number | undefined> | undefined;
    /** The key's public identifier, the one that signed playback tokens refer to. */
    signingKeyId?: pulumi.Input<string | undefined> | undefined;
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
 * @returns The content as the service returns it.
 * @throws A `pulumi.RunError` when there is no such object, when the credentials are missing or wrong, and when the
 * service does not answer; the program ends with its message. With the native types the SDK adds a stack trace.
 */
export const getContent = lookup<GetContentArgs, ContentResult>("getContent");

/** The arguments may be Outputs. The result is an Output, which is secret if an argument is. */
export const getContentOutput = lookupOutput<GetContentArgs, ContentResult>("getContent");

/**
 * Looks up all contents of the environment that match, over all pages of the service's list.
 *
 * A filter by `tags` may cost one more request for each content that matches the other filters, because the service's
 * list may leave out tags.
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
 * @returns The contents, in the order of the service's list. The service's list may leave out properties.
 * @throws A `pulumi.RunError` when the credentials are missing or wrong, and when the service does not answer.
 */
export const getContents = lookup<GetContentsArgs, { contents: ContentResult[] }>("getContents");

/** The arguments may be Outputs. The result is an Output, which is secret if an argument is. */
export const getContentsOutput = lookupOutput<GetContentsArgs, { contents: ContentResult[] }>("getContents");

/**
 * Looks up one livestream, in every preview and every `pulumi up`.
 *
 * Unlike {@link Livestream.get}, it adds nothing to the stack's state.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export = async () => {
 *     const stage = await videograph.getLivestream({ streamUUID: "5c2d3a0e-7b1f-4a55-9c32-9b1d7c6b1e02" });
 *     return { onAir: stage.status === "Active", streamKey: stage.streamKey };
 * };
 * ```
 *
 * @returns The livestream as the service returns it; `streamKey` is a secret Output.
 * @throws A `pulumi.RunError` when there is no such object, when the credentials are missing or wrong, and when the
 * service does not answer; the program ends with its message. With the native types the SDK adds a stack trace.
 */
export const getLivestream = lookup<GetLivestreamArgs, LivestreamResult>("getLivestream");

/** The arguments may be Outputs. The result is an Output, which is secret if an argument is. */
export const getLivestreamOutput = lookupOutput<GetLivestreamArgs, pulumi.Unwrap<LivestreamResult>>("getLivestream");

/**
 * Looks up all livestreams of the environment that match. The result has no stream keys; {@link getLivestream} returns
 * the key of one livestream.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export = async () => {
 *     const { livestreams } = await videograph.getLivestreams({ record: true });
 *     return { onAir: livestreams.filter(({ status }) => status === "Active").map(({ title }) => title) };
 * };
 * ```
 *
 * @returns The livestreams, plain ones first. The service's list may leave out properties.
 * @throws A `pulumi.RunError` when the credentials are missing or wrong, and when the service does not answer.
 */
export const getLivestreams = lookup<GetLivestreamsArgs, { livestreams: LivestreamItem[] }>("getLivestreams");

/** The arguments may be Outputs. The result is an Output, which is secret if an argument is. */
export const getLivestreamsOutput = lookupOutput<GetLivestreamsArgs, { livestreams: LivestreamItem[] }>(
    "getLivestreams",
);

/**
 * Looks up the signing keys that match, in every preview and every `pulumi up`. The service never returns private keys.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export = async () => {
 *     const { keys } = await videograph.getSigningKeys({ productTypeId: 1 });
 *     return { newest: keys.at(-1)?.signingKeyId };
 * };
 * ```
 *
 * @returns The keys, oldest first: sorted by `createdOn` and then by `id`. `createdOn` is in milliseconds since the
 * Unix epoch, `createdBy` is an e-mail address, and `signingKeyId` is the public identifier that signed playback tokens
 * refer to.
 * @throws A `pulumi.RunError` when the credentials are missing or wrong, and when the service does not answer.
 */
export const getSigningKeys = lookup<GetSigningKeysArgs, { keys: SigningKey[] }>("getSigningKeys");

/** The arguments may be Outputs. The result is an Output, which is secret if an argument is. */
export const getSigningKeysOutput = lookupOutput<GetSigningKeysArgs, { keys: SigningKey[] }>("getSigningKeys");
