/** `doctor`: checks the versions, the settings, the connection, the stack's state and the journal, one line for each. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { Journal, journalFolder } from "#provider/evidence/journal";
import { messageFrom, messageOf } from "#provider/messages/index";
import { command, commonOptions, exitCodes } from "../commandLine";
import type { Shell } from "../shell";
import { counted, type Style } from "../terminal";
import { checkConnection } from "./connection";
import { type Finding, findingsOf } from "./finding";
import { checkOwnState } from "./ownState";
import { checkVersions } from "./versions";

const styles: Record<Finding["status"], Style> = { ok: "green", warning: "yellow", error: "red", skipped: "dim" };

export const doctor = command({
    name: "doctor",
    about: `Checks the settings, the tools and the connection.

It checks the versions, the credentials and their origin, the service's answers, the clock, proxies, the
stack's state as a run reads it, and the journal of creates. It prints one line for each check, with what
to do if something is wrong. It changes nothing.`,
    options: { stack: commonOptions.stack, json: commonOptions.json },
    async run({ stack, json = false }, shell) {
        const { terminal } = shell;
        const findings: Finding[] = [];
        const checks = {
            Versions: checkVersions(shell),
            Connection: checkConnection(shell, stack),
            "Own state": checkOwnState(shell, stack),
            Journal: checkJournal(shell),
        };
        for (const [name, found] of Object.entries(checks)) {
            for await (const finding of withFailure(name, found)) {
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

/** The findings of a check. A failure of the check itself is one more finding: otherwise it would end the command, without the other checks. */
async function* withFailure(name: string, findings: AsyncGenerator<Finding>): AsyncGenerator<Finding> {
    try {
        yield* findings;
    } catch (failure) {
        yield findingsOf(name).error(messageFrom(failure));
    }
}

/** The journal of creates: whether it can be written, and its entries. */
async function* checkJournal({ variables }: Shell): AsyncGenerator<Finding> {
    const { ok, warning, error } = findingsOf("Journal");
    const folder = journalFolder(variables);
    try {
        // The check writes nothing.
        accessSync(`${nearestExisting(folder)}/`, constants.W_OK | constants.X_OK);
    } catch (failure) {
        yield error(
            `${folder} cannot be used (${messageOf(failure)}). Make it writable or set VIDEOGRAPH_JOURNAL_DIR to another folder; until then nothing can be created.`,
        );
        return;
    }
    const files = new Journal({ folder });
    const entries = await files.entries();
    const open = entries.filter((entry) => !files.isHeldByLivingProcess(entry));
    yield open.length === 0
        ? ok(`${folder}, no open creates`)
        : warning(
              `${folder}, ${counted(open.length, "open create")} of earlier runs. \`npx pulumi-videograph forget\` lists them. A ` +
                  "`pulumi up` that creates these resources continues with them; `npx pulumi-videograph orphans` finds other objects that they left.",
          );
}

/** The folder, or the nearest folder above it that exists. */
function nearestExisting(folder: string): string {
    return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}
