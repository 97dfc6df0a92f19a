/** Workflows of GitHub: their files, and their scripts, run as a runner does. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

interface Step {
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

export function readWorkflow(file: string): Workflow {
    return parse(readFileSync(file, "utf8")) as Workflow;
}

/** Runs a script: an error if it fails, else what it prints. */
export async function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr } = await attempt(script, cwd, env);
    if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${stdout}${stderr}`);
    return stdout;
}

export function attempt(script: string, cwd: string, env: Readonly<NodeJS.ProcessEnv>) {
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
