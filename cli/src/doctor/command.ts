/** `doctor`: checks the versions, the settings, the connection and the journal, one line for each. */

import { findProject } from "#provider/session/project";
import { type Command, exitCodes, readOptions } from "../commandLine";
import { counted, type Shell, type Style } from "../shell";
import { exportedState } from "../state";
import { connection } from "./connection";
import type { Finding } from "./finding";
import { journal } from "./journal";
import { versions } from "./versions";

export const doctor: Command = async (args, shell) => {
    const { stack, json = false } = readOptions(args, { stack: { type: "string" }, json: { type: "boolean" } });
    const findings: Finding[] = [];
    for await (const finding of all(shell, stack)) {
        findings.push(finding);
        if (!json) shell.terminal.print(line(finding, shell));
    }
    const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
    const ok = count("error") === 0;
    if (json) shell.terminal.printJson({ ok, checks: findings });
    else shell.terminal.print(`\n${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}.`);
    return ok ? exitCodes.done : exitCodes.failed;
};

async function* all(shell: Shell, stack: string | undefined): AsyncGenerator<Finding> {
    const project = findProject(shell.cwd);
    yield* versions(shell, project);
    const isKnown = stack !== undefined || project !== undefined;
    const state = isKnown ? await exportedState(shell, stack).catch(() => undefined) : undefined;
    yield* connection(shell, stack, state);
    yield journal(shell);
}

const styles: Record<Finding["status"], Style> = { ok: "green", warning: "yellow", error: "red", skipped: "dim" };

function line({ status, check, text }: Finding, { terminal }: Shell): string {
    return `${terminal.style(styles[status], status.padEnd(7))}  ${check.padEnd(17)}  ${text}`;
}
