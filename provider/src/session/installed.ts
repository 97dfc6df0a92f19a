/** Where Node finds a package for the code in a folder. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder of the package, in a `node_modules` of `from` or of a folder above; `undefined` where there is none. `NODE_PATH` does not count: `pnpm exec`
 * sets this variable, and a later run that is started without pnpm would not find the package.
 */
export function installedFolder(name: string, from: string): string | undefined {
    for (let parent = from; ; parent = dirname(parent)) {
        const folder = join(parent, "node_modules", name);
        if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
        if (dirname(parent) === parent) return undefined;
    }
}
