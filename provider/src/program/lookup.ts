/** The plain form and the Output form of a lookup (`getContent`, `getContentOutput`). The requests are in `runLookup.ts`. */

import * as pulumi from "@pulumi/pulumi";
import * as sdkDependencies from "@pulumi/pulumi/runtime/dependsOn";
import type { Properties } from "../inputs/values";
import type { LookupName } from "../lookups/definitions";
import { messages } from "../messages";
import type { ResolvedSettings } from "../session/settings";
import { type Provider, resolvedValue, settingsFor } from "./provider";
import { providerOf } from "./providerOf";
import { checkedLookup } from "./refusals";
import { dynamicFace } from "./registration";

/** The options of a lookup, such as `getContent`. */
export interface LookupOptions {
    /** The environment, for programs that use several. Default: that of `parent`. */
    provider?: Provider | undefined;
    /** The resource whose provider is used when `provider` is left out, such as a component. */
    parent?: pulumi.Resource | undefined;
}

/** The options of the Output form of a lookup, such as `getContentOutput`. */
export interface LookupOutputOptions extends LookupOptions {
    /** Resources that must exist before the function runs. If a preview creates one of them, the result is unknown. */
    dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/** The parameters of a lookup. `args` may be left out where all arguments are optional. */
export type Called<Args, Options> = object extends Args ? [args?: Args, opts?: Options] : [args: Args, opts?: Options];
/** A lookup in plain values. */
export type Lookup<Args, Result> = (...given: Called<pulumi.Unwrap<Args>, LookupOptions>) => Promise<Result>;
/** The Output form of a lookup. */
export type LookupOutput<Args, Result> = (...given: Called<Args, LookupOutputOptions>) => pulumi.Output<Result>;

export function lookup<Args, Result>(name: LookupName): Lookup<Args, Result> {
    return checkedLookup(name, "", async (args, opts: LookupOptions) => run(name, args, ownSettings(opts)));
}

/** Makes the Output form of a lookup. The result is secret if an argument is. */
export function lookupOutput<Args, Result>(name: LookupName): LookupOutput<Args, Result> {
    return checkedLookup(name, "Output", (args, opts: LookupOutputOptions) => {
        const settings = ownSettings(opts);
        // Unknown settings make the result unknown. `unsecret`, because otherwise the secret key in the settings would make every result a secret.
        const ready = pulumi.unsecret(settings.apply(() => true));
        return pulumi.all([args, ready, resourcesExist(opts.dependsOn)]).apply(([known]) => run(name, known, settings));
    });
}

function run(name: LookupName, given: object, settings: pulumi.Output<ResolvedSettings>): Promise<Properties> {
    // `require`, so that a program without lookups does not load the client.
    const { runLookup } = require("./runLookup") as typeof import("./runLookup");
    return runLookup(name, given, () => resolvedValue(settings));
}

function ownSettings(options: LookupOptions): pulumi.Output<ResolvedSettings> {
    const provider = providerOf(dynamicFace.package, options);
    // This provider has no settings that a lookup can use. Without the error, the lookup would read the default environment.
    if (provider !== undefined && !("ownSettings" in provider)) throw new pulumi.RunError(messages.foreignProvider());
    return settingsFor(provider as Provider | undefined);
}

/** Returns an Output that stays unknown in a preview that creates one of the resources. */
function resourcesExist(dependsOn: LookupOutputOptions["dependsOn"]): pulumi.Output<unknown> {
    // Cast, because the type of `apply` would unwrap the properties of the resources too.
    const listed = pulumi.output(dependsOn as pulumi.Input<object> | undefined) as pulumi.Output<unknown>;
    return listed.apply(async (resources) => {
        const named = new Set([resources ?? []].flat() as pulumi.Resource[]);
        // A component stands for all resources in it, as in the resource option `dependsOn`.
        const all = await getAllTransitivelyReferencedResources(named, new Set());
        return pulumi.all(all.map((one) => (pulumi.CustomResource.isInstance(one) ? one.id : one.urn)));
    });
}

type Resources = ReadonlySet<pulumi.Resource>;
/** The SDK has this function, but does not declare it. */
const { getAllTransitivelyReferencedResources } = sdkDependencies as unknown as {
    getAllTransitivelyReferencedResources(resources: Resources, exclude: Resources): Promise<pulumi.Resource[]>;
};
