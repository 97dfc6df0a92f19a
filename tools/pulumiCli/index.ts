/**
 * The Pulumi CLI for this repository's demo and tests: the one on the PATH when it will do, else the official download,
 * else built from its Go modules. The last two are kept in the user's cache folder.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { coerce, gte, SemVer } from "semver";
import { buildCli } from "./build.ts";
import { kept, say } from "./cache.ts";

/** The version that is downloaded or built; one on the PATH may be newer but not older. */
const pinnedVersion = "3.259.0";

/** A Pulumi CLI and the folder that has to be on the PATH for it. */
export interface PulumiCli {
    readonly folder: string;
    readonly version: string;
}

/** Finds or gets the CLI. Throws an error that names all ways when none works. */
export async function obtainPulumiCli(): Promise<PulumiCli> {
    const onPath = await cliOnPath();
    if (typeof onPath !== "string") return onPath;
    const root = await kept(`cli-${pinnedVersion}`, (fresh) => get(fresh, onPath));
    const folder = join(root, "bin");
    const version = await cliVersion(join(folder, "pulumi"));
    if (version === undefined)
        throw new Error(`The Pulumi CLI in ${root} does not run: delete this folder, and start again`);
    return { folder, version };
}

async function get(root: string, whyNotOnPath: string): Promise<void> {
    const failures = [`on the PATH: ${whyNotOnPath}`];
    for (const [name, way] of [
        ["the official download", downloadCli],
        ["a build from its Go modules", buildCli],
    ] as const) {
        say(`No Pulumi CLI ${pinnedVersion} or newer ${failures.at(-1)}`);
        try {
            return await way(pinnedVersion, root);
        } catch (error) {
            failures.push(`by ${name}: ${error instanceof Error ? error.message : error}`);
        }
        await rm(root, { recursive: true, force: true });
        await mkdir(root);
    }
    throw new Error(
        `The Pulumi CLI ${pinnedVersion} or newer is needed. Install it (https://www.pulumi.com/docs/install/) so that \`pulumi version\` works, or make one of these ways work:\n  ${failures.join("\n  ")}`,
    );
}

/** By Pulumi's own installer. */
async function downloadCli(version: string, root: string): Promise<void> {
    // Loading the SDK takes a second, which only a download is worth.
    const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
    await PulumiCommand.install({ version: new SemVer(version), root, skipVersionCheck: true });
}

/** The CLI on the PATH, or why there is none that will do. */
async function cliOnPath(): Promise<PulumiCli | string> {
    const pulumi = findProgram("pulumi");
    if (pulumi === undefined) return "there is no pulumi on the PATH";
    const version = await cliVersion(pulumi);
    if (version === undefined) return `${pulumi} does not run`;
    // A pre-release counts as its release.
    if (!gte(coerce(version) ?? "0.0.0", pinnedVersion)) return `${pulumi} is ${version}, too old`;
    return { folder: dirname(pulumi), version };
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
