/** Where releases of the plugin are. */

/** The download URL in the CLI's form, from the URL of a repository on GitHub. */
export function downloadUrl(repository: string | undefined): string | undefined {
    const [, owner, name] = /github\.com[/:]([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository ?? "") ?? [];
    return owner === undefined ? undefined : `github://api.github.com/${owner}/${name}`;
}
