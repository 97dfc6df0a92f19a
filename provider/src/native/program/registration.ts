/**
 * What every resource of a native type passes to the engine: the plugin's version, where to get it, and its dynamic alias.
 * The first of them puts the plugin where the CLI looks.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Definition, propertyNames } from "../../inputs/definition";
import { attemptInput, organization, refuseLostKeys } from "../../program/registration";
import { type ResourceKind, typeOf } from "../../typeTokens";
import { ensurePlugin, pluginDownloadURL, version } from "../install";

export interface PluginOptions {
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

/** The properties as the engine is given them: each has to be named, or `.get` does not have it. */
export function propertiesOf(
    definition: Definition,
    args: object,
    opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
    refuseLostKeys(args);
    const names = propertyNames(definition).filter((name) => name !== "importId");
    const unset = Object.fromEntries(names.map((name) => [name, undefined]));
    return { ...unset, ...(opts?.id === undefined && args), ...hiddenInputs(opts) };
}
