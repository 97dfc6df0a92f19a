/** The versions: Node, the Pulumi CLI, and the packages as the project loads them. */
import { join } from "node:path";
import * as semver from "semver";
import { messageOf } from "#provider/messages/index";
import { installedFolder } from "#provider/session/installed";
import { manifestIn, version as ownVersion } from "#provider/session/pluginSource";
import { findProject, type Project } from "#provider/session/project";
import type { Shell } from "../shell";
import { type Finding, findingsOf } from "./finding";
import { checkGeneratedSdk, checkPlugin } from "./plugin";

/** The oldest versions that are tested. */
const oldestVersions = { sdk: "3.268.0", cli: "3.259.0" };

/** What the npm package `pulumi` prints before it has downloaded the CLI, which it does at its first run. */
const notDownloaded =
    "The npm package `pulumi` could not download the CLI, as behind some proxies. Install the CLI (https://www.pulumi.com/docs/install/), " +
    "and remove that package from package.json.";

export async function* checkVersions(shell: Shell): AsyncGenerator<Finding> {
    // With an older Node.js this command would not have started.
    yield findingsOf("Node.js").ok(process.versions.node);
    yield checkCli(shell);
    const { ok, warning } = findingsOf("Project");
    const project = findProject(shell.cwd);
    yield project === undefined
        ? warning(
              `${shell.cwd} is not in a Pulumi project, or its Pulumi.yaml is damaged. Run this in a project's folder to check the project too.`,
          )
        : ok(`${project.name} in ${project.folder}`);
    if (project === undefined) return;
    // Programs in other languages load no packages of npm.
    const isNode = project.runtime === "nodejs";
    yield isNode ? checkSdk(project) : checkPlugin(project, shell);
    const own = isNode ? checkPackage(project) : checkGeneratedSdk(project);
    if (own !== undefined) yield own;
}

async function checkCli(shell: Shell): Promise<Finding> {
    const { ok, warning, error } = findingsOf("Pulumi CLI");
    try {
        const version = (await shell.pulumi("version")).trim().replace(/^v/, "");
        if (semver.valid(version) === null)
            return error(
                "`pulumi version` prints no version. Put the Pulumi CLI on the PATH, before any other `pulumi`.",
            );
        return semver.gte(version, oldestVersions.cli)
            ? ok(version)
            : warning(
                  `${version} is older than ${oldestVersions.cli}, the oldest that is tested. Install a newer one.`,
              );
    } catch (failure) {
        const text = messageOf(failure);
        return error(/downloading pulumi/i.test(text) ? `${text} ${notDownloaded}` : text);
    }
}

function checkSdk({ programFolder }: Project): Finding {
    const { ok, error } = findingsOf("Pulumi SDK");
    const installed = packageIn(programFolder, "@pulumi/pulumi");
    if ("problem" in installed) return error(installed.problem);
    return semver.gte(installed.version, oldestVersions.sdk)
        ? ok(installed.version)
        : error(`@pulumi/pulumi ${installed.version} is too old. Install ${oldestVersions.sdk} or newer.`);
}

/** The version of this package that the program loads. With pnpm and in workspaces, only the program's own folder shows it. */
function checkPackage({ programFolder }: Project): Finding {
    const { ok, warning, error } = findingsOf("pulumi-videograph");
    const installed = packageIn(programFolder, "pulumi-videograph");
    if ("problem" in installed) return error(installed.problem);
    if (installed.version === ownVersion) return ok(`${installed.version} in ${installed.folder}`);
    return warning(
        `The project has ${installed.version}, and this command is ${ownVersion}. Run it with \`npx\` in the program's folder.`,
    );
}

/** The package as the engine's processes load it from the program's folder, or why they cannot. */
function packageIn(programFolder: string, name: string): { version: string; folder: string } | { problem: string } {
    const folder = installedFolder(name, programFolder);
    if (folder === undefined) {
        const problem =
            `${name} cannot be loaded from ${programFolder}, the folder of the Pulumi program. Add it to the dependencies of that ` +
            "folder's own package.json (a dependency of a dependency is not enough) and install.";
        return { problem };
    }
    const version = semver.valid(manifestIn(folder)?.version);
    if (version === null) return { problem: `${join(folder, "package.json")} has no version. Install ${name} again.` };
    return { version, folder };
}
