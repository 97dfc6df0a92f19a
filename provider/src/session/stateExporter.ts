/**
 * Runs `pulumi stack export`, and tries again where the backend may answer later. A create reads the state of its stack in this way, and the command
 * `doctor` checks that it works.
 */
import {
    type Clock,
    Deadline,
    ownStateMs,
    ownStatePausesMs,
    ownStateTries,
    unlessAborted,
    withTimeLimit,
} from "../api";
import { durationText } from "../inputs/duration";
import { asClause, LifecycleError, messages } from "../messages";
import type { StackExport } from "../operation/ownState";
import type { Cli } from "./engineCli";
import { CliFailure, runCli } from "./pulumiCommand";
import { readExport } from "./stackExport";

/** The state of the stack. @throws {LifecycleError} if it cannot be read, or the signal's reason */
export type StateExporter = (stack: string | undefined, signal?: AbortSignal) => Promise<StackExport>;

interface Options {
    findCli(): Promise<Cli>;
    /** The environment of the command. */
    env: NodeJS.ProcessEnv;
    clock: Clock;
}

export function stateExporter({ findCli, env, clock }: Options): StateExporter {
    return async (stack, parent) => {
        const args = ["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])];
        let cli: Cli = { executable: "pulumi", cwd: undefined };
        let failure: CliFailure | undefined;
        let tries = 0;
        const unread = (within = "") => {
            const command = `\`${[cli.executable, ...args].join(" ")}\`${cli.cwd === undefined ? "" : ` in ${cli.cwd}`}`;
            const error = `${command} ${fateOf(failure, tries, within)}`;
            return new LifecycleError(messages.ownStateUnread({ error }));
        };
        const read = async (signal: AbortSignal) => {
            cli = await unlessAborted(findCli(), signal);
            for (;;) {
                try {
                    return await runCli(cli, args, { env, signal }, readExport);
                } catch (error) {
                    if (!(error instanceof CliFailure)) throw error;
                    failure = error;
                    tries++;
                    const { why, mayPass } = error;
                    // Somebody has upgraded the CLI during the run: the file that started the run is gone. So the CLI on the PATH is tried.
                    if (why === "missing" && cli.executable !== "pulumi") cli = { ...cli, executable: "pulumi" };
                    else if (why !== "failed" || (tries >= ownStateTries && !mayPass)) throw unread();
                    else await clock.sleep(ownStatePausesMs[tries - 1] ?? ownStatePausesMs[4], signal);
                }
            }
        };
        const late = () => unread(` within ${durationText(ownStateMs)}`);
        return withTimeLimit(new Deadline(clock, ownStateMs), parent, read, late);
    };
}

function fateOf(failure: CliFailure | undefined, tries: number, within: string): string {
    if (failure === undefined) return `did not end${within}.`;
    const words = asClause(failure.message);
    if (failure.why === "missing") return `could not be started: ${words}.`;
    if (failure.why === "unreadable") return `gave no state: ${words}.`;
    return `failed${tries > 1 ? ` ${tries} times` : ""}${within}: ${words}.`;
}
