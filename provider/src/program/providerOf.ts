/**
 * Finds the provider of a resource or a lookup. The SDK finds it by its key in a component's map `providers`, and the engine by its package. Where
 * the two differ, a resource and a lookup beside it would use two environments.
 */
import type * as pulumi from "@pulumi/pulumi";
import { packageName } from "../typeTokens";

/** Properties that the SDK does not declare. A resource's `__providers` include those of its parent. */
type Providers = Record<string, pulumi.ProviderResource & { getPackage(): string }>;
interface Ancestor {
    __providers?: Providers;
    __parentResource?: Ancestor;
}

interface ProviderOptions {
    provider?: pulumi.ProviderResource | undefined;
    /** Only components declare this option, but the SDK takes it for every resource. */
    providers?: object | undefined;
    parent?: object | undefined;
}

/** Returns the option `provider`, or else the provider of this package that was given to the resource, or to the nearest component above it. */
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
