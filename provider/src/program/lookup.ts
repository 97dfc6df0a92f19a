/** The two forms of every lookup. `runLookup.ts` has the client, in the program's own process. */

import * as pulumi from "@pulumi/pulumi";
import * as sdkDependencies from "@pulumi/pulumi/runtime/dependsOn";
import type { Properties } from "../inputs/values";
import type { LookupName } from "../lookups/definitions";
import { messages } from "../messages";
import { type Provider, resolvedValue, settingsFor } from "./provider";
import { providerOf } from "./providerOf";
import { checkedLookup } from "./refusals";
import { dynamicFace } from "./registration";

/** The options of a function. */
export interface LookupOptions {
    /** The environment, for programs that use several. Default: that of `parent`. */
    provider?: Provider | undefined;
    /** The resource whose provider is used when `provider` is left out, such as a component. */
    parent?: pulumi.Resource | undefined;
}

/** The options of the Output form of a lookup. */
export interface LookupOutputOptions extends LookupOptions {
    /** Resources that must exist before the function runs. If a preview creates one of them, the result is unknown. */
    dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/** What a lookup is called with. The arguments may be left out where all of them are optional. */
export type Called<Args, Options> = object extends Args ? [args?: Args, opts?: Options] : [args: Args, opts?: Options];
/** A lookup in plain values. */
export type Lookup<Args, Result> = (...given: Called<pulumi.Unwrap<Args>, LookupOptions>) => Promise<Result>;
/** The Output form of a lookup. */
export type LookupOutput<Args, Result> = (...given: Called<Args, LookupOutputOptions>) => pulumi.Output<Result>;

export function lookup<Args, Result>(name: LookupName): Lookup<Args, Result> {
    return checkedLookup(name, "", (args, opts: LookupOptions) => run(name, args, opts));
}

/** The Output form of a lookup. Secret settings do not make the result secret, secret arguments do. */
export function lookupOutput<Args, Result>(name: LookupName): LookupOutput<Args, Result> {
    return checkedLookup(name, "Output", (args, opts: LookupOutputOptions) => {
        const provider = ownProvider(opts);
        // Unknown settings make the result unknown, and secret ones do not make it a secret.
        const ready = pulumi.unsecret(settingsFor(provider).apply(() => true));
        return pulumi
            .all([args, ready, resourcesExist(opts.dependsOn)])
            .apply(([known]) => run(name, known, { provider }));
    });
}

async function run(name: LookupName, given: object, options: LookupOptions): Promise<Properties> {
    // Loaded when needed, and a file of its own: most programs make no lookup, and need no client.
    const { runLookup } = require("./runLookup") as typeof import("./runLookup");
    return runLookup(name, given, () => resolvedValue(settingsFor(ownProvider(options))));
}

function ownProvider(options: LookupOptions): Provider | undefined {
    const provider = providerOf(dynamicFace.package, options);
    // With other settings the lookup would read another environment.
    if (provider !== undefined && !("ownSettings" in provider)) throw new pulumi.RunError(messages.foreignProvider());
    return provider as Provider | undefined;
}

/** An Output that is unknown as long as one of the resources does not exist. */
function resourcesExist(dependsOn: LookupOutputOptions["dependsOn"]): pulumi.Output<unknown> {
    // The type of Output.apply goes on to the properties of resources, which are not wanted here.
    const listed = pulumi.output(dependsOn as pulumi.Input<object> | undefined) as pulumi.Output<unknown>;
    return listed.apply(async (resources) => {
        const named = new Set([resources ?? []].flat() as pulumi.Resource[]);
        // A component stands for the resources in it, as in `dependsOn` of a resource.
        const all = await getAllTransitivelyReferencedResources(named, new Set());
        return pulumi.all(all.map((one) => (pulumi.CustomResource.isInstance(one) ? one.id : one.urn)));
    });
}

type Resources = ReadonlySet<pulumi.Resource>;
/** A function that the SDK declares internal. */
const { getAllTransitivelyReferencedResources } = sdkDependencies as unknown as {
    getAllTransitivelyReferencedResources(resources: Resources, exclude: Resources): Promise<pulumi.Resource[]>;
};
