/**
 * The Pulumi CLI for this repository's demo and tests: the one on the PATH when it will do, else the official download, else built
 * from its Go modules. The last two are kept where Pulumi's npm package `pulumi` and its Automation API keep theirs.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { coerce, gte, SemVer } from "semver";
import { buildCli, oldestVersion, pinnedVersion } from "./build.ts";
import { filledOnce } from "./cache.ts";
import { say } from "./progress.ts";

/** A Pulumi CLI and the folder that has to be on the PATH for it. */
export interface PulumiCli {
    readonly folder: string;
    readonly version: string;
}

/**
 * Finds or gets the CLI that tests and benchmarks run with: the pinned version, or that of PULUMI_VERSION, which the npm package
 * `pulumi` reads too. Throws an error that names all ways when none works.
 */
export async function obtainPulumiCli(): Promise<PulumiCli> {
    const version = process.env.PULUMI_VERSION || pinnedVersion;
    const onPath = await cliOnPath();
    if (onPath?.version === version) return onPath;
    const root = await filledOnce(join(pulumiHome(), "versions", version), (folder) => get(version, folder));
    const folder = join(root, "bin");
    if ((await cliVersion(join(folder, "pulumi"))) === undefined)
        throw new Error(`The Pulumi CLI in ${root} does not run: delete this folder, and start again`);
    return { folder, version };
}

/** The one on the PATH if it is not older than the oldest that is tested, else as for tests. */
export async function anyPulumiCli(): Promise<PulumiCli> {
    const onPath = await cliOnPath();
    // A pre-release counts as its release.
    if (onPath && gte(coerce(onPath.version) ?? "0.0.0", oldestVersion)) return onPath;
    return obtainPulumiCli();
}

function pulumiHome(): string {
    return process.env.PULUMI_HOME || join(homedir(), ".pulumi");
}

async function get(version: string, root: string): Promise<void> {
    const failures: string[] = [];
    say(`Getting the Pulumi CLI ${version}, once per machine: there is none on the PATH`);
    for (const [name, way] of [
        ["by the official download", downloadCli],
        ["by a build from its Go modules", buildCli],
    ] as const) {
        try {
            return await way(version, root);
        } catch (error) {
            failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
            if (way === downloadCli) say("It cannot be downloaded: building it from its Go modules");
        }
    }
    throw new Error(
        `The Pulumi CLI ${version} is needed. Install it (https://www.pulumi.com/docs/install/) so that \`pulumi version\` works, or make one of these ways work:\n  ${failures.join("\n  ")}`,
    );
}

/** By Pulumi's own installer. */
async function downloadCli(version: string, root: string): Promise<void> {
    // Loading the SDK takes a second, which only a download is worth.
    const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
    await PulumiCommand.install({ version: new SemVer(version), root, skipVersionCheck: true });
}

async function cliOnPath(): Promise<PulumiCli | undefined> {
    const pulumi = findProgram("pulumi");
    const version = pulumi && (await cliVersion(pulumi));
    return version ? { folder: dirname(pulumi), version } : undefined;
}

/** The program of that name in the first folder that has one. */
export function findProgram(name: string): string | undefined {
    const file = process.platform === "win32" ? `${name}.exe` : name;
    const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
    return folders.map((folder) => join(folder, file)).find(existsSync);
}

/** What `pulumi version` says, without a leading "v"; undefined when it does not run. */
async function cliVersion(pulumi: string): Promise<string | undefined> {
    try {
        const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const { stdout } = await promisify(execFile)(pulumi, ["version"], { env, timeout: 30_000 });
        return stdout.trim().replace(/^v/, "");
    } catch {
        return undefined;
    }
}
