/**
 * The Pulumi CLI from the command line.
 *
 *     npm run -s pulumi:path         prints the folder of the tests' binaries, getting it first where needed
 *     eval "$(npm run -s env)"       puts one and this repository's Node on the PATH of a shell: a user's own CLI, where it is not too old
 *
 * With PULUMI_VERSION that version.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { nodeFolder, shellExports } from "./pulumiCli/environment.ts";
import { anyPulumiCli, obtainPulumiCli } from "./pulumiCli/index.ts";

try {
    const isForShell = process.argv[2] === "env" && !process.env.PULUMI_VERSION;
    const { folder } = await (isForShell ? anyPulumiCli() : obtainPulumiCli());
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
