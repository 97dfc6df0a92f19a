import type * as pulumi from "@pulumi/pulumi";
import type { SigningKey } from "./api";
import { type LookupOptions, lookup, lookupOutput } from "./lookups";

export type { SigningKey } from "./api";

/** Filters; all of them must hold. */
export interface GetSigningKeysArgs {
    /** 1 Video, 2 Data, 3 System. */
    productTypeId?: pulumi.Input<number> | undefined;
    environmentId?: pulumi.Input<number> | undefined;
    signingKeyId?: pulumi.Input<string> | undefined;
}

/** Looks up the signing keys that match, by `createdOn` and then `id`. The service never shows a private part. */
export function getSigningKeys(
    args: {
        productTypeId?: number | undefined;
        environmentId?: number | undefined;
        signingKeyId?: string | undefined;
    } = {},
    opts: LookupOptions = {},
): Promise<{ keys: SigningKey[] }> {
    return lookup(opts, async (api) => {
        // The service shows no filters of its own.
        const keys = (await api.signingKeys()).filter(
            (key) =>
                (args.productTypeId ?? key.productTypeId) === key.productTypeId &&
                (args.environmentId ?? key.environmentId) === key.environmentId &&
                (args.signingKeyId ?? key.signingKeyId) === key.signingKeyId,
        );
        return { keys: keys.sort((a, b) => a.createdOn - b.createdOn || a.id - b.id) };
    });
}

/** {@link getSigningKeys} that takes and gives Outputs. */
export function getSigningKeysOutput(
    args: GetSigningKeysArgs = {},
    opts?: LookupOptions,
): pulumi.Output<{ keys: SigningKey[] }> {
    return lookupOutput(args, opts, getSigningKeys);
}
