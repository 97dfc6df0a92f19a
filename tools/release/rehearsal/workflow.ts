/** Plays workflows of GitHub, as far as the release uses them: jobs in their order, scripts by bash, artifacts in folders. */
import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";

export interface Step {
    id?: string;
    name?: string;
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
    env?: Record<string, string>;
    outputs?: Record<string, string>;
    steps?: Step[];
}
export interface Workflow {
    on: unknown;
    permissions?: Record<string, string>;
    concurrency?: { group: string; "cancel-in-progress": boolean };
    defaults?: { run: { shell: string } };
    jobs: Record<string, Job>;
}
type Contexts = Record<string, unknown>;

/** What a play needs from outside. */
export interface Stage {
    /** The clone that jobs check out. */
    readonly clone: string;
    /** Artifacts and the folders of jobs without a checkout. */
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    /** Whether a job, or one of its matrix, is not played. */
    leavesOut(job: string, matrix: Contexts): boolean;
    /** Called before a script runs; the script that runs in its place. */
    script(script: string): Promise<string>;
    /** Files whose digests are attested. */
    attest(files: readonly string[]): void;
}

export function readWorkflow(file: string): Workflow {
    return parse(readFileSync(file, "utf8")) as Workflow;
}

/** Plays all jobs of a file of the clone, each after those that it needs. Throws at the first script that fails. */
export async function play(stage: Stage, file: string): Promise<void> {
    const needs: Contexts = {};
    for (const [name, job] of Object.entries(readWorkflow(join(stage.clone, file)).jobs)) {
        const contexts = { github: { token: "of-the-rehearsal" }, vars: {}, needs };
        if (job.if !== undefined && evaluated(job.if, contexts) !== "true") continue;
        if (job.uses !== undefined) await play(stage, job.uses.replace("./", ""));
        const [[key = "", values = [undefined]] = []] = Object.entries(job.strategy?.matrix ?? {});
        for (const value of job.steps === undefined ? [] : values) {
            const matrix = { [key]: value };
            if (stage.leavesOut(name, matrix)) continue;
            console.log(`- ${name} ${value ?? ""}`);
            needs[name] = { outputs: await playJob(stage, job, { ...contexts, matrix }) };
        }
    }
}

async function playJob(stage: Stage, job: Job, contexts: Contexts): Promise<Contexts> {
    let cwd = mkdtempSync(join(stage.folder, "job-"));
    const output = join(cwd, ".output");
    const steps: Contexts = {};
    const now = { ...contexts, steps };
    const filledIn = (texts: Record<string, string> = {}) =>
        Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, filled(String(text), now)]));
    for (const { id, if: condition, uses, with: given, run, env } of job.steps ?? []) {
        if (condition !== undefined && evaluated(condition, now) !== "true") continue;
        if (uses?.startsWith("actions/checkout@")) cwd = stage.clone;
        else if (uses !== undefined) act(stage, uses, filledIn(given), cwd);
        if (run === undefined) continue;
        writeFileSync(output, "");
        await bash(await stage.script(run), cwd, { ...filledIn(env), ...stage.env, GITHUB_OUTPUT: output });
        if (id !== undefined) steps[id] = { outputs: outputsIn(output) };
    }
    return filledIn(job.outputs);
}

/** What the release uses of actions, by their names. Those that set up tools do nothing: the tools are on the PATH. */
function act(stage: Stage, uses: string, given: Record<string, string>, cwd: string): void {
    const { name = "", path = ".", pattern = name } = given;
    const artifacts = join(stage.folder, "artifacts");
    if (uses.startsWith("actions/upload-artifact@")) {
        const found = globSync(path, { cwd }).map((file) => join(cwd, file));
        if (found.length === 0) throw new Error(`${path}: there is nothing to upload`);
        for (const file of found) {
            const to = statSync(file).isDirectory() ? "" : basename(file);
            cpSync(file, join(artifacts, name, to), { recursive: true });
        }
    } else if (uses.startsWith("actions/download-artifact@")) {
        for (const artifact of globSync(pattern, { cwd: artifacts })) {
            const own = artifact === name || given["merge-multiple"] === "true" ? "" : artifact;
            cpSync(join(artifacts, artifact), join(cwd, path, own), { recursive: true });
        }
    } else if (uses.startsWith("actions/attest-build-provenance@")) {
        const patterns = (given["subject-path"] ?? "").split("\n").filter((line) => line.trim() !== "");
        stage.attest(patterns.flatMap((one) => globSync(one.trim(), { cwd }).map((file) => join(cwd, file))));
    }
}

/** Runs a script as the runner does: an error if it fails, else what it prints. */
export async function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr } = await attempt(script, cwd, env);
    if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${stdout}${stderr}`);
    return stdout;
}

export function attempt(script: string, cwd: string, env: Readonly<Record<string, string>>) {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const child = execFile("bash", args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
            // One that a signal has ended has no code.
            resolve({ code: error === null ? 0 : Number(error.code) || 1, stdout, stderr });
        });
        // No user can answer prompts.
        child.stdin?.end();
    });
}

/** What a step wrote for later steps and jobs. */
export function outputsIn(file: string): Record<string, string> {
    return Object.fromEntries(
        [...readFileSync(file, "utf8").matchAll(/^(.+?)=(.*)$/gm)].map(([, key, text]) => [key, text]),
    );
}

function filled(text: string, contexts: Contexts): string {
    return text.replace(/\$\{\{ *(.+?) *\}\}/g, (_, expression: string) => evaluated(expression, contexts));
}

/** A path such as `needs.verify.outputs.version`, or its comparison with a text. */
function evaluated(expression: string, contexts: Contexts): string {
    const [, path = "", operator, text] = /^([\w.-]+)(?: *(==|!=) *'([^']*)')?$/.exec(expression) ?? [];
    let value: unknown = contexts;
    for (const key of path.split(".")) value = (value as Contexts | undefined)?.[key];
    const found = String(value ?? "");
    return operator === undefined ? found : String((found === text) === (operator === "=="));
}
