/** The tools: Node, the Pulumi CLI with its plugins, and the packages as the project loads them. */

import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import * as semver from "semver";
import * as z from "zod";
import { parseJson } from "#provider/api/json";
import { messageOf } from "#provider/lifecycle/index";
import { packageVersion } from "../commandLine";
import { findProject, type Project, PulumiError, pulumi } from "../pulumi";
import type { Shell } from "../shell";
import { ofStack, type StackState } from "../state";
import { type Finding, findingsOf } from "./finding";

/** The oldest that are tested. */
const oldest = { node: "22.19.0", sdk: "3.268.0", cli: "3.259.0" };

export async function* tools(
    shell: Shell,
    stack: string | undefined,
    state: StackState | undefined,
): AsyncGenerator<Finding> {
    yield node(shell);
    yield cli(shell);
    yield* dynamicHost(shell);
    const project = findProject(shell.cwd);
    const { ok, warning } = findingsOf("Project");
    if (project === undefined) {
        yield warning(
            `${shell.cwd} is not in a Pulumi project. Run this in a project's folder to check the project too.`,
        );
        if (stack !== undefined) yield selected(shell, stack);
        return;
    }
    yield ok(`${project.name} in ${project.folder}`);
    yield selected(shell, stack);
    yield* plugAndPlay(project.programFolder);
    yield sdk(project);
    yield own(project);
    yield* nativePlugin(shell, state?.pluginVersions ?? []);
}

/** The one on the PATH: it runs programs and providers, whichever runs this command. */
async function node({ cwd, variables }: Shell): Promise<Finding> {
    const { ok, error } = findingsOf("Node.js");
    const version = await promisify(execFile)("node", ["--version"], { cwd, env: variables, windowsHide: true }).then(
        ({ stdout }) => semver.parse(stdout.trim()),
        () => null,
    );
    if (version !== null && semver.gte(version, oldest.node)) return ok(version.version);
    const found = version === null ? "No node is on the PATH" : `The node on the PATH is ${version.version}`;
    return error(`${found}, and Pulumi runs programs with it. Put ${oldest.node} or newer first on the PATH.`);
}

async function cli(shell: Shell): Promise<Finding> {
    const { ok, warning, error } = findingsOf("Pulumi CLI");
    try {
        const version = (await pulumi(shell, "version")).trim().replace(/^v/, "");
        return semver.gte(version, oldest.cli)
            ? ok(version)
            : warning(`${version} is older than ${oldest.cli}, the oldest that is tested. Install a newer one.`);
    } catch (failure) {
        return error(messageOf(failure));
    }
}

/** The engine runs dynamic resources through it. Without a CLI there is another finding. */
function* dynamicHost({ variables }: Shell): Generator<Finding> {
    const { ok, error } = findingsOf("Dynamic host");
    const host = "pulumi-resource-pulumi-nodejs";
    const onPath = (variables.PATH ?? variables.Path ?? "").split(delimiter).filter((folder) => folder !== "");
    const find = (name: string, folders: readonly string[]) => {
        const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
        return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(existsSync);
    };
    const executable = find("pulumi", onPath);
    if (executable === undefined) return;
    const found = find(host, [dirname(executable), dirname(realpathSync(executable)), ...onPath]);
    if (found !== undefined) yield ok(found);
    else {
        yield error(
            `${host} is neither next to the Pulumi CLI nor on the PATH, so the engine cannot run these resources. Install the Pulumi ` +
                "CLI again from its official download, which contains it.",
        );
    }
}

async function selected(shell: Shell, stack: string | undefined): Promise<Finding> {
    const { ok, warning } = findingsOf("Stack");
    try {
        return ok((await pulumi(shell, "stack", "--show-name", ...ofStack(stack))).trim());
    } catch (failure) {
        if (!(failure instanceof PulumiError)) throw failure;
        return warning(`${failure.message} Or name one by --stack.`);
    }
}

/** The engine's own processes cannot see the packages of a Yarn project without node_modules. */
function* plugAndPlay(folder: string): Generator<Finding> {
    for (let here = folder; ; here = dirname(here)) {
        const file = join(here, ".pnp.cjs");
        if (existsSync(file)) {
            yield findingsOf("Yarn Plug'n'Play").error(
                `${file}: the engine cannot load packages from it. Set \`nodeLinker: node-modules\` in .yarnrc.yml and run \`yarn install\`.`,
            );
            return;
        }
        if (dirname(here) === here) return;
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
    return semver.gte(installed.version, oldest.sdk)
        ? ok(installed.version)
        : error(`@pulumi/pulumi ${installed.version} is too old. Install ${oldest.sdk} or newer.`);
}

/** This package, as the program loads it: with pnpm and in workspaces from the program's folder alone. */
function own({ programFolder }: Project): Finding {
    const { ok, warning, error } = findingsOf("pulumi-videograph");
    const installed = packageIn(programFolder, "pulumi-videograph");
    if (installed === undefined) {
        return error(
            `It cannot be loaded from ${programFolder}, the folder of the Pulumi program. Add it to the dependencies of that ` +
                "folder's own package.json (a dependency of a dependency is not enough) and install.",
        );
    }
    const theirs = packageIn(installed.folder, "@pulumi/pulumi");
    const program = packageIn(programFolder, "@pulumi/pulumi");
    if (theirs !== undefined && program !== undefined && theirs.folder !== program.folder) {
        return warning(
            `It loads a different copy of @pulumi/pulumi (${theirs.version} in ${theirs.folder}) than the program does. Make both use the ` +
                "same version, for example with `npm dedupe`.",
        );
    }
    if (installed.version === packageVersion()) return ok(`${installed.version} in ${installed.folder}`);
    return warning(
        `The project has ${installed.version}, and this command is ${packageVersion()}. Run it with \`npx\` in the program's folder.`,
    );
}

const pluginsSchema = z.array(z.object({ name: z.string(), version: z.string().catch("unknown") }));

/** Most programs do not need it. `recorded` are the versions that the state needs. */
async function* nativePlugin(shell: Shell, recorded: readonly string[]): AsyncGenerator<Finding> {
    const { ok, warning } = findingsOf("Native plugin");
    const text = await pulumi(shell, "plugin", "ls", "--json").catch(() => "[]");
    const { data = [] } = pluginsSchema.safeParse(parseJson(text));
    const versions = data.filter(({ name }) => name === "videograph").map(({ version }) => version);
    const missing = recorded.find((one) => !versions.includes(one));
    if (missing !== undefined) {
        yield warning(
            `The state has resources of the native plugin ${missing}, which is not installed here, so \`pulumi destroy\` and ` +
                "`pulumi refresh` would fail. `pulumi preview` of a program with that version of the package installs it.",
        );
    } else if (versions.includes(packageVersion())) yield ok(versions.join(", "));
    else if (versions.length > 0) {
        yield warning(
            `Installed: ${versions.join(", ")}, and this package is ${packageVersion()}. The engine takes exactly the version that a ` +
                "program asks for; programs that import pulumi-videograph/native install theirs when they run.",
        );
    }
}

const manifestSchema = z.object({ version: z.string() });

/** The package as code in that folder gets it. A damaged one counts as missing. */
function packageIn(folder: string, name: string): { version: string; folder: string } | undefined {
    for (const modules of createRequire(join(folder, "x.js")).resolve.paths(name) ?? []) {
        const file = join(modules, name, "package.json");
        if (!existsSync(file)) continue;
        const manifest = manifestSchema.safeParse(parseJson(readFileSync(file, "utf8"))).data;
        return manifest && { version: manifest.version, folder: realpathSync(join(modules, name)) };
    }
    return undefined;
}
