/** Gets the official build of the Pulumi CLI, by Pulumi's own installer. */
import { setTimeout as after } from "node:timers/promises";
import { SemVer } from "semver";
import { say } from "./cache.ts";

const installer = "https://get.pulumi.com/install.sh";
const reachMs = 5_000;
const installMs = 180_000;

/**
 * Installs the official CLI into `<root>/bin`. Throws within seconds where the installer cannot be reached, and after three minutes in
 * any case: what still runs then ends with this process.
 */
export async function downloadCli(version: string, root: string): Promise<void> {
    await fetch(installer, { method: "HEAD", signal: AbortSignal.timeout(reachMs) }).catch((error: Error) => {
        const why = error.cause instanceof Error ? error.cause.message : error.message;
        throw new Error(`${installer} is not reachable (${why})`);
    });
    say(`Downloading the Pulumi CLI ${version} from get.pulumi.com`);
    // Loading the SDK takes a second, which only a download is worth.
    const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
    const installed = PulumiCommand.install({ version: new SemVer(version), root, skipVersionCheck: true });
    const late = after(installMs, undefined, { ref: false }).then(() => {
        throw new Error(`not finished after ${installMs / 1000} s`);
    });
    await Promise.race([installed, late]);
}
