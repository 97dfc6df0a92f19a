/** Copies the plugin out of the npm package to where the Pulumi CLI looks: a TypeScript program then needs no download. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Message, messageOf, messages } from "../messages";
import { ownPluginFolder, version } from "../session/pluginSource";
import { packageName } from "../typeTokens";

/** Installs the plugin unless it is there. A failure is a warning with another way: the CLI may still find the plugin elsewhere. */
export function ensurePlugin(warn: (message: Message) => void): void {
    const plugins = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
    try {
        install(ownPluginFolder, plugins, `resource-${packageName}-v${version}`);
    } catch (error) {
        const entry = `plugins: { providers: [{ name: ${packageName}, path: ${ownPluginFolder} }] }`;
        warn(messages.pluginNotInstalled({ folder: plugins, error: messageOf(error), plugins: entry }));
    }
}

/** Copies the folder `from` to `plugins/name`, unless the same build or a downloaded release is there. */
export function install(from: string, plugins: string, name: string): void {
    const to = join(plugins, name);
    // The CLI keeps this file beside a plugin that it downloads. Where the file is left, the download broke off, and the folder is half a plugin.
    const partial = existsSync(`${to}.partial`);
    if (!partial && existsSync(to) && !isOutdated(from, to)) return;
    mkdirSync(plugins, { recursive: true });
    // The CLI would start half a plugin. So the copy gets a name that the CLI skips (with a dot), and its real name once it is complete.
    const draft = mkdtempSync(join(plugins, `.${name}-`));
    try {
        const whole = join(draft, "plugin");
        cpSync(from, whole, { recursive: true });
        if (existsSync(to)) renameSync(to, join(draft, "old"));
        try {
            renameSync(whole, to);
        } catch (error) {
            // Another program has installed the plugin meanwhile.
            if (!existsSync(to)) throw error;
        }
        rmSync(`${to}.partial`, { force: true });
    } finally {
        rmSync(draft, { recursive: true, force: true });
    }
}

/** Whether the installed plugin is an earlier build of this repository. A downloaded release is an executable, without `index.js`, and stays. */
function isOutdated(from: string, to: string): boolean {
    const installed = join(to, "index.js");
    return existsSync(installed) && !readFileSync(installed).equals(readFileSync(join(from, "index.js")));
}
