/** Whether the engine can run this package's resources: through the SDK's dynamic-provider host, or the native plugin. */
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as z from "zod";
import { parseJson } from "../json";
import { PulumiError, pulumi } from "../pulumi";
import type { Shell } from "../shell";
import { type Finding, findingsOf } from "./finding";

const host = "pulumi-resource-pulumi-nodejs";

/** Nothing without a CLI: that is another finding. */
export function dynamicHost({ variables }: Shell): Finding | undefined {
    const { ok, error } = findingsOf("Dynamic host");
    const onPath = (variables.PATH ?? variables.Path ?? "").split(delimiter).filter((folder) => folder !== "");
    const cli = onPath.map((folder) => executable(folder, "pulumi")).find((file) => file !== undefined);
    if (cli === undefined) return undefined;
    const folders = [dirname(cli), dirname(realpathSync(cli)), ...onPath];
    const found = folders.map((folder) => executable(folder, host)).find((file) => file !== undefined);
    if (found !== undefined) return ok(found);
    return error(
        `${host} is neither beside the Pulumi CLI nor on the PATH, so the engine cannot run these resources. Install the Pulumi ` +
            "CLI again from its official download, which has it.",
    );
}

/** The packages of a Yarn project without node_modules are invisible to the engine's own processes. */
export function plugAndPlay(folder: string): Finding | undefined {
    for (let here = folder; ; here = dirname(here)) {
        if (existsSync(join(here, ".pnp.cjs"))) {
            return findingsOf("Yarn Plug'n'Play").error(
                `${join(here, ".pnp.cjs")}: the engine cannot load packages from it. Set \`nodeLinker: node-modules\` in .yarnrc.yml and run ` +
                    "`yarn install`.",
            );
        }
        if (dirname(here) === here) return undefined;
    }
}

const pluginsSchema = z.array(z.object({ name: z.string(), version: z.string().optional() }));

/** Nothing when it is not installed and the state (with `recorded` versions) does not need it: most programs do not. */
export async function nativePlugin(
    shell: Shell,
    version: string,
    recorded: readonly string[],
): Promise<Finding | undefined> {
    const { ok, warning } = findingsOf("Native plugin");
    try {
        const { data = [] } = pluginsSchema.safeParse(parseJson(await pulumi(shell, "plugin", "ls", "--json")));
        const versions = data.filter(({ name }) => name === "videograph").map((plugin) => plugin.version ?? "unknown");
        const missing = recorded.find((one) => !versions.includes(one));
        if (missing !== undefined) {
            return warning(
                `The state has resources of the native plugin ${missing}, which is not installed here, so \`pulumi destroy\` and ` +
                    "`pulumi refresh` would fail. `pulumi preview` of a program with that version of the package installs it.",
            );
        }
        if (versions.length === 0) return undefined;
        if (versions.includes(version)) return ok(versions.join(", "));
        return warning(
            `Installed: ${versions.join(", ")}, and this package is ${version}. The engine takes exactly the version that a program asks for; ` +
                "programs that import pulumi-videograph/native install theirs when they run.",
        );
    } catch (failure) {
        if (failure instanceof PulumiError) return undefined;
        throw failure;
    }
}

function executable(folder: string, name: string): string | undefined {
    const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
    return names.map((file) => join(folder, file)).find(existsSync);
}
