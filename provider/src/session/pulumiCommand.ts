/** Runs of the Pulumi CLI whose output is read as it comes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { messageOf } from "../messages";
import { redactorOfVariables } from "../secretValues/known";
import type { Cli } from "./engineCli";

type Reader<T> = (output: AsyncIterable<string>) => Promise<T>;

export interface RunOptions {
    env: NodeJS.ProcessEnv;
    signal?: AbortSignal | undefined;
}

/** The failure of a command: its message is in the CLI's own words where it has said any, on one line and without secrets. */
export class CliFailure extends Error {
    constructor(
        readonly why: "missing" | "failed" | "unreadable",
        message: string,
        /** What was read of its output all the same. */
        readonly output?: unknown,
        /** Whether it may pass, by all that the CLI has said: the message may hide that. */
        readonly mayPass = false,
    ) {
        super(message);
    }
}

/** The variables of a command of our own: options for the user's commands, such as `PULUMI_OPTION_SHOW_SECRETS`, must not change it. */
export function cliVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const kept = Object.entries(variables).filter(([name]) => !name.startsWith("PULUMI_OPTION_"));
    return { ...Object.fromEntries(kept), PULUMI_SKIP_UPDATE_CHECK: "true" };
}

/** Runs the CLI once. @throws {CliFailure}, or the signal's reason */
export async function runCli<T>(
    { executable, cwd }: Cli,
    args: readonly string[],
    { env, signal }: RunOptions,
    read: Reader<T>,
): Promise<T> {
    signal?.throwIfAborted();
    const child = spawn(executable, [...args, "--non-interactive", "--color", "never"], {
        ...{ cwd, env, windowsHide: true },
        stdio: ["ignore", "pipe", "pipe"],
    });
    const outputs = Promise.allSettled([read(child.stdout.setEncoding("utf8")), text(child.stderr)]);
    try {
        const [code, killedBy] = await once(child, "close", { signal });
        const [output, said] = await outputs;
        const errors = said.status === "fulfilled" ? errorsIn(said.value) : "";
        const value = output.status === "fulfilled" ? output.value : undefined;
        if (code !== 0)
            throw new CliFailure(
                "failed",
                quoted(errors, env) || `it ended with ${killedBy ?? `exit code ${code}`}`,
                value,
                passing.test(errors),
            );
        if (output.status === "rejected") throw new CliFailure("unreadable", String(output.reason.message));
        return output.value;
    } catch (error) {
        signal?.throwIfAborted();
        throw error instanceof CliFailure ? error : new CliFailure("missing", quoted(messageOf(error), env));
    } finally {
        child.kill("SIGKILL");
        // A wrapper's own child holds the pipes open for as long as it likes.
        for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    }
}

/** The words on one line. The CLI prints the secrets of a stack to stdout alone, but a backend may quote others. */
function quoted(words: string, env: NodeJS.ProcessEnv): string {
    return redactorOfVariables(env).quote(words.replace(/^\s*error:\s*/gm, ""));
}

/** What the CLI says from its first error on. */
function errorsIn(text: string): string {
    return text.slice(Math.max(0, text.search(/^error:/m)));
}

/**
 * Words for what may be over at the next try: a backend that is locked, slow or overloaded, and a state that the engine is writing in place
 * (`failed to load checkpoint: unexpected end of JSON input`).
 */
const passing =
    /\block|time[d-]?[ -]?out|deadline exceeded|\bEOF\b|unexpected end|connection re|too many requests|throttl|slow ?down|busy|unavailable|(?:\[|code|error|response|status|http)\W{0,3}(?:429|5\d\d)\b/i;
