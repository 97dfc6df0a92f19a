/** examples/fleet as its user has it, in a folder of its own with its own state, and its program run as `npm run fleet` does. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import { secretsProvider } from "../support/keyService.ts";
import { hasEnded, killAll, processesIn } from "../support/processes.ts";
import type { Testbed } from "../support/testbed.ts";
import { compile, copyExample, runsFaster } from "./exampleStack.ts";

export interface Line {
    key: string;
    title: string;
    content: { url: string }[];
}

export interface Ended {
    readonly code: number | null;
    readonly output: string;
}

export class FleetFolder implements AsyncDisposable {
    readonly folder: string;
    readonly #env: Record<string, string>;

    private constructor(folder: string, env: Record<string, string>) {
        this.folder = folder;
        this.#env = env;
    }

    static async create(
        { cli, emulator }: Pick<Testbed, "cli" | "emulator">,
        changed: (env: Record<string, string>) => Promise<Record<string, string>> = runsFaster,
    ): Promise<FleetFolder> {
        // Processes are found by the real path.
        const folder = await realpath(await mkdtemp(join(tmpdir(), "videograph-fleet-")));
        const [backend, home] = [join(folder, ".backend"), join(folder, ".home")];
        for (const path of [backend, home]) await mkdir(path);
        await copyExample("fleet", folder);
        // A benchmark has its user's costs.
        if (changed === runsFaster) {
            await compile(folder);
            // What a passphrase costs in each run: see keyService.
            for (const stack of ["library-000", "library-001"])
                await writeFile(join(folder, `Pulumi.${stack}.yaml`), `secretsprovider: ${secretsProvider}\n`);
        }
        return new FleetFolder(folder, {
            ...(await changed(isolatedEnvironment(cli, { backend, home, passphrase: "fleet" }))),
            ...emulator.env,
            HOME: home,
        });
    }

    async catalogue(lines: readonly Line[]): Promise<void> {
        await writeFile(
            join(this.folder, "catalogue.jsonl"),
            lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
        );
    }

    async settings(changed: { stacks?: number; maxDeletes?: number }): Promise<void> {
        const file = join(this.folder, "fleet.json");
        const settings = JSON.parse(await readFile(file, "utf8")) as object;
        await writeFile(file, JSON.stringify({ ...settings, ...changed }));
    }

    /** Starts `npm run fleet -- <args>`, without npm, and where it is compiled without a compiler. */
    start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
        const isCompiled = existsSync(join(this.folder, "fleet.js"));
        const program = isCompiled ? ["fleet.js"] : ["--require", "ts-node/register/transpile-only", "fleet.ts"];
        const child = spawn(process.execPath, [...program, ...args], {
            cwd: this.folder,
            env: this.#env,
            stdio: ["ignore", "pipe", "pipe"],
            // In a process group of its own, as a terminal has it.
            detached: true,
        });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => {
                output += text;
            });
        }
        const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
        return { child, ended };
    }

    run(...args: string[]): Promise<Ended> {
        return this.start(...args).ended;
    }

    /** Ctrl-C at a terminal: every process in the foreground gets it. */
    interrupt(child: ChildProcess): void {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    }

    /** What is left after the machine was lost: nothing runs any more. The run itself may have ended before. */
    async lose(child: ChildProcess): Promise<void> {
        if (!hasEnded(child)) {
            const ended = once(child, "exit");
            child.kill("SIGKILL");
            await ended;
        }
        // A killed parent leaves CLIs, and these their providers.
        for (let left = processesIn(this.folder); left.length > 0; left = processesIn(this.folder)) {
            killAll(left);
            await new Promise((resolve) => setImmediate(resolve));
        }
    }

    async [Symbol.asyncDispose](): Promise<void> {
        killAll(processesIn(this.folder));
        await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}
