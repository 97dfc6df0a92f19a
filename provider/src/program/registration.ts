/** What a program sends to the engine for each resource: the declared inputs, and hidden inputs (`__provider`, `__attempt`…) for this package's provider. */

import * as pulumi from "@pulumi/pulumi";
import * as runtimeState from "@pulumi/pulumi/runtime/state";
import { type Definition, holdsAddresses } from "../definitions/definition";
import { plainDigest } from "../evidence/digest";
import { messages } from "../messages";
import { holdsSecretUrl } from "../secrets/urls";
import { providerText, type ResourceKind, typeOf } from "../typeTokens";
import { isPlain, refuseLost, refuseWrongConfiguration } from "./refusals";

export type Options = pulumi.CustomResourceOptions | undefined;

/** What differs between dynamic resources and native ones. */
export interface Face {
    /** The package that providers of these resources belong to. */
    readonly package: string;
    typeOf(kind: ResourceKind): string;
    /** More hidden inputs, beside those of every resource ({@link hiddenInputs}). */
    hiddenInputs?(kind: ResourceKind, name: string, opts: Options): pulumi.Inputs;
    optionsOf(kind: ResourceKind, opts: Options): Options;
    /** Changes the arguments before they are sent. */
    argsOf?(args: object): object;
    /** The hidden input that tells the provider that a library has no secret, so that its record may be stored in plain. */
    plainInputs?(given: object, opts: Options): pulumi.Inputs;
}

export const dynamicFace: Face = {
    package: "pulumi-nodejs",
    typeOf,
    hiddenInputs: dynamicInputs,
    optionsOf: (_kind, opts) => opts,
    argsOf: withSecretMaps,
    // The digest of the inputs, if none is a secret. `ignoreChanges` may put recorded inputs with secrets in their place: then the digest does not
    // match, and the record becomes a secret.
    plainInputs: (given, opts) => ({ __plain: digestUnlessSecret(given, opts) }),
};

async function digestUnlessSecret(given: object, opts: Options): Promise<pulumi.Input<string> | undefined> {
    const known = isPlain(given) ? undefined : pulumi.output(given);
    if ((known && (await pulumi.isSecret(known))) || (await mayBeTransformed(opts))) return undefined;
    return known?.apply(plainDigest) ?? plainDigest(given);
}

/**
 * Whether a transform may change the inputs. A transform may make a value a secret, and the provider would not know: a dynamic provider gets secrets
 * as plain values.
 */
async function mayBeTransformed(opts: Options): Promise<boolean> {
    const { transforms = [], transformations = [], parent = pulumi.runtime.getStackResource() } = opts ?? {};
    const { __transformations: inherited = [] } = { ...parent } as { __transformations?: unknown[] };
    if (transforms.length + transformations.length + inherited.length > 0) return true;
    // Waits a moment: the program may register a transform in the line after this resource.
    await undefined;
    return sdkState.getStore().callbacks !== undefined;
}

/** State that the SDK does not declare. It has `callbacks` once a resource or the stack has a transform. */
const sdkState = runtimeState as unknown as { getStore(): { callbacks?: unknown } };

/**
 * Returns the hidden inputs. The check replaces `__attempt` by a random text that names this create. The engine writes the inputs of a create into
 * the state before it calls the provider: after a crash, the next run finds the object by this text. In a preview `__attempt` is unknown, because an
 * update plan with one value would refuse another.
 */
export function hiddenInputs(face: Face, kind: ResourceKind, name: string, opts: Options): pulumi.Inputs {
    const own = face.hiddenInputs?.(kind, name, opts);
    // Without this input, a `.get` would have none, and the plugin would take it for an import.
    if (opts?.id !== undefined) return { ...own, __get: true };
    const __attempt = pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : "new";
    return { ...own, __organization: organization(), __attempt };
}

/** The stack's organization, which `pulumi stack export` needs. The engine tells it only to programs, not to providers. */
function organization(): string | undefined {
    try {
        return pulumi.getOrganization();
    } catch {
        return undefined; // A user's tests have no organization, and an old CLI does not tell it.
    }
}

/** The hidden inputs of a dynamic resource. The text `__provider` only loads the installed package, so an upgraded package serves older resources too. */
function dynamicInputs(kind: ResourceKind, name: string, opts: Options): pulumi.Inputs {
    if (opts?.import !== undefined) throw new pulumi.RunError(messages.importOption({ kind, name }));
    refuseWrongConfiguration();
    const __provider = providerText(kind);
    if (opts?.id !== undefined) return { __provider };
    // The SDK does not pass the URN and the timeouts to a dynamic provider, so they are hidden inputs.
    return { __provider, __urn: urnOf(kind, name, opts?.parent), __timeouts: opts?.customTimeouts };
}

/**
 * Turns each map that contains a secret into a secret. Otherwise a program that only makes `metadata.code` a secret would leave its value in the
 * state in plain text: the engine keeps the recorded outputs, and encrypts those whose whole input is a secret. The provider's check cannot mark the
 * map, because CLI 3.274 removes that mark.
 */
function withSecretMaps(args: object): object {
    const maps = Object.entries(args).filter(([, value]) => !Array.isArray(value) && !isPlain(value));
    return { ...args, ...Object.fromEntries(maps.map(([name, map]) => [name, secretIfHolding(map)])) };
}

async function secretIfHolding(map: unknown): Promise<unknown> {
    return (await pulumi.isSecret(pulumi.output(map))) ? pulumi.secret(map) : map;
}

/**
 * Returns the URN of the resource as a promise. An Output would depend on the parent, and a component that waits for this child would wait for ever.
 */
function urnOf(kind: ResourceKind, name: string, parent: pulumi.Resource | undefined): Promise<string> {
    const urn = pulumi.createUrn(name, typeOf(kind), parent);
    return new Promise((resolve) => urn.apply(resolve));
}

/** The inputs of a content, a clip or a livestream. They also name all its other properties, without values (see {@link unset}). */
export function propertiesOf(definition: Definition, args: object, opts: Options): pulumi.Inputs {
    refuseLost(args);
    const given: pulumi.Inputs = opts?.id === undefined ? { ...args } : {};
    for (const [input, schema] of Object.entries(definition.inputs.shape)) {
        if (holdsAddresses(schema) && given[input] !== undefined)
            given[input] = pulumi.output(given[input]).apply((value) => secretIfPresigned(value));
    }
    return { ...unset(...Object.keys({ ...definition.inputs.shape, ...definition.outputs.shape })), ...given };
}

/**
 * Returns these properties, without values. The SDK gives a resource only the properties that its inputs name: this names the outputs, and for
 * `.get`, which declares no inputs, all properties.
 */
export function unset(...names: string[]): pulumi.Inputs {
    return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** The value, as a secret if it has a presigned URL. `parts`: the parsed value, where it is a JSON text. */
export function secretIfPresigned<T>(value: T, parts: unknown = value): pulumi.Output<T> {
    return (holdsSecretUrl(parts) ? pulumi.secret(value) : pulumi.output(value)) as pulumi.Output<T>;
}

/** Whether the object is a resource of this type. `instanceof` is no help: another copy of this package has classes of its own. */
export function isOfType(object: unknown, type: string): boolean {
    return typeof object === "object" && object !== null && "__pulumiType" in object && object.__pulumiType === type;
}
