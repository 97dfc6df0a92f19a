/** A Pulumi project and stack in a temporary folder, with one of the programs, and runs of the CLI on it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isolatedEnvironment } from "../tools/pulumiCli/environment.ts";
import type { PulumiCli } from "../tools/pulumiCli/index.ts";
import { type Costs, watchProcesses } from "./processes.ts";

export interface Run {
    /** When the CLI was started, in ms since the epoch. */
    readonly started: number;
    /** From then to its end, in ms. */
    readonly time: number;
    readonly costs: Costs;
}

/** A resource as the state holds it, but for what is not asked for here. */
export interface StateResource {
    readonly type: string;
    readonly id?: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
}

export interface State {
    readonly resources: readonly StateResource[];
    /** The size of its file. */
    readonly bytes: number;
}

const repository = join(import.meta.dirname, "..");
const name = "bench";
const stack = "bench";
/** The floor's own plugin; pulumi-videograph brings its own. */
const plugins = "plugins: { providers: [{ name: floor, path: ./floorPlugin }] }\n";

export class Project implements AsyncDisposable {
    readonly folder: string;
    readonly #env: Record<string, string>;

    private constructor(folder: string, env: Record<string, string>) {
        this.folder = folder;
        this.#env = env;
    }

    /** `env`: variables for the CLI and what it starts. */
    static async create(cli: PulumiCli, program: string, env: Readonly<Record<string, string>>): Promise<Project> {
        const folder = await realpath(await mkdtemp(join(tmpdir(), "videograph-bench-")));
        const backend = join(folder, "state");
        const home = join(folder, "home");
        for (const path of [backend, home]) await mkdir(path);
        await cp(join(import.meta.dirname, "programs"), folder, { recursive: true });
        await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
        await writeFile(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\nmain: ${program}\n${plugins}`);
        const project = new Project(folder, {
            ...isolatedEnvironment(cli, { backend, home, passphrase: "bench" }),
            HOME: home,
            ...env,
        });
        await project.run("stack", "init", stack);
        return project;
    }

    /** Runs the CLI, which must succeed. */
    async run(...args: string[]): Promise<Run> {
        return await this.runWith({}, ...args);
    }

    /** Starts the CLI, and collects what it says. */
    start(env: Readonly<Record<string, string>>, ...args: string[]): { child: ChildProcess; output(): string } {
        const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
            cwd: this.folder,
            env: { ...this.#env, ...env },
            stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => {
                output += text;
            });
        }
        return { child, output: () => output };
    }

    /** Runs the CLI with more variables; it must succeed. */
    async runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Run> {
        const started = Date.now();
        const begin = performance.now();
        const { child, output } = this.start(env, ...args);
        const ended = once(child, "close");
        const watch = watchProcesses(this.folder, child.pid ?? 0);
        const [code, signal] = await ended;
        const time = performance.now() - begin;
        const costs = await watch.stop();
        if (code !== 0) {
            throw new Error(`pulumi ${args.join(" ")} ended with ${signal ?? `code ${code}`} and said:\n${output()}`);
        }
        return { started, time, costs };
    }

    async state(): Promise<State> {
        const text = await readFile(join(this.folder, "state", ".pulumi", "stacks", name, `${stack}.json`), "utf8");
        const { checkpoint } = JSON.parse(text) as { checkpoint: { latest?: { resources?: StateResource[] } } };
        return { resources: checkpoint.latest?.resources ?? [], bytes: Buffer.byteLength(text) };
    }

    async [Symbol.asyncDispose](): Promise<void> {
        await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}
