/** This package as its manifest describes it, and the address of its plugin's releases. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { npmName } from "../typeTokens";

interface Manifest {
    name?: string;
    version: string;
    repository?: { url?: string };
}

/**
 * The package's own folder; `undefined` where it cannot be found. In a bundle of the user's, these lines are in a file of theirs, and what is around
 * them belongs to their package: then the package is looked for by its name, from the program's folder, as the engine does.
 */
export const ownFolder: string | undefined = [besides, byName]
    .map((find) => find())
    .find((folder) => nameIn(folder) === npmName);

const manifest: Manifest = ownFolder === undefined ? { version: "" } : manifestIn(ownFolder);

export const { version } = manifest;

export const ownPluginFolder = join(ownFolder ?? "", "plugin");

function besides(): string | undefined {
    // Without the test, a bundle of ES modules would fail here: it does not define the name.
    return typeof __dirname === "string" ? join(__dirname, "..", "..") : undefined;
}

function byName(): string | undefined {
    try {
        return dirname(createRequire(join(process.cwd(), "index.js")).resolve(`${npmName}/package.json`));
    } catch {
        return undefined;
    }
}

function nameIn(folder: string | undefined): string | undefined {
    try {
        return folder && manifestIn(folder).name;
    } catch {
        return undefined;
    }
}

function manifestIn(folder: string): Manifest {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The address from which the CLI gets the plugin on a machine that has never run the program: the releases of the package's repository. */
export const pluginDownloadURL = downloadUrl(manifest.repository?.url);

/** The download URL in the CLI's form, from the URL of a repository on GitHub. */
export function downloadUrl(repository: string | undefined): string | undefined {
    const [, owner, name] = /github\.com[/:]([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository ?? "") ?? [];
    return owner === undefined ? undefined : `github://api.github.com/${owner}/${name}`;
}
