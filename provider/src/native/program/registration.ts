/** The options of native types: their plugin, which is put where the CLI looks, and their dynamic alias. */
import * as pulumi from "@pulumi/pulumi";
import type { Face } from "../../program/registration";
import { pluginDownloadURL, version } from "../../session/pluginSource";
import { nativeTypeOf, packageName, typeOf } from "../../typeTokens";
import { ensurePlugin } from "../install";

/** The plugin that serves a resource or a lookup: installed before the engine needs it. */
export function pluginOptions(): { version: string; pluginDownloadURL?: string } {
    // A user's tests have no engine, and need no plugin. `hasEngine` is false in inline programs, which have one.
    if (pulumi.runtime.getEngine() !== undefined) ensurePlugin((message) => void pulumi.log.warn(message));
    return { version, ...(pluginDownloadURL !== undefined && { pluginDownloadURL }) };
}

/** The native types. Each is the same resource as the dynamic one of its kind. */
export const nativeFace: Face = {
    package: packageName,
    typeOf: nativeTypeOf,
    // A user's own version of the plugin wins.
    optionsOf: (kind, opts) => pulumi.mergeOptions({ ...pluginOptions(), aliases: [{ type: typeOf(kind) }] }, opts),
};
