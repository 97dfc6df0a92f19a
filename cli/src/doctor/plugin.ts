/** Checks what a program in a language without npm needs: the plugin in a place where the CLI finds it, and an SDK that was made from the plugin. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pulumiHome } from "#provider/evidence/pulumiHome";
import { ownPluginFolder } from "#provider/session/pluginSource";
import type { Project } from "#provider/session/project";
import { packageName } from "#provider/typeTokens";
import type { Shell } from "../shell";
import { type Finding, findingsOf } from "./finding";

const program = `pulumi-resource-${packageName}`;

/** Looks for the plugin in the folder that the project names, or among the plugins that the CLI has installed. */
export function checkPlugin({ pluginFolder }: Project, { variables }: Shell): Finding {
    const { ok, error } = findingsOf("Plugin");
    if (pluginFolder !== undefined) {
        if (existsSync(join(pluginFolder, program))) return ok(pluginFolder);
        return error(`Pulumi.yaml names ${pluginFolder}, but there is no ${program}. Correct the path under plugins.`);
    }
    const plugins = join(pulumiHome(variables), "plugins");
    const all = existsSync(plugins) ? readdirSync(plugins) : [];
    // Beside a plugin's folder, the CLI leaves files with these endings.
    const found = all.filter((name) => name.startsWith(`resource-${packageName}-v`) && !/\.(lock|partial)$/.test(name));
    if (found.length > 0) return ok(found.map((name) => join(plugins, name)).join(", "));
    return error(
        `The plugin is neither in ${plugins} nor named in Pulumi.yaml. Run \`pulumi package add\`, or name the plugin of this command in ` +
            `Pulumi.yaml: \`plugins: { providers: [{ name: ${packageName}, path: ${ownPluginFolder} }] }\`.`,
    );
}

/** The files in which a program names its SDK, and the form of the name. YAML has no SDK. */
const dependencies = new Map([
    ["python", { files: ["requirements.txt", "pyproject.toml"], sdk: /videograph|\bsdk\// }],
    ["go", { files: ["go.mod"], sdk: /videograph/ }],
]);

export function checkGeneratedSdk({ programFolder, runtime }: Project): Finding | undefined {
    const { ok, warning } = findingsOf("SDK");
    const known = dependencies.get(runtime);
    if (known === undefined) return undefined;
    const paths = known.files.map((file) => join(programFolder, file)).filter((path) => existsSync(path));
    const named = paths.find((path) => known.sdk.test(readFileSync(path, "utf8")));
    if (named !== undefined) return ok(`named in ${named}`);
    return warning(
        `No SDK is named in ${known.files.join(" or ")} in ${programFolder}. Run \`pulumi package add\`, or generate one with ` +
            "`pulumi package gen-sdk`.",
    );
}
