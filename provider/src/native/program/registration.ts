/**
 * The options of every native resource: the plugin, and an alias with the dynamic type. By this alias the engine knows a resource that was dynamic
 * before.
 */
import * as pulumi from "@pulumi/pulumi";
import { messages } from "../../messages";
import { perRun } from "../../program/perRun";
import type { Face } from "../../program/registration";
import { ownFolder, pluginDownloadURL, version } from "../../session/pluginSource";
import { nativeTypeOf, packageName, type ResourceKind, typeOf } from "../../typeTokens";
import { parseUrn } from "../../urn";
import { ensurePlugin } from "../install";

/** Installs the plugin once in each run. A process with the Automation API has many runs, and each may have another PULUMI_HOME. */
const pluginIsThere = perRun(() => {
    if (ownFolder === undefined) throw new pulumi.RunError(messages.packageNotFound({ folder: process.cwd() }));
    ensurePlugin((message) => void pulumi.log.warn(message));
});

/** Returns the options that name the plugin. Installs the plugin first, so that the engine finds it. */
export function pluginOptions(): { version: string; pluginDownloadURL?: string } {
    // A user's unit tests have no engine, and need no plugin. The SDK's `hasEngine()` does not help: it is false also in inline programs, which have
    // an engine.
    if (pulumi.runtime.getEngine() !== undefined) pluginIsThere();
    return { version, ...(pluginDownloadURL !== undefined && { pluginDownloadURL }) };
}

/** How native resources are registered. */
export const nativeFace: Face = {
    package: packageName,
    typeOf: nativeTypeOf,
    // `opts` come last: a user may choose another version of the plugin.
    optionsOf: (kind, opts) => {
        const given = (opts?.aliases ?? []).map((alias) =>
            pulumi.output(alias as pulumi.Input<Alias>).apply((known) => dynamicAlias(kind, known as Alias)),
        );
        return pulumi.mergeOptions({ ...pluginOptions(), aliases: [{ type: typeOf(kind) }, ...given] }, opts);
    },
};

type Alias = pulumi.URN | pulumi.Alias;

/**
 * The user's alias, with the dynamic type in place of the native one. Without it, a resource that is renamed and moved to the native types in one change
 * would be created again.
 */
function dynamicAlias(kind: ResourceKind, alias: Alias): Alias {
    const native = nativeTypeOf(kind);
    if (typeof alias !== "string") {
        const { type = native } = alias;
        return { ...alias, type: type === native ? typeOf(kind) : type };
    }
    const urn = parseUrn(alias);
    const parents = urn?.types.split("$") ?? [];
    if (urn === undefined || parents.pop() !== native) return alias;
    return `urn:pulumi:${urn.stack}::${urn.project}::${[...parents, typeOf(kind)].join("$")}::${urn.name}`;
}
