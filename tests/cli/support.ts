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

/** A run that a test may end early. */
export interface Started {
    kill(signal: NodeJS.Signals): void;
    readonly ended: Promise<Ended>;
}

/** Runs it to its end. */
export function run(args: readonly string[], around: Around): Promise<Ended> {
    return start(args, around).ended;
}

/** Starts it. */
export function start(args: readonly string[], { cwd, env, node = process.execPath }: Around): Started {
    const child = spawn(node, [program, ...args], { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text.stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        text.stderr += chunk;
    });
    const ended = async (): Promise<Ended> => {
        const [code] = (await once(child, "close")) as [number | null];
        assert.doesNotMatch(text.stderr, /^\s+at .+:\d+:\d+\)?$/m, "There is a stack trace in the output");
        return { code, ...text };
    };
    return { kill: (signal) => child.kill(signal), ended: ended() };
}

/** Runs it in the folder of a stack, with what the stack's own runs of Pulumi have. */
export async function runIn(stack: TestStack, cli: PulumiCli, ...args: string[]): Promise<Ended> {
    const ended = await startIn(stack, cli, ...args).ended;
    stack.checkForSecrets(ended.stdout + ended.stderr);
    return ended;
}

/** Starts it in the folder of a stack. */
export function startIn(stack: TestStack, cli: PulumiCli, ...args: string[]): Started {
    const home = join(stack.folder, "home");
    const base = isolatedEnvironment(cli, { backend: join(stack.folder, "state"), home, passphrase: "test" });
    const env = { ...base, HOME: home, ...stack.env };
    return start(args, { cwd: stack.folder, env });
}

/** The same, which must end so. */
export async function expectCode(code: number, running: Promise<Ended>): Promise<Ended> {
    const ended = await running;
    assert.equal(ended.code, code, `It ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
    return ended;
}
