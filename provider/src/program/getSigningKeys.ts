import type * as pulumi from "@pulumi/pulumi";
import type { SigningKey } from "../api/signingKey";
import type { LookupOptions, LookupOutputOptions } from "./lookupOptions";
import { lookup, lookupOutput } from "./lookups";

export type { SigningKey } from "../api/signingKey";

/** The filters of {@link getSigningKeysOutput}; all that are given must hold. */
export interface GetSigningKeysArgs {
    /** What the key is for: 1 Video, 2 Data, 3 System. */
    productTypeId?: pulumi.Input<number> | undefined;
    /** The number of the environment it belongs to. A token sees only its own. */
    environmentId?: pulumi.Input<number> | undefined;
    /** The key's public identifier, the one that signed playback tokens refer to. */
    signingKeyId?: pulumi.Input<string> | undefined;
}

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
 * @param args - Filters; all that are given must hold. Default: every key.
 * @param opts - The environment, for programs that use several.
 * @returns The keys, oldest first: sorted by `createdOn` and then by `id`. `createdOn` is in milliseconds since the Unix epoch,
 * `createdBy` is an e-mail address, and `signingKeyId` is the public identifier that signed playback tokens refer to.
 * @throws A `pulumi.RunError` when the credentials are missing or wrong, and when the service does not answer.
 */
export function getSigningKeys(
    args: {
        productTypeId?: number | undefined;
        environmentId?: number | undefined;
        signingKeyId?: string | undefined;
    } = {},
    opts: LookupOptions = {},
): Promise<{ keys: SigningKey[] }> {
    return lookup("getSigningKeys", args, opts);
}

/**
 * It accepts and returns Outputs.
 *
 * @param args - Filters; all that are given must hold. Default: every key.
 * @param opts - The environment, for programs that use several.
 */
export function getSigningKeysOutput(
    args: GetSigningKeysArgs = {},
    opts?: LookupOutputOptions,
): pulumi.Output<{ keys: SigningKey[] }> {
    return lookupOutput(args, opts, getSigningKeys);
}
