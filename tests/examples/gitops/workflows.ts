/** The workflows of examples/gitops, as their files have them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export interface Step {
    id?: string;
    name?: string;
    run?: string;
    uses?: string;
    if?: string;
    with?: Record<string, unknown>;
    env?: Record<string, string>;
}
export interface Job {
    environment?: string;
    if?: string;
    permissions?: Record<string, string>;
    env?: Record<string, string>;
    outputs?: Record<string, string>;
    steps: Step[];
}
export interface Workflow {
    on: unknown;
    permissions: Record<string, string>;
    concurrency: { group: string; "cancel-in-progress": boolean };
    defaults?: { run: { shell: string } };
    jobs: Record<string, Job>;
}

export const example = join(import.meta.dirname, "..", "..", "..", "examples", "gitops");
const folder = join(example, ".github", "workflows");

export const workflows: Readonly<Record<string, Workflow>> = Object.fromEntries(
    readdirSync(folder).map((file) => [file, parse(readFileSync(join(folder, file), "utf8")) as Workflow]),
);
export const workflow = (file: string): Workflow => workflows[file] ?? assert.fail(`There is no ${file}`);
