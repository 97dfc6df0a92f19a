/** Puts the package's own plugin where the Pulumi CLI looks, so that a TypeScript stack needs nothing but the npm package. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Message, messageOf, messages } from "../messages";
import { ownPluginFolder, version } from "../session/pluginSource";
import { packageName } from "../typeTokens";

/** Installs the plugin unless the CLI has it. `warn` reports why the installation failed, and another way. */
export function ensurePlugin(warn: (message: Message) => void): void {
    const plugins = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
    try {
        install(ownPluginFolder, plugins, `resource-${packageName}-v${version}`);
    } catch (error) {
        const entry = `plugins: { providers: [{ name: ${packageName}, path: ${ownPluginFolder} }] }`;
        warn(messages.pluginNotInstalled({ folder: plugins, error: messageOf(error), plugins: entry }));
    }
}

/** Copies the folder `from` to `plugins/name`, unless the same plugin or a release's own one is there. */
export function install(from: string, plugins: string, name: string): void {
    const to = join(plugins, name);
    // The CLI leaves this file next to a folder that it has not finished.
    const partial = existsSync(`${to}.partial`);
    if (!partial && existsSync(to) && !isOutdated(from, to)) return;
    mkdirSync(plugins, { recursive: true });
    // The folder is renamed when it is complete, so that half a plugin is never found: names that begin with a dot are not plugins.
    const draft = mkdtempSync(join(plugins, `.${name}-`));
    try {
        const whole = join(draft, "plugin");
        cpSync(from, whole, { recursive: true });
        if (existsSync(to)) renameSync(to, join(draft, "old"));
        try {
            renameSync(whole, to);
        } catch (error) {
            // Another program was faster.
            if (!existsSync(to)) throw error;
        }
        rmSync(`${to}.partial`, { force: true });
    } finally {
        rmSync(draft, { recursive: true, force: true });
    }
}

/** Whether a plugin of the same version is another build, made earlier from a working copy. A release's executable has no such file. */
function isOutdated(from: string, to: string): boolean {
    const installed = join(to, "index.js");
    return existsSync(installed) && !readFileSync(installed).equals(readFileSync(join(from, "index.js")));
}
