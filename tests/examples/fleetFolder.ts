/** examples/fleet as its user has it, in a folder of its own with its own state, and its program run as `npm run fleet` does. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { secretsProvider } from "../support/keyService.ts";
import { killAll, processesIn } from "../support/processes.ts";
import { PulumiRun } from "../support/pulumiRun.ts";
import type { Testbed } from "../support/testbed.ts";
import { compile, exampleFolder, runsFaster } from "./exampleStack.ts";

export interface Line {
    key: string;
    title: string;
    content: { url: string }[];
}

export type FleetFolder = ReturnType<typeof fleetIn>;

export async function fleetFolder({ cli, emulator }: Pick<Testbed, "cli" | "emulator">) {
    const { folder, env } = await exampleFolder("fleet", cli);
    await compile(folder);
    // What a passphrase costs in each run: see keyService.
    for (const stack of ["library-000", "library-001"])
        await writeFile(join(folder, `Pulumi.${stack}.yaml`), `secretsprovider: ${secretsProvider}\n`);
    return fleetIn(folder, { ...(await runsFaster(env)), ...emulator.env });
}

export function fleetIn(folder: string, env: Record<string, string>) {
    /** Starts `npm run fleet -- <args>`, without npm, and compiled already. */
    const start = (...args: string[]) => new PulumiRun(process.execPath, ["fleet.js", ...args], folder, env);
    return {
        ...{ folder, env, start },
        run: (...args: string[]) => start(...args).result,

        async catalogue(lines: readonly Line[]): Promise<void> {
            const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
            await writeFile(join(folder, "catalogue.jsonl"), text);
        },

        async settings(changed: { stacks?: number; maxDeletes?: number }): Promise<void> {
            const file = join(folder, "fleet.json");
            const settings = JSON.parse(await readFile(file, "utf8")) as object;
            await writeFile(file, JSON.stringify({ ...settings, ...changed }));
        },

        /** What is left after the machine was lost: nothing runs any more. The run itself may have ended before. */
        async lose(run: { kill(signal: "SIGKILL"): unknown }): Promise<void> {
            run.kill("SIGKILL");
            // A killed parent leaves CLIs, and these their providers.
            for (let left = processesIn(folder); left.length > 0; left = processesIn(folder)) {
                killAll(left);
                await new Promise((resolve) => setImmediate(resolve));
            }
        },

        async [Symbol.asyncDispose](): Promise<void> {
            killAll(processesIn(folder));
            await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        },
    };
}
