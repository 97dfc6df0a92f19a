/**
 * Finds the provider of a resource or a function. The SDK looks up `providers` by the keys of the map, the engine by the provider's
 * package and only for resources that are created: here both find the same one.
 */
import type * as pulumi from "@pulumi/pulumi";
import { packageName } from "../typeTokens";

type Providers = Record<string, pulumi.ProviderResource>;

/** The options that lead to a provider. */
interface ProviderOptions {
    provider?: pulumi.ProviderResource | undefined;
    /** Of components, and at run time of every resource. */
    providers?: pulumi.ProviderResource[] | Providers | undefined;
    parent?: pulumi.Resource | undefined;
}

/** Internals of the SDK: a resource's providers, with those that it inherits, its parent, and the package of a provider. */
interface ParentProviders {
    __providers?: Providers;
    __parentResource?: ParentProviders;
}
interface PackageOption {
    getPackage(): string;
}

/** The option `provider`, or else the provider of the package on the nearest resource that was given one. */
export function providerOf(
    pulumiPackage: string,
    { provider, providers = {}, parent }: ProviderOptions,
): pulumi.ProviderResource | undefined {
    if (provider !== undefined) return provider;
    let entries: [string, pulumi.ProviderResource][] = Object.entries(providers);
    for (let next = parent as ParentProviders | undefined; ; next = next.__parentResource) {
        const own = Object.fromEntries(
            entries.filter(([, one]) => (one as unknown as PackageOption).getPackage() === pulumiPackage),
        );
        const found = own[pulumiPackage] ?? own[packageName] ?? Object.values(own).at(-1);
        if (found !== undefined || next === undefined) return found;
        entries = providersOfParent(next);
    }
}

function providersOfParent({
    __providers = {},
    __parentResource,
}: ParentProviders): [string, pulumi.ProviderResource][] {
    return Object.entries(__providers).filter(([key, one]) => __parentResource?.__providers?.[key] !== one);
}
