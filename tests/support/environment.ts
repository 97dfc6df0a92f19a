/** What makes runs of the CLI, and of the programs that it starts, cost less; the packages that programs find. */
import { mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { compileCache } from "./compileCache.ts";
import { keyService } from "./keyService.ts";

const repository = join(import.meta.dirname, "..", "..");
const bin = join(import.meta.dirname, "bin");
/** What programs and examples find in their node_modules: of all packages of this repository the CLI would search each, in each run. */
const modules = join(repository, "node_modules", ".cache", "programs");
/** For NODE_OPTIONS. */
const preload = `--require ${JSON.stringify(join(import.meta.dirname, "preload.cjs"))}`;

/** A Node that answers what the CLI asks before each program; see bin/node. */
const answeringNode = {
    TEST_NODE_PATH: process.execPath,
    TEST_NODE_VERSION: process.version,
    TEST_SDK: join(repository, "node_modules", "@pulumi", "pulumi"),
};
const nodeAnswers = process.platform !== "win32" && process.env.TEST_NODE === undefined;

/** That environment, with what lets runs of the CLI and of programs cost less. `stack init` needs `--secrets-provider`. */
export async function cheaper(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    return {
        ...env,
        ...(await keyService()),
        ...(nodeAnswers && { ...answeringNode, PATH: [bin, env.PATH].join(delimiter) }),
        NODE_COMPILE_CACHE: compileCache,
        NODE_OPTIONS: preload,
        // The CLI's processes live too short to collect garbage.
        GOGC: "400",
    };
}

/** The folder of {@link modules}, which is made where it is not there. */
export async function programModules(): Promise<string> {
    await mkdir(modules, { recursive: true });
    for (const name of ["@pulumi", "@types", "pulumi-videograph", "typescript", "ts-node", "yaml", "zod", "aws4fetch"])
        await symlink(join("..", "..", name), join(modules, name)).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== "EEXIST") throw error;
        });
    // What `npx` looks for.
    await mkdir(join(modules, ".bin"), { recursive: true });
    const command = join("..", "pulumi-videograph", "bin", "pulumi-videograph.js");
    await symlink(command, join(modules, ".bin", "pulumi-videograph")).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
    });
    return modules;
}
