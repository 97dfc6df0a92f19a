/** This npm package: its folder, its version, and the address from which the CLI downloads the plugin. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { npmName } from "../typeTokens";
import { installedFolder } from "./installed";

/** The parts of package.json that this package reads. A part of a wrong type counts as missing. */
export const manifestFile = z.object({
    name: z.catch(z.optional(z.string()), undefined),
    version: z.catch(z.optional(z.string()), undefined),
    repository: z.catch(z.optional(z.object({ url: z.string() })), undefined),
});

/** The folder in which this file was installed. A bundle of ES modules does not define `__dirname`: without `typeof`, this line would fail there. */
const folderAround = typeof __dirname === "string" ? join(__dirname, "..", "..") : undefined;

/**
 * This package's folder; `undefined` where it cannot be found. A user may bundle this code into a file of their own. Then the folder around that file
 * is the user's package, and this package is searched for by its name, from the program's folder.
 */
export const ownFolder: string | undefined =
    manifestIn(folderAround)?.name === npmName ? folderAround : installedFolder(npmName, process.cwd());

const manifest = manifestIn(ownFolder);

export const version = manifest?.version ?? "";

export const ownPluginFolder = join(ownFolder ?? "", "plugin");

/** The package.json in a folder; `undefined` where none can be read. */
export function manifestIn(folder: string | undefined) {
    try {
        return folder === undefined
            ? undefined
            : z.parse(manifestFile, JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
    } catch {
        return undefined;
    }
}

/** The address from which the CLI downloads the plugin where it is not installed yet: the releases of this package on GitHub. */
export const pluginDownloadURL = downloadUrl(manifest?.repository?.url);

/** The address of a repository's releases, in the form that the CLI expects; `undefined` for a repository elsewhere than on GitHub. */
export function downloadUrl(repository: string | undefined): string | undefined {
    const [, owner, name] = /github\.com[/:]([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository ?? "") ?? [];
    return owner === undefined ? undefined : `github://api.github.com/${owner}/${name}`;
}
