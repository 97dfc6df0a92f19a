/** Lookups through the plugin: the engine runs them with the provider's own settings. */
import * as pulumi from "@pulumi/pulumi";
import type { ContentResult, GetContentArgs, GetContentsArgs } from "../../program/getContent";
import type {
    GetLivestreamArgs,
    GetLivestreamsArgs,
    LivestreamItem,
    LivestreamResult,
} from "../../program/getLivestream";
import type { GetSigningKeysArgs, SigningKey } from "../../program/getSigningKeys";
import { type LookupName, lookupToken } from "../tokens";
import type { Provider } from "./provider";
import { pluginOptions } from "./registration";

/** The options of a lookup. */
export interface LookupOptions {
    /** The environment to look into, for programs that use several. */
    provider?: Provider | undefined;
    /** The resource whose provider is used, where `provider` is left out. */
    parent?: pulumi.Resource | undefined;
}

/** The options of the Output form of a lookup. */
export interface LookupOutputOptions extends LookupOptions {
    /** Resources that have to exist before the lookup is made. While a preview creates one, the result is unknown. */
    dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/** The plain values of a lookup's arguments. */
type Plain<A> = { [name in keyof A]: pulumi.Unwrap<A[name]> };

/** Looks up one content. An id that does not exist is an error. */
export function getContent(args: Plain<GetContentArgs>, opts?: LookupOptions): Promise<ContentResult> {
    return lookup("getContent", args, opts);
}

/** `getContent` that takes and gives Outputs. */
export function getContentOutput(args: GetContentArgs, opts?: LookupOutputOptions): pulumi.Output<ContentResult> {
    return lookupOutput("getContent", args, opts);
}

/** Looks up all contents that match, over all pages of the service's list. */
export function getContents(
    args: Plain<GetContentsArgs> = {},
    opts?: LookupOptions,
): Promise<{ contents: ContentResult[] }> {
    return lookup("getContents", args, opts);
}

/** `getContents` that takes and gives Outputs. */
export function getContentsOutput(
    args: GetContentsArgs = {},
    opts?: LookupOutputOptions,
): pulumi.Output<{ contents: ContentResult[] }> {
    return lookupOutput("getContents", args, opts);
}

/** Looks up one livestream. Its `streamKey` is a secret Output. */
export async function getLivestream(args: Plain<GetLivestreamArgs>, opts?: LookupOptions): Promise<LivestreamResult> {
    const found = await lookup<LivestreamItem & { streamKey?: string }>("getLivestream", args, opts);
    return { ...found, streamKey: pulumi.secret(found.streamKey) };
}

/** `getLivestream` that takes and gives Outputs. The whole result is a secret, because its `streamKey` is one. */
export function getLivestreamOutput(
    args: GetLivestreamArgs,
    opts?: LookupOutputOptions,
): pulumi.Output<pulumi.Unwrap<LivestreamResult>> {
    return lookupOutput("getLivestream", args, opts);
}

/** Looks up all livestreams that match, without their keys. */
export function getLivestreams(
    args: Plain<GetLivestreamsArgs> = {},
    opts?: LookupOptions,
): Promise<{ livestreams: LivestreamItem[] }> {
    return lookup("getLivestreams", args, opts);
}

/** `getLivestreams` that takes and gives Outputs. */
export function getLivestreamsOutput(
    args: GetLivestreamsArgs = {},
    opts?: LookupOutputOptions,
): pulumi.Output<{ livestreams: LivestreamItem[] }> {
    return lookupOutput("getLivestreams", args, opts);
}

/** Looks up the signing keys that match, oldest first. */
export function getSigningKeys(
    args: Plain<GetSigningKeysArgs> = {},
    opts?: LookupOptions,
): Promise<{ keys: SigningKey[] }> {
    return lookup("getSigningKeys", args, opts);
}

/** `getSigningKeys` that takes and gives Outputs. */
export function getSigningKeysOutput(
    args: GetSigningKeysArgs = {},
    opts?: LookupOutputOptions,
): pulumi.Output<{ keys: SigningKey[] }> {
    return lookupOutput("getSigningKeys", args, opts);
}

function lookup<T>(name: LookupName, args: object, opts: LookupOptions | undefined): Promise<T> {
    return pulumi.runtime.invoke(lookupToken(name), { ...args }, invokeOptions(opts));
}

function lookupOutput<T>(name: LookupName, args: object, opts: LookupOutputOptions = {}): pulumi.Output<T> {
    const { dependsOn, ...rest } = opts;
    const options = { ...invokeOptions(rest), ...(dependsOn && { dependsOn }) };
    return pulumi.runtime.invokeOutput(lookupToken(name), { ...args }, options) as pulumi.Output<T>;
}

function invokeOptions({ provider, parent }: LookupOptions = {}): pulumi.InvokeOptions {
    return { ...pluginOptions(), ...(provider && { provider }), ...(parent && { parent }) };
}
