/**
 * The Pulumi CLI from the command line.
 *
 *     node tools/pulumi.ts path               prints the folder of its binaries, getting it first where needed
 *     eval "$(node tools/pulumi.ts env)"      puts it and this repository's Node on the PATH of a shell
 */
import { delimiter } from "node:path";
import { nodeFolder, shellExports } from "./pulumiCli/environment.ts";
import { obtainPulumiCli } from "./pulumiCli/index.ts";

const [command = "path"] = process.argv.slice(2);

try {
    switch (command) {
        case "path":
            console.log((await obtainPulumiCli()).folder);
            break;
        case "env": {
            const { folder } = await obtainPulumiCli();
            const PATH = [folder, nodeFolder].join(delimiter);
            process.stdout.write(shellExports({ PATH, PULUMI_SKIP_UPDATE_CHECK: "true" }));
            break;
        }
        default:
            throw new Error(`Unknown command ${command}: use "path" or "env"`);
    }
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
