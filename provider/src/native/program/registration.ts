/**
 * What every resource of a native type passes to the engine: the plugin's version, where to get it, and its dynamic alias.
 * The first of them puts the plugin where the CLI looks.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Definition, secretOutputs } from "../../inputs/definition";
import { attemptInput, isOfType, organization, propertiesOf, stopTraces } from "../../program/registration";
import { type ResourceKind, typeOf } from "../../typeTokens";
import { ensurePlugin, pluginDownloadURL, version } from "../install";
import { nativeTypeOf } from "../tokens";

interface PluginOptions {
    version: string;
    pluginDownloadURL?: string;
}

/** The plugin that serves a resource or a lookup: installed before the engine needs it. */
export function pluginOptions(): PluginOptions {
    // A user's tests have no engine, and need no plugin. `hasEngine` is false in inline programs, which have one.
    if (pulumi.runtime.getEngine() !== undefined) ensurePlugin((message) => void pulumi.log.warn(message));
    return { version, ...(pluginDownloadURL !== undefined && { pluginDownloadURL }) };
}

/** The user's options, with those of the plugin and the type that the resource has in stacks of dynamic resources. */
export function optionsOf(
    kind: ResourceKind,
    opts: pulumi.CustomResourceOptions | undefined,
    own: pulumi.CustomResourceOptions = {},
): pulumi.CustomResourceOptions {
    return pulumi.mergeOptions(
        pulumi.mergeOptions({ ...pluginOptions(), aliases: [{ type: typeOf(kind) }], ...own }, opts),
        // A user's own version of the plugin wins.
        opts?.version === undefined ? {} : { version: opts.version },
    );
}

/** Values that the plugin receives in addition to the declared inputs. */
export function hiddenInputs(opts: pulumi.CustomResourceOptions | undefined): pulumi.Inputs {
    return opts?.id === undefined ? { __organization: organization(), ...attemptInput() } : {};
}

/** A class of resources. */
export interface ResourceClass<Resource, Args> {
    new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): Resource;
    /** Whether the object is a resource of this class, also one of another copy of this package. */
    isInstance(object: unknown): object is Resource;
}

/** A class of resources that are an object of the service. */
export interface ObjectClass<Resource, Args> extends ResourceClass<Resource, Args> {
    /** Reads an existing object into the program without managing it: it is never changed or deleted. An id that does not exist is an error. */
    get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Resource;
}

/**
 * A class with a native type, whose outputs the interface names: the SDK sets each. Classes are made, and not derived: from the
 * number of constructors the SDK knows where a program declares a resource.
 */
export function resourceClass<Resource, Args>(
    kind: ResourceKind,
    properties: (args: Args, opts: pulumi.CustomResourceOptions | undefined) => pulumi.Inputs,
    own?: pulumi.CustomResourceOptions,
): ObjectClass<Resource, Args> {
    const type = nativeTypeOf(kind);
    const made = class extends pulumi.CustomResource {
        static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions) {
            return new made(name, {} as Args, { ...opts, id });
        }

        static override isInstance(object: unknown): object is pulumi.CustomResource {
            return isOfType(object, type);
        }

        constructor(name: string, args: Args, opts?: pulumi.CustomResourceOptions) {
            const resumeTraces = stopTraces();
            try {
                super(type, name, properties(args, opts), optionsOf(kind, opts, own));
            } finally {
                resumeTraces();
            }
        }
    };
    return made as unknown as ObjectClass<Resource, Args>;
}

/** The class of an object of the service. `idName`: another name for its `id`. */
export function objectClass<Resource, Args extends object>(
    definition: Definition,
    idName?: string,
): ObjectClass<Resource, Args> {
    const made = resourceClass<Resource, Args>(
        definition.name,
        (args, opts) => propertiesOf(definition, args, opts, hiddenInputs(opts)),
        { additionalSecretOutputs: secretOutputs(definition) },
    );
    if (idName !== undefined) {
        const { prototype } = made as unknown as { prototype: pulumi.CustomResource };
        Object.defineProperty(prototype, idName, {
            get(this: pulumi.CustomResource) {
                return this.id;
            },
        });
    }
    return made;
}
