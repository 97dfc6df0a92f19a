/** `doctor`: checks the settings, the tools and the connection, one line for each. */
import { type Command, exitCodes, readOptions } from "../commandLine";
import { findProject } from "../pulumi";
import { counted, type Shell, type Style } from "../shell";
import { exportedState, type StackState } from "../state";
import type { Finding } from "./finding";
import { journal } from "./journal";
import { machine, service } from "./service";
import { tools } from "./tools";

export const doctor: Command = async (args, shell) => {
    const { stack, json = false } = readOptions(args, { stack: { type: "string" }, json: { type: "boolean" } });
    const findings: Finding[] = [];
    for await (const finding of all(shell, stack)) {
        findings.push(finding);
        if (!json) shell.talk.print(line(finding, shell));
    }
    const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
    const ok = count("error") === 0;
    if (json) shell.talk.printJson({ ok, checks: findings });
    else shell.talk.print(`\n${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}.`);
    return ok ? exitCodes.done : exitCodes.failed;
};

async function* all(shell: Shell, stack: string | undefined): AsyncGenerator<Finding> {
    const state = await knownState(shell, stack);
    yield* tools(shell, stack, state);
    yield* machine(shell.variables);
    yield* service(shell, stack, state);
    yield journal(shell);
}

/** The state of the stack, where there is one: the checks of the tools say why not. */
async function knownState(shell: Shell, stack: string | undefined): Promise<StackState | undefined> {
    if (stack === undefined && findProject(shell.cwd) === undefined) return undefined;
    return exportedState(shell, stack).catch(() => undefined);
}

const styles: Record<Finding["status"], Style> = { ok: "green", warning: "yellow", error: "red", skipped: "dim" };

function line({ status, check, text }: Finding, { talk }: Shell): string {
    return `${talk.style(styles[status], status.padEnd(7))}  ${check.padEnd(17)}  ${text}`;
}
