/** Runs the real `pulumi-videograph` as a process of its own, and looks whether its words keep the secrets. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestStack } from "../support/testStack.ts";

export const program = join(import.meta.dirname, "..", "..", "provider", "bin", "pulumi-videograph.js");

interface Ended {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
}

interface Around {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
}

/** A run that a test may end early. */
interface Started {
    kill(signal: NodeJS.Signals): void;
    readonly ended: Promise<Ended>;
}

/** Runs it to its end. */
export function run(args: readonly string[], around: Around): Promise<Ended> {
    return start(args, around).ended;
}

export function start(args: readonly string[], { cwd, env }: Around): Started {
    const child = spawn(process.execPath, [program, ...args], {
        ...{ cwd, env: { ...env } },
        stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = async (): Promise<Ended> => {
        const [stdout, stderr, [code]] = await Promise.all([
            text(child.stdout),
            text(child.stderr),
            once(child, "close"),
        ]);
        assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, "There is a stack trace in the output");
        return { code, stdout, stderr };
    };
    return { kill: (signal) => child.kill(signal), ended: ended() };
}

/** Runs it in the folder of a stack, with what the stack's own runs of Pulumi have. */
export async function runIn(stack: TestStack, ...args: string[]): Promise<Ended> {
    const ended = await run(args, { cwd: stack.folder, env: stack.environment });
    stack.checkForSecrets(ended.stdout + ended.stderr);
    return ended;
}

/** The same, which must end so. */
export async function expectCode(code: number, running: Promise<Ended>): Promise<Ended> {
    const ended = await running;
    assert.equal(ended.code, code, `It ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
    return ended;
}
