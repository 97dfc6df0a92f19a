/**
 * The Pulumi CLI from the command line.
 *
 *     node tools/pulumi.ts path               prints the folder of its binaries, getting it first where needed
 *     eval "$(node tools/pulumi.ts env)"      puts it and this repository's Node on the PATH of a shell
 */
import { delimiter } from "node:path";
import { nodeFolder } from "./pulumiCli/environment.ts";
import { obtainPulumiCli } from "./pulumiCli/index.ts";

const [command = "path"] = process.argv.slice(2);

try {
    switch (command) {
        case "path":
            console.log((await obtainPulumiCli()).folder);
            break;
        case "env": {
            const { folder } = await obtainPulumiCli();
            console.log(`export PATH=${quoted([folder, nodeFolder].join(delimiter))}${delimiter}"$PATH"`);
            console.log("export PULUMI_SKIP_UPDATE_CHECK=true");
            break;
        }
        default:
            throw new Error(`Unknown command ${command}: use "path" or "env"`);
    }
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}

/** For a POSIX shell. */
function quoted(text: string): string {
    return `'${text.replaceAll("'", "'\\''")}'`;
}
