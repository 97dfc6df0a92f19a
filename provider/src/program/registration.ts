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
    /** Hidden inputs beside those of {@link hiddenInputs}. */
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
    // The digest of inputs without a secret. `ignoreChanges` may put recorded inputs, with secrets, in their place: then the digest does not match.
    plainInputs: (given, opts) => ({ __plain: digestUnlessSecret(given, opts) }),
};

async function digestUnlessSecret(given: object, opts: Options): Promise<pulumi.Input<string> | undefined> {
    const known = isPlain(given) ? undefined : pulumi.output(given);
    if ((known && (await pulumi.isSecret(known))) || (await mayBeTransformed(opts))) return undefined;
    return known?.apply(plainDigest) ?? plainDigest(given);
}

/** Whether a transform may change the inputs. It may make a value a secret, and a dynamic provider gets secrets as plain values. */
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
 * The hidden inputs. The check replaces `__attempt` by a random text that names this create. The engine writes the inputs of a create into the state before
 * it calls the provider, so the text is there after a crash, and the next run knows the object by it. In a preview `__attempt` is unknown: an update plan
 * would refuse another value.
 */
export function hiddenInputs(face: Face, kind: ResourceKind, name: string, opts: Options): pulumi.Inputs {
    const own = face.hiddenInputs?.(kind, name, opts);
    // Without any input, the engine's read for `.get` would look like an import.
    if (opts?.id !== undefined) return { ...own, __get: true };
    const __attempt = pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : "new";
    return { ...own, __organization: organization(), __attempt };
}

/** The stack's organization. `pulumi stack export` needs it, and the engine tells it to programs alone. */
function organization(): string | undefined {
    try {
        return pulumi.getOrganization();
    } catch {
        return undefined; // In a user's tests, or with an old CLI.
    }
}

/** The hidden inputs of a dynamic resource. The text `__provider` only loads the installed package, so an upgraded package serves older resources too. */
function dynamicInputs(kind: ResourceKind, name: string, opts: Options): pulumi.Inputs {
    if (opts?.import !== undefined) throw new pulumi.RunError(messages.importOption({ kind, name }));
    refuseWrongConfiguration();
    const __provider = providerText(kind);
    if (opts?.id !== undefined) return { __provider };
    // The SDK passes a dynamic provider neither the URN nor the timeouts.
    return { __provider, __urn: urnOf(kind, name, opts?.parent), __timeouts: opts?.customTimeouts };
}

/**
 * Makes a secret of each map that contains one. If the program makes `metadata.code` a secret and changes nothing else, the engine keeps the recorded
 * outputs, and encrypts only those whose whole input is a secret: the value would stay in the state in plain text. The provider's check cannot help,
 * because CLI 3.274 removes its mark of a map.
 */
function withSecretMaps(args: object): object {
    const maps = Object.entries(args).filter(([, value]) => !Array.isArray(value) && !isPlain(value));
    return { ...args, ...Object.fromEntries(maps.map(([name, map]) => [name, secretIfHolding(map)])) };
}

async function secretIfHolding(map: unknown): Promise<unknown> {
    return (await pulumi.isSecret(pulumi.output(map))) ? pulumi.secret(map) : map;
}

/** The URN of the resource, as a promise: an Output of it would depend on the parent, and a component that waits for its child would wait for ever. */
function urnOf(kind: ResourceKind, name: string, parent: pulumi.Resource | undefined): Promise<string> {
    const urn = pulumi.createUrn(name, typeOf(kind), parent);
    return new Promise((resolve) => urn.apply(resolve));
}

/** The inputs of a content, a clip or a livestream, and the names of all its other properties. */
export function propertiesOf(definition: Definition, args: object, opts: Options): pulumi.Inputs {
    refuseLost(args);
    const given: pulumi.Inputs = opts?.id === undefined ? { ...args } : {};
    for (const [input, schema] of Object.entries(definition.inputs.shape)) {
        if (holdsAddresses(schema) && given[input] !== undefined)
            given[input] = pulumi.output(given[input]).apply((value) => secretIfPresigned(value));
    }
    return { ...unset(...Object.keys({ ...definition.inputs.shape, ...definition.outputs.shape })), ...given };
}

/** Names these properties. The SDK gives an object only properties that are named in this way: `.get` declares no inputs, and outputs are none. */
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
