/** Runs the Pulumi CLI once, and reads the output while it comes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { messageOf } from "../messages";
import { redactorOfVariables } from "../secretValues/known";
import type { Cli } from "./engineCli";

/** The failure of a CLI command. The message quotes what the CLI has said, on one line and without secrets. */
export class CliFailure extends Error {
    constructor(
        readonly why: "missing" | "failed" | "unreadable",
        message: string,
        /** What the `read` of `runCli` made of the output before the command failed. */
        readonly output?: unknown,
        /** Whether a later try may succeed. Judged by all words of the CLI: the message leaves out words that may hold a secret. */
        readonly mayPass = false,
    ) {
        super(message);
    }
}

/**
 * The environment for a CLI command that this package runs. It lacks `PULUMI_OPTION_*`, because the user's `PULUMI_OPTION_SHOW_SECRETS` would decrypt
 * secrets.
 */
export function cliVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const kept = Object.entries(variables).filter(([name]) => !name.startsWith("PULUMI_OPTION_"));
    return { ...Object.fromEntries(kept), PULUMI_SKIP_UPDATE_CHECK: "true" };
}

/** Runs a CLI command, and returns what `read` makes of its output. @throws {CliFailure}, or the signal's reason */
export async function runCli<T>(
    { executable, cwd }: Cli,
    args: readonly string[],
    { env, signal }: { env: NodeJS.ProcessEnv; signal?: AbortSignal },
    read: (output: AsyncIterable<string>) => Promise<T>,
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
        // A wrapper script may leave a child behind that holds the pipes open. This process would then wait for that child.
        for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    }
}

/** The words on one line, without secrets: in an error, a backend may quote a password or a key from the environment. */
function quoted(words: string, env: NodeJS.ProcessEnv): string {
    return redactorOfVariables(env).quote(words.replace(/^\s*error:\s*/gm, ""));
}

/** The text from the first `error:` on. The warnings before it are cut off. */
function errorsIn(text: string): string {
    return text.slice(Math.max(0, text.search(/^error:/m)));
}

/**
 * Matches an error that may be over at the next try: the backend is locked, slow or overloaded, or the engine is just writing the file of the state
 * (`failed to load checkpoint: unexpected end of JSON input`).
 */
const passing =
    /\block|time[d-]?[ -]?out|deadline exceeded|\bEOF\b|unexpected end|connection re|too many requests|throttl|slow ?down|busy|unavailable|(?:\[|code|error|response|status|http)\W{0,3}(?:429|5\d\d)\b/i;
