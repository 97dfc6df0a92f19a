/** Which Pulumi CLI this repository works with, and where the one it gets for itself is kept. */
import { homedir } from "node:os";
import { join } from "node:path";

/** The version that is downloaded or built; one on the PATH may be newer but not older. */
export const pinnedVersion = "3.259.0";

/** The user's cache folder for this project: outside the clone, so that a CLI is built once per machine. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
    const caches =
        env.XDG_CACHE_HOME ||
        (process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache"));
    return join(caches, "pulumi-videograph");
}

/** Where the pinned CLI is kept; the machine is part of the name, for home folders shared between machines. */
export function pinnedFolder(env: NodeJS.ProcessEnv = process.env): string {
    return join(cacheFolder(env), `pulumi-${pinnedVersion}-${process.platform}-${process.arch}`);
}

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`; pre-releases count as their release. */
export function compareVersions(a: string, b: string): number {
    return releaseOf(a).localeCompare(releaseOf(b), "en", { numeric: true });
}

function releaseOf(version: string): string {
    return /\d+\.\d+\.\d+/.exec(version)?.[0] ?? "0.0.0";
}
