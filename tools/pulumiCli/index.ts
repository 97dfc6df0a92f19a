/**
 * The Pulumi CLI for this repository's demo and tests: the one on the PATH when it will do, else the official download,
 * else built from its Go modules. The last two are kept in the user's cache folder.
 */
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { buildCli } from "./build.ts";
import { downloadCli } from "./download.ts";
import { cliOnPath, cliVersion, findProgram, type PulumiCli } from "./inspect.ts";
import { withLock } from "./lock.ts";
import { cacheFolder, compareVersions, pinnedFolder, pinnedVersion } from "./pin.ts";

export type { PulumiCli } from "./inspect.ts";

/** Finds or gets the CLI. Throws an error that names all ways when none works. */
export async function obtainPulumiCli(say: (line: string) => void = sayOnStderr): Promise<PulumiCli> {
    const onPath = await cliOnPath();
    if (typeof onPath !== "string" && compareVersions(onPath.version, pinnedVersion) >= 0) return onPath;

    const kept = await keptCli();
    if (kept !== undefined) return kept;
    await mkdir(cacheFolder(), { recursive: true });
    return await withLock(
        `${pinnedFolder()}.lock`,
        async () => {
            const meanwhile = await keptCli();
            if (meanwhile !== undefined) return meanwhile;
            await removeLeftovers();
            const whyNot =
                typeof onPath === "string" ? onPath : `the one in ${onPath.folder} is ${onPath.version}, too old`;
            say(`No Pulumi CLI ${pinnedVersion} or newer: ${whyNot}`);
            return await getAndKeep(whyNot, say);
        },
        (holder) => say(`Waiting for process ${holder}, which is getting the Pulumi CLI`),
    );
}

/** The CLI got earlier, if it is whole and runs. */
async function keptCli(): Promise<PulumiCli | undefined> {
    const folder = join(pinnedFolder(), "bin");
    const names = ["pulumi", "pulumi-language-nodejs"];
    if (names.some((name) => findProgram(name, [folder]) === undefined)) return undefined;
    const version = await cliVersion(join(folder, "pulumi"));
    return version === undefined ? undefined : { folder, version };
}

async function getAndKeep(whyNotOnPath: string, say: (line: string) => void): Promise<PulumiCli> {
    const failures: string[] = [];
    const ways = [
        { name: "official download", get: (root: string) => downloadCli(pinnedVersion, root, say) },
        { name: "build from Go modules", get: (root: string) => buildCli(root, say) },
    ];
    for (const { name, get } of ways) {
        const root = await mkdtemp(`${pinnedFolder()}.new-`);
        try {
            await get(root);
            await chmod(root, 0o755);
            await putInPlace(root, pinnedFolder());
            const cli = await keptCli();
            if (cli !== undefined) return cli;
            failures.push(`${name}: what came of it does not run`);
        } catch (error) {
            failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
            say(`  ${failures.at(-1)}`);
        } finally {
            await rm(root, { recursive: true, force: true });
        }
    }
    throw new Error(
        [
            `The Pulumi CLI ${pinnedVersion} or newer is needed, and none of three ways to get it worked:`,
            `  on the PATH: ${whyNotOnPath}`,
            ...failures.map((failure) => `  ${failure}`),
            "Install it (https://www.pulumi.com/docs/install/) so that `pulumi version` works, or make one of the ways work.",
        ].join("\n"),
    );
}

/** Removes what an interrupted run left; what is younger than an hour may be another machine's, at work right now. */
async function removeLeftovers(): Promise<void> {
    const name = basename(pinnedFolder());
    for (const entry of await readdir(cacheFolder())) {
        if (!entry.startsWith(`${name}.new-`) && !entry.startsWith(`${name}.old-`)) continue;
        const path = join(cacheFolder(), entry);
        if (Date.now() - (await stat(path)).mtimeMs > 3_600_000) await rm(path, { recursive: true, force: true });
    }
}

/** A folder cannot replace one that holds files, so a broken one in its place is moved away first. */
async function putInPlace(from: string, to: string): Promise<void> {
    if (existsSync(to)) {
        const old = await mkdtemp(`${to}.old-`);
        await rename(to, old);
        await rm(old, { recursive: true, force: true });
    }
    await rename(from, to);
}

function sayOnStderr(line: string): void {
    process.stderr.write(`${line}\n`);
}
