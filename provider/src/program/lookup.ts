/** The two forms of every lookup, with a client in the program's own process. */

import * as pulumi from "@pulumi/pulumi";
import * as sdkDependencies from "@pulumi/pulumi/runtime/dependsOn";
import type { VideographApi } from "../api";
import type { Properties } from "../inputs/values";
import { type LookupName, lookups } from "../lookups/definitions";
import { messages, prepend } from "../messages";
import { withSecrets } from "../session/secretValues";
import { credentialsOf, type ResolvedSettings } from "../session/settings";
import { perRun } from "./perRun";
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

/** A lookup in plain values. Its arguments may be left out where all of them are optional. */
export type Lookup<Args, Result> = object extends Args
    ? (args?: pulumi.Unwrap<Args>, opts?: LookupOptions) => Promise<Result>
    : (args: pulumi.Unwrap<Args>, opts?: LookupOptions) => Promise<Result>;

/** The Output form of a lookup. */
export type LookupOutput<Args, Result> = object extends Args
    ? (args?: Args, opts?: LookupOutputOptions) => pulumi.Output<Result>
    : (args: Args, opts?: LookupOutputOptions) => pulumi.Output<Result>;

const clientsOfRun = perRun(() => new Map<string, VideographApi>());

export function lookup<Args, Result>(name: LookupName): Lookup<Args, Result> {
    return checkedLookup(name, "", (args, opts: LookupOptions) => runLookup(name, args, opts));
}

/** The Output form of a lookup. Secret settings do not make the result secret, secret arguments do. */
export function lookupOutput<Args, Result>(name: LookupName): LookupOutput<Args, Result> {
    return checkedLookup(name, "Output", (args, opts: LookupOutputOptions) => {
        const provider = ownProvider(opts);
        // Unknown settings make the result unknown, and secret ones do not make it a secret.
        const ready = pulumi.unsecret(settingsFor(provider).apply(() => true));
        return pulumi
            .all([args, ready, resourcesExist(opts.dependsOn)])
            .apply(([known]) => runLookup(name, known, { provider }));
    });
}

/** Runs a lookup. Its errors are shown without a stack trace. */
async function runLookup(name: LookupName, given: object, options: LookupOptions): Promise<Properties> {
    // Loaded when needed: most programs make no lookup.
    const { checkedArguments, find } = await import("../lookups/find.js");
    const { args, problems } = checkedArguments(lookups[name].args, given);
    if (problems[0] !== undefined) throw new pulumi.RunError(prepend(`The arguments of ${name}:`, problems[0]));
    const settings = await resolvedValue(settingsFor(ownProvider(options)));
    if (settings === undefined) throw new pulumi.RunError(messages.unknownSettings());
    try {
        const api = await clientFor(settings);
        const found = await find(name, api, args, (message) => pulumi.log.warn(message));
        return withSecrets(found, lookups[name].result, pulumi.secret);
    } catch (error) {
        const { explainError } = await import("../session/explain.js");
        const { redactorFor } = await import("../inputs/redactor.js");
        const redactor = redactorFor({ inputs: lookups[name].args }, [args]);
        throw new pulumi.RunError(redactor.redact(explainError(error, settings)));
    }
}

async function clientFor(settings: ResolvedSettings): Promise<VideographApi> {
    const { VideographApi } = await import("../api/index.js");
    const options = credentialsOf(settings);
    const key = JSON.stringify(options);
    const clients = clientsOfRun();
    const known = clients.get(key);
    if (known !== undefined) return known;
    const api = new VideographApi(options);
    clients.set(key, api);
    const { addressWarning } = await import("../session/explain.js");
    const warning = addressWarning(settings);
    if (warning !== undefined) void pulumi.log.info(warning);
    return api;
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
