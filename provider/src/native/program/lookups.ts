/** Lookups through the plugin: the engine runs them with the provider's own settings. */
import * as pulumi from "@pulumi/pulumi";
import type { LookupName } from "../../lookups/definitions";
import type * as contents from "../../program/getContent";
import type * as livestreams from "../../program/getLivestream";
import type * as signingKeys from "../../program/getSigningKeys";
import { withSecrets } from "../../session/secretValues";
import { lookupToken } from "../tokens";
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

/** The function of the same name in `pulumi-videograph`, with this module's options. */
type Native<F extends (...args: never) => unknown, Options> =
    Parameters<F> extends [infer Args, unknown?]
        ? (args: Args, opts?: Options) => ReturnType<F>
        : (args?: Parameters<F>[0], opts?: Options) => ReturnType<F>;

/** Looks up one content. An id that does not exist is an error. */
export const getContent = plain<typeof contents.getContent>("getContent");
/** `getContent` that takes and gives Outputs. */
export const getContentOutput = output<typeof contents.getContentOutput>("getContent");
/** Looks up all contents that match, over all pages of the service's list. */
export const getContents = plain<typeof contents.getContents>("getContents");
/** `getContents` that takes and gives Outputs. */
export const getContentsOutput = output<typeof contents.getContentsOutput>("getContents");
/** Looks up one livestream. Its `streamKey`, and whatever contains it, is a secret Output. */
export const getLivestream = plain<typeof livestreams.getLivestream>("getLivestream");
/** `getLivestream` that takes and gives Outputs. The whole result is a secret, because its `streamKey` is one. */
export const getLivestreamOutput = output<typeof livestreams.getLivestreamOutput>("getLivestream");
/** Looks up all livestreams that match, without their keys. */
export const getLivestreams = plain<typeof livestreams.getLivestreams>("getLivestreams");
/** `getLivestreams` that takes and gives Outputs. */
export const getLivestreamsOutput = output<typeof livestreams.getLivestreamsOutput>("getLivestreams");
/** Looks up the signing keys that match, oldest first. */
export const getSigningKeys = plain<typeof signingKeys.getSigningKeys>("getSigningKeys");
/** `getSigningKeys` that takes and gives Outputs. */
export const getSigningKeysOutput = output<typeof signingKeys.getSigningKeysOutput>("getSigningKeys");

function plain<F extends (...args: never) => unknown>(name: LookupName): Native<F, LookupOptions> {
    const look = async (args: object = {}, opts?: LookupOptions) => {
        const found = await pulumi.runtime.invoke(lookupToken(name), { ...args }, invokeOptions(opts));
        // The SDK has taken the secrecy away.
        return name === "getLivestream" ? withSecrets(found, { type: "LivestreamResult" }, pulumi.secret) : found;
    };
    return look as Native<F, LookupOptions>;
}

function output<F extends (...args: never) => unknown>(name: LookupName): Native<F, LookupOutputOptions> {
    const look = (args: object = {}, { dependsOn, ...opts }: LookupOutputOptions = {}) =>
        pulumi.runtime.invokeOutput(
            lookupToken(name),
            { ...args },
            { ...invokeOptions(opts), ...(dependsOn && { dependsOn }) },
        );
    return look as Native<F, LookupOutputOptions>;
}

function invokeOptions({ provider, parent }: LookupOptions = {}): pulumi.InvokeOptions {
    return { ...pluginOptions(), ...(provider && { provider }), ...(parent && { parent }) };
}
