// Plays jobs of the workflows on this machine, from the workflow files themselves: each on a fresh runner, with a clone of
// main, a home of its own for Pulumi and nothing but the secrets and variables it is given. What it does not know how to play it
// refuses, so that a workflow cannot do anything that the rehearsal leaves out.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

const texts = z.record(z.string(), z.coerce.string());
const step = z.strictObject({
    run: z.string().optional(),
    uses: z.string().optional(),
    with: texts.default({}),
    env: texts.default({}),
    if: z.literal("always()").optional(),
});
const job = z.strictObject({
    "runs-on": z.string(),
    "timeout-minutes": z.number(),
    if: z.string().optional(),
    permissions: texts.optional(),
    env: texts.default({}),
    steps: z.array(step),
});
const workflow = z.looseObject({ jobs: z.record(z.string(), job) });
type Step = z.infer<typeof step>;

export interface Surroundings {
    /** The folder for runners, and for what the service of the workflows keeps between them. */
    readonly folder: string;
    /** The repository that is cloned. */
    readonly origin: string;
    /** Variables that every process on a runner has. */
    readonly env: Readonly<Record<string, string>>;
    readonly secrets: Readonly<Record<string, string>>;
    readonly vars: Readonly<Record<string, string>>;
    /** A folder of packages to link instead of an installation; `npm ci` is run without one. */
    readonly modules: string | undefined;
}

export interface Played {
    /** Exit code of the first step that failed, or 0. */
    readonly code: number;
    readonly output: string;
}

/** Plays one job of a workflow of the branch. */
export async function play(around: Surroundings, file: string, name: string, branch = "main"): Promise<Played> {
    const run = await Runner.start(around, `${file} ${name}`, branch);
    const text = await readFile(join(run.workspace, ".github", "workflows", file), "utf8");
    const { jobs } = workflow.parse(parse(text));
    const played = jobs[name];
    if (played === undefined) throw new Error(`${file} has no job ${name}`);
    return await run.play(played);
}

let runners = 0;

class Runner {
    readonly #around: Surroundings;
    readonly #number: number;
    readonly #folder: string;
    #output = "";
    readonly workspace: string;

    private constructor(around: Surroundings, number: number) {
        this.#around = around;
        this.#number = number;
        this.#folder = join(around.folder, `runner-${number}`);
        this.workspace = join(this.#folder, "workspace");
    }

    /** A runner with a clone: the workflow itself comes from there. */
    static async start(around: Surroundings, title: string, branch: string): Promise<Runner> {
        const runner = new Runner(around, ++runners);
        say(`\n== ${title}, on runner ${runner.#number}\n`);
        for (const name of ["home", "temp"]) await mkdir(join(runner.#folder, name), { recursive: true });
        await runner.#succeed(["git", "clone", "--quiet", "--branch", branch, around.origin, runner.workspace]);
        return runner;
    }

    async play({ env, steps }: z.infer<typeof job>): Promise<Played> {
        let code = 0;
        for (const step of steps) {
            if (code !== 0 && step.if !== "always()") continue;
            const stepCode = await this.#step(step, { ...this.#resolved(env), ...this.#resolved(step.env) });
            if (code === 0) code = stepCode;
        }
        return { code, output: this.#output };
    }

    async #step({ run, uses = "", with: inputs, ...rest }: Step, env: Record<string, string>): Promise<number> {
        const given = this.#resolved(inputs);
        if (run !== undefined) return await this.#script(this.#resolve(run), env);
        const [action] = uses.split("@");
        switch (action) {
            case "actions/checkout":
            case "actions/setup-node":
                // The clone is there since the start, and Node is the one that runs this.
                return 0;
            case "actions/cache/restore":
                return await this.#copy(this.#cache, join(this.workspace, required(given, "path")));
            case "actions/cache/save":
                return await this.#copy(join(this.workspace, required(given, "path")), this.#cache);
            case "pulumi/actions":
                return await this.#pulumi(given, env);
            default:
                throw new Error(`The rehearsal cannot play ${JSON.stringify({ uses, ...rest })}`);
        }
    }

    /** As the action does it: logs in, selects the stack, runs the command without questions. */
    async #pulumi(given: Record<string, string>, env: Record<string, string>): Promise<number> {
        const { command, "stack-name": stack = "", "cloud-url": backend = "", upsert, ...rest } = given;
        // Comments are GitHub's; everything else has to become a flag, or the rehearsal would not do what the workflow does.
        const flags = Object.entries(rest)
            .filter(([name]) => !name.startsWith("comment-on-"))
            .map(([name, value]) => {
                if (!["diff", "refresh", "expect-no-changes"].includes(name) || value !== "true") {
                    throw new Error(`The rehearsal cannot play the input ${name}: ${value} of pulumi/actions`);
                }
                return `--${name}`;
            });
        const yes = command === "preview" ? [] : ["--yes", "--skip-preview"];
        const calls = [
            ["login", ...(backend === "" ? [] : [backend])],
            ["stack", "select", "--stack", stack, ...(upsert === "true" ? ["--create"] : [])],
            ...(command === undefined ? [] : [[command, "--stack", stack, ...yes, ...flags]]),
        ];
        for (const call of calls) {
            const code = await this.#run(["pulumi", ...call, "--non-interactive", "--color", "never"], env);
            if (code !== 0) return code;
        }
        return 0;
    }

    async #script(script: string, env: Record<string, string>): Promise<number> {
        if (script === "npm ci" && this.#around.modules !== undefined) {
            await symlink(this.#around.modules, join(this.workspace, "node_modules"));
            say("$ npm ci (linked)\n");
            return 0;
        }
        return await this.#run(["bash", "-e", "-c", script], env);
    }

    async #succeed(command: readonly string[]): Promise<void> {
        const code = await this.#run(command, {}, this.#folder);
        if (code !== 0) throw new Error(`${command.join(" ")} ended with code ${code}`);
    }

    async #run(command: readonly string[], env: Record<string, string>, cwd = this.workspace): Promise<number> {
        say(`$ ${command.join(" ")}\n`);
        const [program = "", ...args] = command;
        const child = spawn(program, args, {
            cwd,
            env: { ...this.#around.env, PULUMI_HOME: join(this.#folder, "home"), CI: "true", ...env },
            stdio: ["ignore", "pipe", "pipe"],
        });
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => {
                this.#output += text;
                say(text);
            });
        }
        const [code, signal] = await once(child, "close");
        if (code !== 0) say(`(ended with ${signal ?? `code ${code}`})\n`);
        return code ?? 1;
    }

    get #cache(): string {
        return join(this.#around.folder, "cache");
    }

    /** A cache has what was saved last. Without anything to copy it is no failure, as with the action. */
    async #copy(from: string, to: string): Promise<number> {
        if (existsSync(from)) await cp(from, to, { recursive: true, force: true });
        return 0;
    }

    #resolved(values: Record<string, string>): Record<string, string> {
        return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#resolve(value)]));
    }

    /** Expressions are looked up by their text: a workflow needs no more than these. */
    #resolve(text: string): string {
        return text.replace(/\$\{\{ *(.+?) *\}\}/g, (_whole, expression: string) => {
            const [, context, name = ""] = /^(secrets|vars)\.(\w+)$/.exec(expression) ?? [];
            // GitHub's value of a secret or variable that was never set.
            if (context === "secrets" || context === "vars") return this.#around[context][name] ?? "";
            const known: Record<string, string> = {
                "github.workspace": this.workspace,
                "github.run_id": String(this.#number),
                "github.run_attempt": "1",
                "runner.temp": join(this.#folder, "temp"),
            };
            return required(known, expression);
        });
    }
}

/** The nearest folder of packages above the file that has all that the example needs. */
export function packagesAbove(folder: string): string | undefined {
    const modules = join(folder, "node_modules");
    if (existsSync(join(modules, "pulumi-videograph"))) return modules;
    return dirname(folder) === folder ? undefined : packagesAbove(dirname(folder));
}

function required(values: Record<string, string>, name: string): string {
    const value = values[name];
    if (value === undefined) throw new Error(`The rehearsal does not know ${name}`);
    return value;
}

function say(text: string): void {
    process.stdout.write(text);
}
