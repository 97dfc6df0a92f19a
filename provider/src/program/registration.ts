/** The data that `resourceClass.ts` registers for each resource: its properties and, for dynamic resources, hidden inputs. */

import * as pulumi from "@pulumi/pulumi";
import * as runtimeState from "@pulumi/pulumi/runtime/state";
import { type Definition, holdsAddresses } from "../definitions/definition";
import { plainDigest } from "../evidence/digest";
import { messages } from "../messages";
import { holdsSecretUrl } from "../secrets/urls";
import { providerText, type ResourceKind, typeOf } from "../typeTokens";
import { isPlain, refuseLost, refuseWrongConfiguration } from "./refusals";

export type Options = pulumi.CustomResourceOptions | undefined;

export interface Face {
    /** The package of its providers. */
    readonly package: string;
    typeOf(kind: ResourceKind): string;
    /** The hidden inputs that the other face does not have: see {@link hiddenInputs}. */
    hiddenInputs?(kind: ResourceKind, name: string, opts: Options): pulumi.Inputs;
    optionsOf(kind: ResourceKind, opts: Options): Options;
    /** Changes the arguments of an object before they are registered. */
    argsOf?(args: object): object;
    /** A hidden input by which the provider sees that a library holds no secret. */
    plainInputs?(given: object, opts: Options): pulumi.Inputs;
}

export const dynamicFace: Face = {
    package: "pulumi-nodejs",
    typeOf,
    hiddenInputs: dynamicInputs,
    optionsOf: (_kind, opts) => opts,
    argsOf: withSecretMaps,
    // Inputs that `ignoreChanges` puts in their place have another digest: they may be secrets.
    plainInputs: (given, opts) => ({ __plain: digestUnlessSecret(given, opts) }),
};

async function digestUnlessSecret(given: object, opts: Options): Promise<pulumi.Input<string> | undefined> {
    const known = isPlain(given) ? undefined : pulumi.output(given);
    if ((known && (await pulumi.isSecret(known))) || (await mayBeTransformed(opts))) return undefined;
    return known?.apply(plainDigest) ?? plainDigest(given);
}

/** Whether a transform may change the program's values: a secret that a transform makes leaves no trace in the provider's inputs. */
async function mayBeTransformed(opts: Options): Promise<boolean> {
    const { transforms = [], transformations = [], parent = pulumi.runtime.getStackResource() } = opts ?? {};
    const { __transformations: inherited = [] } = { ...parent } as { __transformations?: unknown[] };
    if (transforms.length + transformations.length + inherited.length > 0) return true;
    // The program may register one after this resource.
    await undefined;
    return sdkState.getStore().callbacks !== undefined;
}

/** State that the SDK declares internal, like the transforms of parents and of the stack: there are callbacks if one of them has transforms. */
const sdkState = runtimeState as unknown as { getStore(): { callbacks?: unknown } };

/**
 * Values that the provider receives in addition to the declared inputs. The check replaces `__attempt` with a random text that identifies
 * one attempt of the engine to create the object: the engine records the inputs of a create before it calls the provider, and keeps
 * them if the create never ends. Unknown in a preview, so that an update plan takes any value.
 */
export function hiddenInputs(face: Face, kind: ResourceKind, name: string, opts: Options): pulumi.Inputs {
    const own = face.hiddenInputs?.(kind, name, opts);
    // A read without inputs would look like an import.
    if (opts?.id !== undefined) return { ...own, __get: true };
    const __attempt = pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : "new";
    return { ...own, __organization: organization(), __attempt };
}

/** The stack's organization, for `pulumi stack export`: the engine passes it only to programs. */
function organization(): string | undefined {
    try {
        return pulumi.getOrganization();
    } catch {
        return undefined; // In a user's tests, or with an old CLI.
    }
}

/** The hidden inputs of a dynamic resource. `__provider` only loads the installed package: upgrades serve older resources, and state has no code. */
function dynamicInputs(kind: ResourceKind, name: string, opts: Options): pulumi.Inputs {
    if (opts?.import !== undefined) throw new pulumi.RunError(messages.importOption({ kind, name }));
    refuseWrongConfiguration();
    const __provider = providerText(kind);
    if (opts?.id !== undefined) return { __provider };
    // The engine does not give dynamic providers the URN and the timeouts.
    return { __provider, __urn: urnOf(kind, name, opts?.parent), __timeouts: opts?.customTimeouts };
}

/**
 * The arguments, with each map that contains a secret as a secret. A secret value in a map is not enough: where only its secrecy changes, the engine
 * keeps the recorded outputs, and marks only those whose input is a secret as a whole. A check cannot do it: CLI 3.274 takes the mark of a map away.
 */
function withSecretMaps(args: object): object {
    const maps = Object.entries(args).filter(([, value]) => !Array.isArray(value) && !isPlain(value));
    return { ...args, ...Object.fromEntries(maps.map(([name, map]) => [name, secretIfHolding(map)])) };
}

async function secretIfHolding(map: unknown): Promise<unknown> {
    return (await pulumi.isSecret(pulumi.output(map))) ? pulumi.secret(map) : map;
}

/** The resource's own URN, not as an Output: two inputs that depend on one component would wait for each other for ever. */
function urnOf(kind: ResourceKind, name: string, parent: pulumi.Resource | undefined): Promise<string> {
    const urn = pulumi.createUrn(name, typeOf(kind), parent);
    return new Promise((resolve) => urn.apply(resolve));
}

/** The properties of a resource. Each has to be named, or `.get` does not have it. Unknown ones are passed on: the check reports them. */
export function propertiesOf(definition: Definition, args: object, opts: Options): pulumi.Inputs {
    refuseLost(args);
    const given: pulumi.Inputs = opts?.id === undefined ? { ...args } : {};
    for (const [input, schema] of Object.entries(definition.inputs.shape)) {
        if (holdsAddresses(schema) && given[input] !== undefined)
            given[input] = pulumi.output(given[input]).apply((value) => secretIfPresigned(value));
    }
    const unset = Object.fromEntries(
        Object.keys({ ...definition.inputs.shape, ...definition.outputs.shape }).map((name) => [name, undefined]),
    );
    return { ...unset, ...given };
}

/** The value, as a secret if it holds a presigned URL. `parts`: the value's parts, where it is a text. */
export function secretIfPresigned<T>(value: T, parts: unknown = value): pulumi.Output<T> {
    return (holdsSecretUrl(parts) ? pulumi.secret(value) : pulumi.output(value)) as pulumi.Output<T>;
}

/** Whether the object is a resource of that type, also one of another copy of this package. */
export function isOfType(object: unknown, type: string): boolean {
    return typeof object === "object" && object !== null && "__pulumiType" in object && object.__pulumiType === type;
}
