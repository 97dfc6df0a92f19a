/** Runs single steps of the example's workflows from their own files, as a runner does, with a `gh` that keeps what it is told. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { secretsProvider } from "../../support/keyService.ts";
import { attempt, readWorkflow, type Workflow } from "../../support/workflow.ts";

export const example = join(import.meta.dirname, "..", "..", "..", "examples", "gitops");
const folder = join(example, ".github", "workflows");

export const workflows: Readonly<Record<string, Workflow>> = Object.fromEntries(
    readdirSync(folder).map((file) => [file, readWorkflow(join(folder, file))]),
);
export const workflow = (file: string): Workflow => workflows[file] ?? assert.fail(`There is no ${file}`);

interface Played {
    readonly code: number;
    readonly log: string;
    readonly summary: string;
    /** What the step wrote for later steps and jobs. */
    readonly outputs: Readonly<Record<string, string>>;
    /** The calls of `gh`, with the text that each was given. */
    readonly gh: readonly { readonly command: string; readonly body: string }[];
}

/** Answers of `gh`, by the beginning of the command. With `--jq` an answer is JSON. */
export type Answers = Readonly<Record<string, string>>;

/** `gh`: notes its arguments, and the text that it was given in a file. */
const ghProgram = `
const { execFileSync } = require("node:child_process");
const { appendFileSync, readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const after = (option) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
const file = after("--body-file") ?? after("--field")?.replace("body=@", "");
const body = file === undefined ? "" : readFileSync(file, "utf8");
appendFileSync(process.env.GH_CALLS, JSON.stringify({ command: args.join(" "), body }) + "\\n");
const found = Object.entries(JSON.parse(process.env.GH_ANSWERS)).find(([start]) => args.join(" ").startsWith(start));
const input = found === undefined ? "" : found[1];
const filter = after("--jq");
process.stdout.write(filter === undefined ? input : execFileSync("jq", ["-r", filter], { input }));
`;

export interface Runner {
    /** For the runner's own files. */
    readonly folder: string;
    /** What every process has. */
    readonly env: Readonly<Record<string, string>>;
    /** In place of what a step sets. */
    readonly instead?: Readonly<Record<string, string>>;
}

/**
 * Runs the script of the step with that name, in a workspace. `contexts` are GitHub's values, such as those of `secrets.NAME`; one that
 * the step uses and that is not there is an error.
 */
export async function runStep(
    runner: Runner,
    [file, jobName, stepName]: readonly [file: string, job: string, step: string],
    workspace: string,
    contexts: Readonly<Record<string, string>>,
    answers: Answers = {},
): Promise<Played> {
    const { defaults, jobs } = workflow(file);
    const job = jobs[jobName] ?? assert.fail(`${file} has no job ${jobName}`);
    const step = job.steps?.find(({ name }) => name === stepName) ?? assert.fail(`${file} has no step ${stepName}`);
    const fill = (text: string) =>
        text.replace(/\$\{\{ *(\S+) *\}\}/g, (_, name: string) => contexts[name] ?? assert.fail(`no ${name}`));
    // GitHub sets `pipefail` only for a shell that is named.
    assert.equal(defaults?.run.shell, "bash", file);
    const settings = Object.entries({ ...job.env, ...step.env });
    const env = settings.map(([name, text]) => [name, runner.instead?.[name] ?? fill(text)]);
    return await runScript(runner, fill(step.run ?? ""), workspace, Object.fromEntries(env), answers);
}

export async function runScript(
    runner: Runner,
    script: string,
    workspace: string,
    env: Readonly<Record<string, string>>,
    answers: Answers = {},
): Promise<Played> {
    const own = await mkdtemp(join(runner.folder, "step-"));
    const file = (name: string) => join(own, name);
    await writeFile(file("gh"), `#!${process.execPath}\n${ghProgram}`, { mode: 0o755 });
    for (const empty of ["output", "summary", "calls"]) await writeFile(file(empty), "");
    // What a passphrase costs in each run: see keyService.
    const text = script.replace(/^pulumi stack init .*/m, `$& --secrets-provider ${secretsProvider}`);
    const { code, stdout, stderr } = await attempt(text, workspace, {
        ...runner.env,
        ...{ PATH: [own, runner.env.PATH].join(delimiter), HOME: own, CI: "true" },
        ...{ GITHUB_OUTPUT: file("output"), GITHUB_STEP_SUMMARY: file("summary") },
        ...{ GH_CALLS: file("calls"), GH_ANSWERS: JSON.stringify(answers) },
        ...env,
    });
    const calls = (await readFile(file("calls"), "utf8")).split("\n").filter(Boolean);
    const outputs = [...(await readFile(file("output"), "utf8")).matchAll(/^(.+?)=(.*)$/gm)];
    return {
        ...{ code, log: stdout + stderr, summary: await readFile(file("summary"), "utf8") },
        outputs: Object.fromEntries(outputs.map(([, key, text]) => [key, text])),
        gh: calls.map((line) => JSON.parse(line)),
    };
}
