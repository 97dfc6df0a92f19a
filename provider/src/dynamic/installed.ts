/** Whether the package is installed where the engine starts this process: in the folder of the program, with or without one. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { LifecycleError, messages } from "../messages";

/**
 * Refuses a package that only `NODE_PATH` finds, as pnpm's `node_modules/.bin/pulumi` sets it: a run that is started in another way could not even destroy what
 * this one creates. @throws {LifecycleError}
 */
export function requireInstalledBeside(folder: string): void {
    for (let parent = folder; ; parent = dirname(parent)) {
        if (existsSync(join(parent, "node_modules", "pulumi-videograph", "package.json"))) return;
        if (dirname(parent) === parent) throw new LifecycleError(messages.notLoadable({ folder }));
    }
}
