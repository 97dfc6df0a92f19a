/** The tools: Node, the Pulumi CLI, and the packages as the project has them. */
import { execFile } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import * as semver from "semver";
import * as z from "zod";
import { messageOf } from "../../lifecycle";
import { packageVersion } from "../packageVersion";
import { findProject, type Project } from "../project";
import { PulumiError, pulumi } from "../pulumi";
import type { Shell } from "../shell";
import type { StackState } from "../stackState";
import { dynamicHost, nativePlugin, plugAndPlay } from "./dynamicHost";
import { engineProxy } from "./engineProxy";
import { type Finding, findingsOf } from "./finding";

const oldestNode = "22.19.0";
const oldestSdk = "3.268.0";
/** The oldest that is tested. */
const oldestCli = "3.259.0";

export async function* tools(
    shell: Shell,
    stack: string | undefined,
    state: StackState | undefined,
): AsyncGenerator<Finding> {
    yield await node(shell);
    yield await cli(shell);
    const host = dynamicHost(shell);
    if (host !== undefined) yield host;
    yield* engineProxy(shell.variables);
    const project = findProject(shell.cwd);
    if (project === undefined) {
        const { warning } = findingsOf("Project");
        yield warning(`${shell.cwd} is in no Pulumi project. Run this in a project's folder to check the project too.`);
        if (stack !== undefined) yield await selected(shell, stack);
        return;
    }
    yield findingsOf("Project").ok(`${project.name} in ${project.folder}`);
    yield await selected(shell, stack);
    const unloadable = plugAndPlay(project.programFolder);
    if (unloadable !== undefined) yield unloadable;
    yield sdk(project);
    yield own(project);
    const plugin = await nativePlugin(shell, packageVersion(), state?.pluginVersions ?? []);
    if (plugin !== undefined) yield plugin;
}

/** The one on the PATH: it runs programs and providers, whichever runs this command. */
async function node({ cwd, variables }: Shell): Promise<Finding> {
    const { ok, error } = findingsOf("Node.js");
    const options = { cwd, env: variables, windowsHide: true };
    const version = await promisify(execFile)("node", ["--version"], options).then(
        ({ stdout }) => semver.parse(stdout.trim()),
        () => null,
    );
    if (version === null) {
        return error(
            `There is no node on the PATH, and Pulumi runs programs with it. Put ${oldestNode} or newer on the PATH.`,
        );
    }
    if (semver.gte(version, oldestNode)) return ok(version.version);
    return error(
        `The node on the PATH, with which Pulumi runs programs and this package, is ${version.version}. Put ${oldestNode} or newer ` +
            "first on the PATH.",
    );
}

async function cli(shell: Shell): Promise<Finding> {
    const { ok, warning, error } = findingsOf("Pulumi CLI");
    try {
        const version = (await pulumi(shell, "version")).trim().replace(/^v/, "");
        return semver.gte(version, oldestCli)
            ? ok(version)
            : warning(`${version} is older than ${oldestCli}, the oldest that is tested. Install a newer one.`);
    } catch (failure) {
        return error(messageOf(failure));
    }
}

async function selected(shell: Shell, stack: string | undefined): Promise<Finding> {
    const { ok, warning } = findingsOf("Stack");
    try {
        const args = stack === undefined ? [] : ["--stack", stack];
        return ok((await pulumi(shell, "stack", "--show-name", ...args)).trim());
    } catch (failure) {
        if (!(failure instanceof PulumiError)) throw failure;
        return warning(`${failure.message} Or name one by --stack.`);
    }
}

function sdk({ programFolder }: Project): Finding {
    const { ok, error } = findingsOf("Pulumi SDK");
    const installed = packageIn(programFolder, "@pulumi/pulumi");
    if (installed === undefined) {
        return error(
            `@pulumi/pulumi cannot be loaded from ${programFolder}. Add it to the dependencies of that folder's package.json and install.`,
        );
    }
    return semver.gte(installed.version, oldestSdk)
        ? ok(installed.version)
        : error(`@pulumi/pulumi ${installed.version} is too old. Install ${oldestSdk} or newer.`);
}

/** This package is loaded from the program's folder, with pnpm as with workspaces. */
function own({ programFolder }: Project): Finding {
    const { ok, warning, error } = findingsOf("pulumi-videograph");
    const installed = packageIn(programFolder, "pulumi-videograph");
    if (installed === undefined) {
        return error(
            `It cannot be loaded from ${programFolder}, the folder of the Pulumi program. Add it to the dependencies of that ` +
                "folder's own package.json (a dependency of a dependency is not enough, with pnpm above all) and install.",
        );
    }
    const theirs = packageIn(installed.folder, "@pulumi/pulumi");
    const program = packageIn(programFolder, "@pulumi/pulumi");
    if (theirs !== undefined && program !== undefined && theirs.folder !== program.folder) {
        return warning(
            `It loads another copy of @pulumi/pulumi (${theirs.version} in ${theirs.folder}) than the program does. Let both have ` +
                "one version, for example by `npm dedupe`.",
        );
    }
    const version = packageVersion();
    if (installed.version !== version) {
        return warning(
            `The project has ${installed.version}, and this command is ${version}. Run it by \`npx\` in the program's folder.`,
        );
    }
    return ok(`${installed.version} in ${installed.folder}`);
}

const manifestSchema = z.object({ version: z.string() });

/** The package as code in that folder gets it. */
function packageIn(folder: string, name: string): { version: string; folder: string } | undefined {
    try {
        for (const modules of createRequire(join(folder, "x.js")).resolve.paths(name) ?? []) {
            const text = readManifest(join(modules, name));
            if (text === undefined) continue;
            return {
                version: manifestSchema.parse(JSON.parse(text)).version,
                folder: realpathSync(join(modules, name)),
            };
        }
    } catch {
        // Damaged: as good as missing.
    }
    return undefined;
}

function readManifest(folder: string): string | undefined {
    try {
        return readFileSync(join(folder, "package.json"), "utf8");
    } catch {
        return undefined;
    }
}
