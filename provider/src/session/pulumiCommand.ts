/** Runs the CLI that started this process, or else the one on the PATH. */
import { type ExecFileException, execFile } from "node:child_process";
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import { Deadline, ownStateMs, systemClock } from "../api";
import { statFieldsOf } from "../evidence/processes";

const run = promisify(execFile);

/** Returns the output of the CLI; `undefined` when it fails, or takes too long. */
export type PulumiCommand = (args: readonly string[]) => Promise<string | undefined>;

/** The limit of an output. A state of ten thousand resources has some tens of megabytes. */
export const maxOutputBytes = 2 ** 30;

/** The number of tries. The engine writes a state in place: an export that reads it meanwhile fails with `failed to load checkpoint: EOF`. */
const maxRuns = 3;

/** The variables of a command of our own: options for the user's commands, such as `PULUMI_OPTION_SHOW_SECRETS`, must not change it. */
export function cliVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const kept = Object.entries(variables).filter(([name]) => !name.startsWith("PULUMI_OPTION_"));
    return { ...Object.fromEntries(kept), PULUMI_SKIP_UPDATE_CHECK: "true" };
}

export function pulumiCommand(variables: NodeJS.ProcessEnv): PulumiCommand {
    const env = cliVariables(variables);
    return async (args) => {
        const { executable, cwd } = ancestorCli() ?? { executable: "pulumi" };
        const options = { env, cwd, windowsHide: true, killSignal: "SIGKILL", maxBuffer: maxOutputBytes } as const;
        const until = new Deadline(systemClock, ownStateMs);
        for (let runs = 1; ; runs++) {
            try {
                // Zero would be no limit.
                const timeout = Math.ceil(until.left) || 1;
                return (await run(executable, [...args, "--non-interactive"], { ...options, timeout })).stdout;
            } catch (error) {
                // The error has an exit code if the CLI was started, and ended by itself.
                if (typeof (error as ExecFileException).code !== "number" || runs === maxRuns) return undefined;
            }
        }
    };
}

/**
 * The nearest ancestor of this process that is a CLI, as Linux shows it. Elsewhere the PATH has to do. From its working folder a relative
 * `file://` backend, and a project's own, are found.
 */
function ancestorCli(): { executable: string; cwd?: string } | undefined {
    try {
        for (let pid = process.ppid; pid > 1; pid = Number(statFieldsOf(pid)[1])) {
            const executable = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
            if (basename(executable) === "pulumi") return { executable, cwd: readlinkSync(`/proc/${pid}/cwd`) };
        }
    } catch {
        // Not Linux, or a process of another user.
    }
    return undefined;
}
