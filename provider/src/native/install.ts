/** Copies the plugin from the npm package into the CLI's plugin folder, so that a TypeScript program needs no download. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pulumiHome } from "../evidence/pulumiHome";
import { type Message, messageOf, messages } from "../messages";
import { ownPluginFolder, version } from "../session/pluginSource";
import { packageName } from "../typeTokens";

/** Installs the plugin unless it is there. A failure is only a warning, which names another way: the CLI may still find the plugin elsewhere. */
export function ensurePlugin(warn: (message: Message) => void): void {
    const plugins = join(pulumiHome(), "plugins");
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
    // While the CLI downloads a plugin, it keeps this file beside it. If the file is still there, the download broke off, and the folder holds half a
    // plugin.
    const partial = existsSync(`${to}.partial`);
    if (!partial && existsSync(to) && !isOutdated(from, to)) return;
    mkdirSync(plugins, { recursive: true });
    // The CLI would start half a plugin. So the copy has a name that the CLI skips (with a dot) until it is complete.
    const draft = mkdtempSync(join(plugins, `.${name}-`));
    try {
        const whole = join(draft, "plugin");
        cpSync(from, whole, { recursive: true });
        if (existsSync(to)) renameSync(to, join(draft, "old"));
        try {
            renameSync(whole, to);
        } catch (error) {
            // If the folder exists, another program has installed the plugin meanwhile. Then the error does not matter.
            if (!existsSync(to)) throw error;
        }
        rmSync(`${to}.partial`, { force: true });
    } finally {
        rmSync(draft, { recursive: true, force: true });
    }
}

/**
 * Whether the installed plugin is another build of this repository. A downloaded release is not: it is an executable, without `index.js`, and stays.
 */
function isOutdated(from: string, to: string): boolean {
    const installed = join(to, "index.js");
    return existsSync(installed) && !readFileSync(installed).equals(readFileSync(join(from, "index.js")));
}
