/** The provider of a resource or a function. Engine and SDK look for it in different ways: here both find the same one. */
import type * as pulumi from "@pulumi/pulumi";
import { packageName } from "../typeTokens";

/** Internals of the SDK: the package of a provider; a resource's providers, with those that it inherits, and its parent. */
type Providers = Record<string, pulumi.ProviderResource & { getPackage(): string }>;
interface Ancestor {
    __providers?: Providers;
    __parentResource?: Ancestor;
}

interface ProviderOptions {
    provider?: pulumi.ProviderResource | undefined;
    /** The option of components, and at run time of every resource. */
    providers?: object | undefined;
    parent?: object | undefined;
}

/** The option `provider`, or else the provider of the package on the nearest resource that was given one. */
export function providerOf(
    pulumiPackage: string,
    { provider, providers = {}, parent }: ProviderOptions,
): pulumi.ProviderResource | undefined {
    if (provider !== undefined) return provider;
    const all = Object.entries(providers as Providers);
    const own = Object.fromEntries(all.filter(([, one]) => one.getPackage() === pulumiPackage));
    const found = own[pulumiPackage] ?? own[packageName] ?? Object.values(own).at(-1);
    if (found !== undefined || parent === undefined) return found;
    const { __providers = {}, __parentResource: above }: Ancestor = parent;
    const given = Object.entries(__providers).filter(([key, one]) => above?.__providers?.[key] !== one);
    return providerOf(pulumiPackage, { providers: Object.fromEntries(given), parent: above });
}
