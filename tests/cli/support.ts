/** Runs the real `pulumi-videograph` as a process of its own, and looks whether its words keep the secrets. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import type { PulumiCli } from "../../tools/pulumiCli/index.ts";
import type { TestStack } from "../support/testStack.ts";

export const program = join(import.meta.dirname, "..", "..", "provider", "bin", "pulumi-videograph.js");

export interface Ended {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
}

export interface Around {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Which Node runs it; this one by default. */
    readonly node?: string;
}

/** Runs it to its end. */
export async function run(args: readonly string[], { cwd, env, node = process.execPath }: Around): Promise<Ended> {
    const child = spawn(node, [program, ...args], { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text.stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        text.stderr += chunk;
    });
    const [code] = (await once(child, "close")) as [number | null];
    assert.doesNotMatch(text.stderr, /^\s+at .+:\d+:\d+\)?$/m, "There is a stack trace in the output");
    return { code, ...text };
}

/** Runs it in the folder of a stack, with what the stack's own runs of Pulumi have. */
export async function runIn(stack: TestStack, cli: PulumiCli, ...args: string[]): Promise<Ended> {
    const home = join(stack.folder, "home");
    const base = isolatedEnvironment(cli, { backend: join(stack.folder, "state"), home, passphrase: "test" });
    const env = { ...base, HOME: home, ...stack.env };
    const ended = await run(args, { cwd: stack.folder, env });
    stack.checkForSecrets(ended.stdout + ended.stderr);
    return ended;
}

/** The same, which must end so. */
export async function expectCode(code: number, running: Promise<Ended>): Promise<Ended> {
    const ended = await running;
    assert.equal(ended.code, code, `It ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
    return ended;
}
