/** The version of this package. */
export function packageVersion(): string {
    const { version } = require("../../package.json") as { version: string };
    return version;
}
