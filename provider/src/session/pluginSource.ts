/** This package as its manifest describes it, and the address of its plugin's releases. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npmName } from "../typeTokens";
import { installedFolder } from "./installed";

interface Manifest {
    name?: string;
    version: string;
    repository?: { url?: string };
}

/** The folder beside which this code was installed. In a bundle of ES modules, which has no `__dirname`, nobody knows it. */
const folderAround = typeof __dirname === "string" ? join(__dirname, "..", "..") : undefined;

/**
 * The package's own folder; `undefined` where it cannot be found. In a bundle of the user's, this code is in a file of theirs, and the folder around
 * it belongs to their package. Then the package is looked for by its name from the program's folder, as the engine does.
 */
export const ownFolder: string | undefined =
    manifestIn(folderAround)?.name === npmName ? folderAround : installedFolder(npmName, process.cwd());

const manifest = manifestIn(ownFolder);

export const version = manifest?.version ?? "";

export const ownPluginFolder = join(ownFolder ?? "", "plugin");

function manifestIn(folder: string | undefined): Manifest | undefined {
    try {
        return folder && JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    } catch {
        return undefined;
    }
}

/** The address from which the CLI gets the plugin on a machine that has never run the program: the releases of the package's repository. */
export const pluginDownloadURL = downloadUrl(manifest?.repository?.url);

/** The download URL in the CLI's form, from the URL of a repository on GitHub. */
export function downloadUrl(repository: string | undefined): string | undefined {
    const [, owner, name] = /github\.com[/:]([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository ?? "") ?? [];
    return owner === undefined ? undefined : `github://api.github.com/${owner}/${name}`;
}
