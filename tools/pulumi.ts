/**
 * The Pulumi CLI from the command line.
 *
 *     node tools/pulumi.ts path               prints the folder of its binaries, getting it first where needed
 *     eval "$(node tools/pulumi.ts env)"      puts it and this repository's Node on the PATH of a shell
 */
import { delimiter } from "node:path";
import { nodeFolder, shellExports } from "./pulumiCli/environment.ts";
import { obtainPulumiCli } from "./pulumiCli/index.ts";

try {
    const { folder } = await obtainPulumiCli();
    const variables = { PATH: [folder, nodeFolder].join(delimiter), PULUMI_SKIP_UPDATE_CHECK: "true" };
    process.stdout.write(process.argv[2] === "env" ? shellExports(variables) : `${folder}\n`);
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
