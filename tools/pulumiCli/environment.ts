/** The environment a Pulumi CLI of our own runs in: nothing of the user's stacks, logins and plugins. */
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PulumiCli } from "./index.ts";

/** The folder of this repository's own Node, which is newer than what many machines have. */
export const nodeFolder = join(import.meta.dirname, "..", "..", "node_modules", ".bin");

/**
 * Where programs and providers find their Node. The tests themselves need the repository's own; a pipeline sets the variable to
 * the folder of another one, so that what users run is tested with the oldest that is supported.
 */
export const nodePath = [process.env.TEST_NODE, nodeFolder].filter(Boolean).join(delimiter);

interface IsolatedStacks {
    /** An existing folder for the state files. */
    readonly backend: string;
    /** Instead of ~/.pulumi. */
    readonly home: string;
    readonly passphrase: string;
}

/** Variables that configure Pulumi, npm or this provider, or name the CI system: `doctor` and the CLI behave differently there. */
const steering = /^(CI$|CI_|(PULUMI|VIDEOGRAPH|NODE|TS_NODE|npm|GITHUB|GITLAB|BUILDKITE)_)/i;

/** Variables to run the CLI with: the caller's, without those that make runs differ from one machine to the next. */
export function isolatedEnvironment(
    cli: PulumiCli,
    stacks: IsolatedStacks,
    base: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
    const env: Record<string, string> = {};
    let path = "";
    for (const [name, value] of Object.entries(base)) {
        // Windows calls it Path; of two spellings a program sees one, and not always the same.
        if (name.toUpperCase() === "PATH") path = value ?? "";
        else if (value !== undefined && !steering.test(name)) env[name] = value;
    }
    return { ...env, ...pulumiVariables(cli, stacks), PATH: [cli.folder, nodePath, path].join(delimiter) };
}

/** Lines for a POSIX shell to source, with the folders put before those already on its PATH. */
export function shellExports({ PATH = "", ...variables }: Record<string, string>): string {
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
    return `export PATH=${quoted(PATH)}${delimiter}"$PATH"\n${lines.join("")}`;
}

/** Those of the variables that point the CLI at these stacks. */
export function pulumiVariables(cli: PulumiCli, stacks: IsolatedStacks): Record<string, string> {
    return {
        PATH: [cli.folder, nodePath].join(delimiter),
        PULUMI_HOME: stacks.home,
        PULUMI_BACKEND_URL: pathToFileURL(stacks.backend).href,
        PULUMI_CONFIG_PASSPHRASE: stacks.passphrase,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    };
}
