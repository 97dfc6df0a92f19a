/** The lookups of native programs. The engine passes each to the plugin, which has the provider's settings. */
import * as pulumi from "@pulumi/pulumi";
import { type LookupName, lookups } from "../../lookups/definitions";
import { messageOf, messages } from "../../messages";
import type * as dynamic from "../../program/lookup";
import type * as functions from "../../program/lookups";
import { providerOf } from "../../program/providerOf";
import { checkedLookup } from "../../program/refusals";
import { withSecrets } from "../../secretValues/marks";
import { nativeTypeOf } from "../../typeTokens";
import type { Provider } from "./provider";
import { nativeFace, pluginOptions } from "./registration";

/** The options of a lookup, such as `getContent`. */
export interface LookupOptions extends Omit<dynamic.LookupOptions, "provider"> {
    /** The environment, for programs that use several. Default: that of `parent`. */
    provider?: Provider | undefined;
}

/** The options of the Output form of a lookup, such as `getContentOutput`. */
export interface LookupOutputOptions extends Omit<dynamic.LookupOutputOptions, "provider">, LookupOptions {}

/** The type of a function in `pulumi-videograph`, with the options of this module in place of its own. */
type NativeLookup<F extends (...given: never) => unknown, Options> = (
    ...given: dynamic.Called<NonNullable<Parameters<F>[0]>, Options>
) => ReturnType<F>;

/** Looks up one content, in every preview and every `pulumi up`. */
export const getContent = plainLookup<typeof functions.getContent>("getContent");
/** `getContent` that accepts and returns Outputs. */
export const getContentOutput = outputLookup<typeof functions.getContentOutput>("getContent");
/** Looks up all contents of the environment that match, over all pages of the service's list. */
export const getContents = plainLookup<typeof functions.getContents>("getContents");
/** `getContents` that accepts and returns Outputs. */
export const getContentsOutput = outputLookup<typeof functions.getContentsOutput>("getContents");
/** Looks up one livestream, in every preview and every `pulumi up`. */
export const getLivestream = plainLookup<typeof functions.getLivestream>("getLivestream");
/** `getLivestream` that accepts and returns Outputs. */
export const getLivestreamOutput = outputLookup<typeof functions.getLivestreamOutput>("getLivestream");
/**
 * Looks up all livestreams of the environment that match. The result has no stream keys; {@link getLivestream} returns
 * the key of one livestream.
 */
export const getLivestreams = plainLookup<typeof functions.getLivestreams>("getLivestreams");
/** `getLivestreams` that accepts and returns Outputs. */
export const getLivestreamsOutput = outputLookup<typeof functions.getLivestreamsOutput>("getLivestreams");
/**
 * Looks up the signing keys that match, in every preview and every `pulumi up`. The service never returns private keys.
 */
export const getSigningKeys = plainLookup<typeof functions.getSigningKeys>("getSigningKeys");
/** `getSigningKeys` that accepts and returns Outputs. */
export const getSigningKeysOutput = outputLookup<typeof functions.getSigningKeysOutput>("getSigningKeys");

function plainLookup<F extends (...given: never) => unknown>(name: LookupName): NativeLookup<F, LookupOptions> {
    return checkedLookup(name, "", async ({ ...args }, opts: LookupOptions) => {
        const answer = pulumi.runtime.invoke(nativeTypeOf(name), args, invokeOptions(opts));
        const found = await answer.catch((error: unknown) => {
            // Of a RunError the SDK prints only the message, of any other error also the stack.
            throw new pulumi.RunError(messageOf(error));
        });
        if (isUnanswered(found)) throw new pulumi.RunError(messages.unknownSettings());
        // A plain `invoke` of the SDK returns secrets as plain values, so the stream key is marked again.
        return withSecrets(found, lookups[name].result, pulumi.secret);
    });
}

function outputLookup<F extends (...given: never) => unknown>(name: LookupName): NativeLookup<F, LookupOutputOptions> {
    return checkedLookup(name, "Output", ({ ...args }, { dependsOn, ...opts }: LookupOutputOptions) =>
        pulumi.runtime
            .invokeOutput(nativeTypeOf(name), args, { ...invokeOptions(opts), ...(dependsOn && { dependsOn }) })
            .apply((found) => (isUnanswered(found) ? pulumi.output(pulumi.unknown) : found)),
    );
}

/** Whether the engine has not asked the plugin, because a preview does not know the provider's settings yet. The answer is then an empty object. */
function isUnanswered(found: unknown): boolean {
    return pulumi.runtime.isDryRun() && Object.keys({ ...(found as object) }).length === 0;
}

function invokeOptions(options: LookupOptions): pulumi.InvokeOptions {
    const provider = providerOf(nativeFace.package, options);
    return { ...pluginOptions(), ...(provider && { provider }) };
}
