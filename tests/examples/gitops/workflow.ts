/**
 * Runs a workflow on this machine, from its own file and as GitHub would: jobs in the order of their needs, skipped where GitHub
 * skips them, each on a fresh runner with nothing but the secrets and rights it is given. What it does not know how to play it
 * refuses, so that a workflow cannot do anything that the rehearsal leaves out.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { fill, holds, type Lookup } from "./expression.ts";
import type { Hub, Permissions } from "./hub.ts";

const texts = z.record(z.string(), z.coerce.string());
const step = z.strictObject({
    id: z.string().optional(),
    name: z.string().optional(),
    run: z.string().optional(),
    uses: z.string().optional(),
    with: texts.default({}),
    env: texts.default({}),
    if: z.string().optional(),
});
const job = z.strictObject({
    name: z.string().optional(),
    "runs-on": z.string(),
    "timeout-minutes": z.number(),
    environment: z.string().optional(),
    needs: z.union([z.string().transform((name) => [name]), z.array(z.string())]).default([]),
    if: z.string().optional(),
    permissions: texts.optional(),
    outputs: texts.default({}),
    env: texts.default({}),
    steps: z.array(step),
});
const workflow = z.strictObject({
    name: z.string(),
    on: z.unknown(),
    permissions: texts,
    concurrency: z.unknown(),
    defaults: z.object({ run: z.object({ shell: z.literal("bash") }) }).optional(),
    jobs: z.record(z.string(), job),
});
type Workflow = z.infer<typeof workflow>;
type Job = z.infer<typeof job>;
type Step = z.infer<typeof step>;

export interface Event {
    readonly name: "push" | "schedule" | "workflow_dispatch" | "pull_request";
    readonly pull?: {
        readonly number: number;
        readonly user: string;
        /** The repository that its branch is in: a fork has another one. */
        readonly from: string;
    };
}

export interface World {
    readonly hub: Hub;
    /** The folder for runners. */
    readonly folder: string;
    /** The repository that is cloned. */
    readonly origin: string;
    /** Variables that every process on a runner has. */
    readonly env: Readonly<Record<string, string>>;
    /** Of the environment `production`, which gives them to main alone. The repository itself has none. */
    readonly secrets: Readonly<Record<string, string>>;
    readonly vars: Readonly<Record<string, string>>;
    /** A folder of packages that `npm ci` links: installed once for all runners. */
    readonly modules: string;
}

export type Result = "success" | "failure" | "skipped";

export interface Played {
    readonly result: Result;
    /** All that was printed. */
    readonly log: string;
    readonly summary: string;
    readonly outputs: Readonly<Record<string, string>>;
}

const skipped: Played = { result: "skipped", log: "", summary: "", outputs: {} };
let runs = 0;

/** Runs the workflow of that file for the event; the results of its jobs by name. */
export async function runWorkflow(world: World, file: string, event: Event): Promise<Record<string, Played>> {
    const ref = event.pull === undefined ? "refs/heads/main" : `refs/pull/${event.pull.number}/merge`;
    const run = { world, event, ref, number: ++runs, artifacts: join(world.folder, `artifacts-${runs}`) };
    // A pull request brings its own workflows.
    const text = execFileSync("git", ["show", `${ref}:.github/workflows/${file}`], {
        cwd: world.origin,
        encoding: "utf8",
    });
    const parsed = workflow.parse(parse(text));
    const played: Record<string, Played> = {};
    for (const [name, job] of Object.entries(parsed.jobs)) {
        const wentWell = job.needs.every((need) => played[need]?.result === "success");
        const lookup = contextsOf(run, played);
        played[name] = holds(job.if, wentWell, lookup)
            ? await new Runner(run, name, parsed, job, lookup).play()
            : skipped;
    }
    return played;
}

/** Whether GitHub would let the pull request be merged when it requires this check: a skipped job counts as passed. */
export function passes(played: Readonly<Record<string, Played>>, check: string): boolean {
    const result = played[check]?.result;
    return result === "success" || result === "skipped";
}

interface Run {
    readonly world: World;
    readonly event: Event;
    readonly ref: string;
    readonly number: number;
    readonly artifacts: string;
}

function contextsOf({ world, event, ref, number }: Run, played: Readonly<Record<string, Played>>): Lookup {
    const { pull } = event;
    const known: Record<string, string | undefined> = {
        "github.ref": ref,
        "github.run_id": String(number),
        "github.run_attempt": "1",
        "github.server_url": "https://github.example",
        "github.repository": world.hub.repository,
        "github.event.pull_request.number": pull && String(pull.number),
        "github.event.pull_request.user.login": pull?.user,
        "github.event.pull_request.head.repo.full_name": pull?.from,
    };
    return (context) => {
        const [, need = "", rest = ""] = /^needs\.(\w+)\.(.+)$/.exec(context) ?? [];
        if (rest === "result") return played[need]?.result;
        if (rest.startsWith("outputs.")) return played[need]?.outputs[rest.slice("outputs.".length)];
        if (context in known) return known[context];
        throw new Error(`The rehearsal does not know ${context}`);
    };
}

class Runner {
    readonly #run: Run;
    readonly #workflow: Workflow;
    readonly #job: Job;
    readonly #lookup: Lookup;
    readonly #folder: string;
    readonly #workspace: string;
    readonly #token: string;
    readonly #secrets: Readonly<Record<string, string>>;
    readonly #steps = new Map<string, { outcome: Result; outputs: Record<string, string> }>();
    #log = "";

    constructor(run: Run, name: string, parsed: Workflow, job: Job, lookup: Lookup) {
        this.#run = run;
        this.#workflow = parsed;
        this.#job = job;
        this.#lookup = lookup;
        this.#folder = join(run.world.folder, `runner-${run.number}-${name}`);
        this.#workspace = join(this.#folder, "workspace");
        this.#token = run.world.hub.token(this.#rights());
        this.#secrets = job.environment === undefined ? {} : run.world.secrets;
    }

    async play(): Promise<Played> {
        for (const name of ["workspace", "home", "temp"]) await mkdir(join(this.#folder, name), { recursive: true });
        const summaryFile = join(this.#folder, "summary.md");
        await writeFile(summaryFile, "");
        if (this.#job.environment !== undefined && this.#run.ref !== "refs/heads/main") {
            return {
                ...skipped,
                result: "failure",
                log: `${this.#run.ref} is not allowed in ${this.#job.environment}`,
            };
        }
        let result: Result = "success";
        for (const [index, step] of this.#job.steps.entries()) {
            const runs = holds(step.if, result === "success", (context) => this.#context(context));
            const outcome: Result = runs ? await this.#step(step, index) : "skipped";
            if (step.id !== undefined) {
                this.#steps.set(step.id, { outcome, outputs: await outputsIn(this.#outputFile(index)) });
            }
            if (outcome === "failure") result = "failure";
        }
        const outputs = Object.entries(this.#job.outputs).map(([name, text]) => [name, this.#fill(text)]);
        const summary = await readFile(summaryFile, "utf8");
        return { result, log: this.#log, summary, outputs: Object.fromEntries(outputs) };
    }

    /** Forks and bots get a token that can read, whatever the workflow asks for. */
    #rights(): Permissions {
        const { pull } = this.#run.event;
        const stranger =
            pull !== undefined && (pull.from !== this.#run.world.hub.repository || pull.user.endsWith("[bot]"));
        const asked = this.#job.permissions ?? this.#workflow.permissions;
        return Object.fromEntries(Object.entries(asked).map(([name, right]) => [name, stranger ? "read" : right]));
    }

    async #step({ run, uses, with: inputs, env }: Step, index: number): Promise<Result> {
        const filled = (values: Record<string, string>) =>
            Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#fill(value)]));
        try {
            if (run !== undefined)
                await this.#script(this.#fill(run), { ...filled(this.#job.env), ...filled(env) }, index);
            else await this.#action(uses ?? "", filled(inputs));
            return "success";
        } catch (error) {
            if (!(error instanceof StepFailed)) throw error;
            this.#say(`##[error]${error.message}\n`);
            return "failure";
        }
    }

    async #action(uses: string, given: Record<string, string>): Promise<void> {
        const { hub } = this.#run.world;
        const path = () => join(this.#workspace, required(given, "path"));
        const [action] = uses.split("@");
        switch (action) {
            case "actions/checkout":
                return this.#checkOut();
            case "actions/setup-node":
                return;
            case "pulumi/actions":
                if ("command" in given)
                    throw new Error("The rehearsal plays pulumi/actions only where it installs the CLI");
                return;
            case "actions/cache/restore": {
                const keys = [required(given, "key"), ...(given["restore-keys"] ?? "").split("\n").filter(Boolean)];
                return await hub.restoreCache(this.#run.ref, keys, path());
            }
            case "actions/cache/save":
                return await hub.saveCache(this.#run.ref, required(given, "key"), path());
            case "actions/upload-artifact": {
                const target = join(this.#run.artifacts, required(given, "name"), required(given, "path"));
                if (existsSync(path())) await cp(path(), target, { recursive: true });
                return;
            }
            case "actions/download-artifact": {
                const source = join(this.#run.artifacts, required(given, "name"));
                if (!existsSync(source)) throw new StepFailed(`There is no artifact ${given.name}`);
                return await cp(source, this.#workspace, { recursive: true });
            }
            default:
                throw new Error(`The rehearsal cannot play ${uses}`);
        }
    }

    #checkOut(): void {
        const { origin } = this.#run.world;
        const git = (...args: string[]) => execFileSync("git", args, { cwd: this.#workspace, stdio: "pipe" });
        git("init", "--quiet");
        git("fetch", "--quiet", origin, this.#run.ref);
        git("checkout", "--quiet", "FETCH_HEAD");
    }

    async #script(script: string, env: Record<string, string>, index: number): Promise<void> {
        this.#say(`$ ${script.trimEnd()}\n`);
        if (script === "npm ci --ignore-scripts") {
            return await symlink(this.#run.world.modules, join(this.#workspace, "node_modules"));
        }
        // Without a shell of its own a step has no pipefail.
        const strict = this.#workflow.defaults === undefined ? [] : ["--noprofile", "--norc", "-o", "pipefail"];
        const file = join(this.#folder, `step-${index}.sh`);
        await writeFile(file, script);
        const child = spawn("bash", [...strict, "-e", file], {
            cwd: this.#workspace,
            env: { ...this.#environment(index), ...env },
            stdio: ["ignore", "pipe", "pipe"],
        });
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => this.#say(text));
        }
        const [code, signal] = await once(child, "close");
        if (code !== 0) throw new StepFailed(`Process completed with ${signal ?? `exit code ${code}`}.`);
    }

    #environment(index: number): Record<string, string> {
        const { env, hub } = this.#run.world;
        return {
            ...env,
            PATH: [hub.bin, env.PATH].join(delimiter),
            HOME: join(this.#folder, "home"),
            CI: "true",
            GITHUB_OUTPUT: this.#outputFile(index),
            GITHUB_STEP_SUMMARY: join(this.#folder, "summary.md"),
        };
    }

    #outputFile(index: number): string {
        return join(this.#folder, `output-${index}`);
    }

    #context(context: string): string | boolean | undefined {
        const [, kind, name = "", rest = ""] = /^(steps|secrets|vars)\.(\w+)(?:\.(.+))?$/.exec(context) ?? [];
        // GitHub's value of a secret or variable that was never set, or that the job does not get.
        if (kind === "secrets") return this.#secrets[name] ?? "";
        if (kind === "vars") return this.#run.world.vars[name] ?? "";
        if (kind === "steps") {
            const step = this.#steps.get(name);
            return rest === "outcome" ? step?.outcome : step?.outputs[rest.replace(/^outputs\./, "")];
        }
        if (context === "github.workspace") return this.#workspace;
        if (context === "github.token") return this.#token;
        if (context === "runner.temp") return join(this.#folder, "temp");
        return this.#lookup(context);
    }

    #fill(text: string): string {
        return fill(text, (context) => this.#context(context));
    }

    #say(text: string): void {
        this.#log += text;
    }
}

/** A step that failed, as opposed to something the rehearsal cannot do. */
class StepFailed extends Error {}

async function outputsIn(file: string): Promise<Record<string, string>> {
    await appendFile(file, "");
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

function required(values: Record<string, string>, name: string): string {
    const value = values[name];
    if (value === undefined) throw new Error(`The rehearsal needs ${name}`);
    return value;
}
