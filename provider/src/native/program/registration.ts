/** The options of native types: their plugin, which is put where the CLI looks, and their dynamic alias. */
import * as pulumi from "@pulumi/pulumi";
import { messages } from "../../messages";
import { perRun } from "../../program/perRun";
import type { Face } from "../../program/registration";
import { ownFolder, pluginDownloadURL, version } from "../../session/pluginSource";
import { nativeTypeOf, packageName, type ResourceKind, typeOf } from "../../typeTokens";
import { parseUrn } from "../../urn";
import { ensurePlugin } from "../install";

/** Each run looks once: it may have another home, or none of the earlier run's files. */
const pluginIsThere = perRun(() => {
    if (ownFolder === undefined) throw new pulumi.RunError(messages.packageNotFound({ folder: process.cwd() }));
    ensurePlugin((message) => void pulumi.log.warn(message));
});

/** The plugin that serves a resource or a lookup: installed before the engine needs it. */
export function pluginOptions(): { version: string; pluginDownloadURL?: string } {
    // A user's tests have no engine, and need no plugin. `hasEngine` is false in inline programs, which have one.
    if (pulumi.runtime.getEngine() !== undefined) pluginIsThere();
    return { version, ...(pluginDownloadURL !== undefined && { pluginDownloadURL }) };
}

/** The native types. Each is the same resource as the dynamic one of its kind. */
export const nativeFace: Face = {
    package: packageName,
    typeOf: nativeTypeOf,
    // A user's own version of the plugin wins.
    optionsOf: (kind, opts) => {
        const given = (opts?.aliases ?? []).map((alias) =>
            pulumi.output(alias as pulumi.Input<Alias>).apply((known) => dynamicAlias(kind, known as Alias)),
        );
        return pulumi.mergeOptions({ ...pluginOptions(), aliases: [{ type: typeOf(kind) }, ...given] }, opts);
    },
};

type Alias = pulumi.URN | pulumi.Alias;

/** The alias as one of the dynamic type: a change may rename or move a resource and take the native types at once. */
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
