/** Where a package is installed for the code in a folder, as every run finds it. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder of the package, in a `node_modules` of `from` or above it; `undefined` where there is none. What only `NODE_PATH` finds does not count:
 * pnpm's commands set it, and other commands do not.
 */
export function installedFolder(name: string, from: string): string | undefined {
    for (let parent = from; ; parent = dirname(parent)) {
        const folder = join(parent, "node_modules", name);
        if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
        if (dirname(parent) === parent) return undefined;
    }
}
