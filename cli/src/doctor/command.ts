/** `doctor`: checks the versions, the settings, the connection and the journal, one line for each. */
import { command, common, exitCodes } from "../commandLine";
import { counted, type Style } from "../terminal";
import { connection } from "./connection";
import type { Finding } from "./finding";
import { journal } from "./journal";
import { versions } from "./versions";

const styles: Record<Finding["status"], Style> = { ok: "green", warning: "yellow", error: "red", skipped: "dim" };

export const doctor = command({
    name: "doctor",
    about: `Checks the settings, the tools and the connection.

It checks versions, credentials and where they come from, what the service answers to them, the clock, proxies, and the
journal of creates. It prints one line for each check, with what to do if something is wrong. It changes nothing.`,
    options: { stack: common.stack, json: common.json },
    exits: "0 no errors (there may be warnings), 1 an error, 2 a wrong command line.",
    async run({ stack, json = false }, shell) {
        const { terminal } = shell;
        const findings: Finding[] = [];
        for (const checks of [versions(shell), connection(shell, stack), journal(shell)]) {
            for await (const finding of checks) {
                findings.push(finding);
                const { status, check, text } = finding;
                const word = terminal.style(styles[status], status.padEnd(7));
                if (!json) terminal.print(`${word}  ${check.padEnd(17)}  ${text}`);
            }
        }
        const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
        const ok = count("error") === 0;
        if (json) terminal.printJson({ ok, checks: findings });
        else terminal.print(`\n${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}.`);
        return ok ? exitCodes.done : exitCodes.failed;
    },
});
