/** Gets the official build of the Pulumi CLI, by Pulumi's own installer. */
import { spawn } from "node:child_process";
import { once } from "node:events";

const installer = "https://get.pulumi.com/install.sh";
const probeTimeoutMs = 5_000;
const downloadTimeoutMs = 180_000;

/**
 * Installs the official CLI into `<root>/bin`. Throws within seconds where the installer cannot be reached, and after
 * three minutes in any case.
 */
export async function downloadCli(version: string, root: string, say: (line: string) => void): Promise<void> {
    await fetch(installer, { method: "HEAD", signal: AbortSignal.timeout(probeTimeoutMs) }).catch((error: Error) => {
        throw new Error(
            `${installer} is not reachable (${error.cause instanceof Error ? error.cause.message : error.message})`,
        );
    });
    say(`Downloading the Pulumi CLI ${version} from get.pulumi.com`);
    // In a process group of its own: the SDK's installer runs a shell script, and neither has a time limit.
    const child = spawn(process.execPath, ["--input-type=commonjs", "--eval", program, version, root], {
        cwd: import.meta.dirname,
        detached: true,
        stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
        errors += text;
    });
    const timer = setTimeout(() => {
        errors += `not finished after ${downloadTimeoutMs / 1000} s`;
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, downloadTimeoutMs);
    const [code] = await once(child, "close");
    clearTimeout(timer);
    if (code !== 0) throw new Error(errors.trim().split("\n").at(-1) || `the installer ended with code ${code}`);
}

const program = `
const { PulumiCommand } = require("@pulumi/pulumi/automation");
const { SemVer } = require("node:module").createRequire(require.resolve("@pulumi/pulumi"))("semver");
const [version, root] = process.argv.slice(1);
PulumiCommand.install({ version: new SemVer(version), root, skipVersionCheck: true }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
});
`;
