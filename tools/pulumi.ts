/**
 * The Pulumi CLI from the command line.
 *
 *     npm run -s pulumi:path         prints the folder of its binaries, getting it first where needed
 *     eval "$(npm run -s env)"       puts it and this repository's Node on the PATH of a shell
 *
 * With PULUMI_VERSION another version than the pinned one.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { nodeFolder, shellExports } from "./pulumiCli/environment.ts";
import { obtainPulumiCli } from "./pulumiCli/index.ts";

try {
    const { folder } = await obtainPulumiCli();
    const variables = {
        PATH: [folder, nodeFolder].join(delimiter),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        // The host of Go programs that a built CLI has takes a module of Pulumi's SDK for a plugin, and tries to download it.
        ...(!existsSync(join(folder, "pulumi-language-dotnet")) && {
            PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        }),
        ...(process.env.PULUMI_VERSION && { PULUMI_VERSION: process.env.PULUMI_VERSION }),
    };
    process.stdout.write(process.argv[2] === "env" ? shellExports(variables) : `${folder}\n`);
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
