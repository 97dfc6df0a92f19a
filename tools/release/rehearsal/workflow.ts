/** Reads and plays workflows of GitHub, as far as the release uses them: jobs in the order of their needs, scripts by bash, artifacts in folders. */
import { execFile } from "node:child_process";
import {
    cpSync,
    existsSync,
    globSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";

export interface Step {
    id?: string;
    if?: string;
    uses?: string;
    with?: Record<string, string>;
    run?: string;
    env?: Record<string, string>;
}
export interface Job {
    needs?: string | string[];
    if?: string;
    uses?: string;
    environment?: string;
    permissions?: Record<string, string>;
    strategy?: { matrix: Record<string, unknown[]> };
    outputs?: Record<string, string>;
    steps?: Step[];
}
export type Jobs = Record<string, Job>;

/** What a play needs from outside. */
export interface Stage {
    /** The clone that jobs check out. */
    readonly clone: string;
    /** Artifacts and the folders of jobs without a checkout. */
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    /** What expressions can name. */
    readonly contexts: Record<string, unknown>;
    /** Called before a script runs; the script that runs in its place. */
    script(job: string, script: string): Promise<string>;
    /** Whether a job, or one of its matrix, is not played. */
    leavesOut(job: string, matrix: Record<string, unknown>): boolean;
    /** Files whose digests are attested. */
    attest(files: readonly string[]): void;
}

export function jobsOf(file: string): Jobs {
    return (parse(readFileSync(file, "utf8")) as { jobs: Jobs }).jobs;
}

export function needsOf({ needs = [] }: Job): readonly string[] {
    return typeof needs === "string" ? [needs] : needs;
}

/** All jobs that end before this one begins. */
export function before(jobs: Jobs, name: string): Set<string> {
    const direct = needsOf(jobs[name] ?? {});
    return new Set(direct.flatMap((needed) => [needed, ...before(jobs, needed)]));
}

/** One sentence for each job that publishes before the plugin that packages download is public, attested, tested and verified. */
export function tooEarly(jobs: Jobs): string[] {
    const publishers = Object.keys(jobs).filter((name) => jobs[name]?.environment !== undefined);
    return publishers.flatMap((name) => {
        const first = before(jobs, name);
        const required = ["verify", "test", "native", "attest", "github-release"].filter((job) => job !== name);
        return required.filter((job) => !first.has(job)).map((job) => `${name} does not wait for ${job}`);
    });
}

/** Plays all jobs of a file of the clone. Throws at the first script that fails. */
export async function play(stage: Stage, file: string, inputs: Record<string, unknown> = {}): Promise<void> {
    const jobs = jobsOf(join(stage.clone, file));
    const needs: Record<string, unknown> = {};
    const rest = new Set(Object.keys(jobs));
    while (rest.size > 0) {
        const name = [...rest].find((one) => needsOf(jobs[one] ?? {}).every((needed) => !rest.has(needed)));
        if (name === undefined) throw new Error(`${file}: ${[...rest].join(", ")} wait for each other`);
        rest.delete(name);
        const job = jobs[name] ?? {};
        const contexts = { ...stage.contexts, ...inputs, needs };
        if (job.if !== undefined && evaluated(job.if, contexts) !== "true") continue;
        if (job.uses !== undefined) await play(stage, job.uses.replace("./", ""));
        for (const matrix of job.uses === undefined ? combinations(job) : []) {
            if (stage.leavesOut(name, matrix)) continue;
            needs[name] = { outputs: await playJob(stage, name, job, { ...contexts, matrix }) };
        }
    }
}

function combinations({ strategy }: Job): Record<string, unknown>[] {
    const [[key = "", values = []] = []] = Object.entries(strategy?.matrix ?? {});
    return key === "" ? [{}] : values.map((value) => ({ [key]: value }));
}

async function playJob(stage: Stage, name: string, job: Job, contexts: Record<string, unknown>) {
    console.log(`- ${name} ${Object.values(contexts.matrix ?? {}).join(" ")}`);
    let cwd = mkdtempSync(join(stage.folder, `${name}-`));
    const output = join(cwd, ".output");
    const steps: Record<string, unknown> = {};
    for (const { id, if: condition, uses, with: given = {}, run, env = {} } of job.steps ?? []) {
        const now = { ...contexts, steps };
        if (condition !== undefined && evaluated(condition, now) !== "true") continue;
        const inputs = Object.fromEntries(Object.entries(given).map(([key, text]) => [key, filled(String(text), now)]));
        if (uses?.startsWith("actions/checkout@")) cwd = stage.clone;
        else if (uses !== undefined) act(stage, uses, inputs, cwd);
        if (run === undefined) continue;
        writeFileSync(output, "");
        const own = Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(String(text), now)]));
        await bash(await stage.script(name, filled(run, now)), cwd, { ...own, ...stage.env, GITHUB_OUTPUT: output });
        const lines = readFileSync(output, "utf8")
            .split("\n")
            .filter((line) => line !== "");
        if (id !== undefined) steps[id] = { outputs: Object.fromEntries(lines.map((line) => line.split("=", 2))) };
    }
    return Object.fromEntries(
        Object.entries(job.outputs ?? {}).map(([key, text]) => [key, filled(text, { ...contexts, steps })]),
    );
}

/** What the release uses of actions, by their names. Those that set up tools do nothing: the tools are on the PATH. */
function act(
    stage: Stage,
    uses: string,
    { name = "", path = ".", pattern, ...more }: Record<string, string>,
    cwd: string,
): void {
    const artifacts = join(stage.folder, "artifacts");
    if (uses.startsWith("actions/upload-artifact@")) {
        const found = globSync(path, { cwd }).map((file) => join(cwd, file));
        if (found.length === 0) throw new Error(`${path}: there is nothing to upload`);
        mkdirSync(join(artifacts, name), { recursive: true });
        for (const file of found)
            cpSync(file, statSync(file).isDirectory() ? join(artifacts, name) : join(artifacts, name, basename(file)), {
                recursive: true,
            });
    } else if (uses.startsWith("actions/download-artifact@")) {
        for (const artifact of globSync(pattern ?? name, { cwd: artifacts })) {
            const merged = pattern === undefined || more["merge-multiple"] === "true";
            cpSync(join(artifacts, artifact), merged ? join(cwd, path) : join(cwd, path, artifact), {
                recursive: true,
            });
        }
    } else if (uses.startsWith("actions/attest-build-provenance@")) {
        const patterns = (more["subject-path"] ?? "").split("\n").filter((line) => line.trim() !== "");
        stage.attest(patterns.flatMap((one) => globSync(one.trim(), { cwd }).map((file) => join(cwd, file))));
    }
}

/** Runs a script as the runner does. */
export function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    return new Promise((resolve, reject) => {
        const child = execFile("bash", args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
            if (error === null) resolve(stdout);
            else reject(new Error(`${script}\nended with ${error.code}:\n${stdout}${stderr}`));
        });
        // There is nobody to answer questions.
        child.stdin?.end();
    });
}

function filled(text: string, contexts: Record<string, unknown>): string {
    return text.replace(/\$\{\{ *(.+?) *\}\}/g, (_, expression: string) => evaluated(expression, contexts));
}

/** A path such as `needs.verify.outputs.version`, or its comparison with a text. */
function evaluated(expression: string, contexts: Record<string, unknown>): string {
    const [, path = "", operator, text] = /^([\w.-]+)(?: *(==|!=) *'([^']*)')?$/.exec(expression) ?? [];
    let value: unknown = contexts;
    for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
    const found = String(value ?? "");
    return operator === undefined ? found : String((found === text) === (operator === "=="));
}

/** Removes what earlier plays left: artifacts, and everything that no commit of the clone has but its packages. */
export async function clear(stage: Stage): Promise<void> {
    for (const entry of existsSync(stage.folder) ? readdirSync(stage.folder) : [])
        rmSync(join(stage.folder, entry), { recursive: true, force: true });
    mkdirSync(join(stage.folder, "artifacts"), { recursive: true });
    await bash("git clean -xdfq -e node_modules", stage.clone, stage.env);
}
