/** A Pulumi project and stack in a temporary folder, with one of the programs, and runs of the CLI on it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isolatedEnvironment } from "../tools/pulumiCli/environment.ts";
import type { PulumiCli } from "../tools/pulumiCli/index.ts";
import { type Seen, watchProcesses } from "./processes.ts";

export type Role = "engine" | "program" | "provider";

export interface Cost {
    /** Highest resident memory, in bytes. */
    readonly memory: number;
    /** In seconds. */
    readonly cpu: number;
}

export interface Run {
    /** When the CLI was started, in ms since the epoch. */
    readonly started: number;
    /** From then to its end, in ms. */
    readonly time: number;
    /** Of a system that tells them. */
    readonly costs: { readonly [role in Role]?: Cost };
}

interface StateResource {
    readonly type: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
}

export interface State {
    readonly resources: readonly StateResource[];
    /** The size of its file. */
    readonly bytes: number;
}

const name = "bench";
/** The floor's own plugin; pulumi-videograph brings its own. */
const plugins = "plugins: { providers: [{ name: floor, path: ./floorPlugin }] }\n";

export class Project implements AsyncDisposable {
    readonly #folder: string;
    readonly #env: Record<string, string>;

    private constructor(folder: string, env: Record<string, string>) {
        this.#folder = folder;
        this.#env = env;
    }

    /** `env`: variables for the CLI and what it starts. */
    static async create(cli: PulumiCli, program: string, env: Readonly<Record<string, string>>): Promise<Project> {
        const folder = await realpath(await mkdtemp(join(tmpdir(), "videograph-bench-")));
        const [backend, home] = [join(folder, "state"), join(folder, "home")];
        for (const path of [backend, home]) await mkdir(path);
        await cp(join(import.meta.dirname, "programs"), folder, { recursive: true });
        await symlink(join(import.meta.dirname, "..", "node_modules"), join(folder, "node_modules"));
        await writeFile(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\nmain: ${program}\n${plugins}`);
        const own = isolatedEnvironment(cli, { backend, home, passphrase: "bench" });
        const project = new Project(folder, { ...own, HOME: home, ...env });
        await project.run("stack", "init", name);
        return project;
    }

    /** Runs the CLI, which must succeed. */
    async run(...args: string[]): Promise<Run> {
        const started = Date.now();
        const begin = performance.now();
        const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
            cwd: this.#folder,
            env: this.#env,
            stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => {
                output += text;
            });
        }
        const watch = watchProcesses(this.#folder);
        const [code, signal] = await once(child, "close");
        const time = performance.now() - begin;
        const { processes } = await watch.stop();
        if (code !== 0) {
            throw new Error(`pulumi ${args.join(" ")} ended with ${signal ?? `code ${code}`} and said:\n${output}`);
        }
        return { started, time, costs: costsOf(processes) };
    }

    async state(): Promise<State> {
        const text = await readFile(join(this.#folder, "state", ".pulumi", "stacks", name, `${name}.json`), "utf8");
        const { checkpoint } = JSON.parse(text) as { checkpoint: { latest?: { resources?: StateResource[] } } };
        return { resources: checkpoint.latest?.resources ?? [], bytes: Buffer.byteLength(text) };
    }

    async [Symbol.asyncDispose](): Promise<void> {
        await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

function costsOf(processes: readonly Seen[]): Run["costs"] {
    const costs: { [role in Role]?: Cost } = {};
    for (const { command, peak, cpu } of processes) {
        const role = roleOf(command);
        const { memory = 0, cpu: before = 0 } = (role && costs[role]) ?? {};
        if (role !== undefined) costs[role] = { memory: Math.max(memory, peak), cpu: before + cpu };
    }
    return costs;
}

/** By what stands in the command line; the shell scripts around the Node processes cost nothing. */
function roleOf(command: string): Role | undefined {
    if (/^\S*sh\s/.test(command)) return undefined;
    if (/dynamic-provider|pulumi-resource-(videograph|floor)/.test(command)) return "provider";
    if (/^\S*pulumi /.test(command)) return "engine";
    return /cmd\/run/.test(command) ? "program" : undefined;
}
