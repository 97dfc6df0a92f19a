/** This package as its manifest describes it, and the address of its plugin's releases. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
    version: string;
    repository?: { url?: string };
}

const manifest = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as Manifest;

export const { version } = manifest;

export const ownPluginFolder = join(__dirname, "..", "..", "plugin");

/** The address from which the CLI gets the plugin on a machine that has never run the program: the releases of the package's repository. */
export const pluginDownloadURL = downloadUrl(manifest.repository?.url);

/** The download URL in the CLI's form, from the URL of a repository on GitHub. */
export function downloadUrl(repository: string | undefined): string | undefined {
    const [, owner, name] = /github\.com[/:]([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository ?? "") ?? [];
    return owner === undefined ? undefined : `github://api.github.com/${owner}/${name}`;
}
