/** `forget`: lists the journal of creates on this machine, and forgets the entries that the user names. */
import { Journal, journalFolder } from "#provider/evidence/journal";
import type { JournalEntry } from "#provider/evidence/journalFile";
import { parseUrn } from "#provider/urn";
import { CommandError, command, commonOptions, exitCodes } from "./commandLine";
import { messages } from "./messages";
import { counted, dateText, quoted } from "./terminal";

export const forget = command({
    name: "forget",
    positionals: "[<nonce or object id>...]",
    about: `Lists the journal of creates on this machine, or forgets the entries that are named.

Each line begins with the nonce of its entry. The journal remembers each create until it was answered. An entry that
is left belongs to a create that has not ended: the next \`pulumi up\` continues with it. If \`pulumi up\` refuses a
create because of an entry, and you know what happened to the object, forget the entry. The object remains.`,
    options: { json: commonOptions.json },
    async run({ json = false }, { terminal, variables }, named) {
        const folder = journalFolder(variables);
        const journal = new Journal({ folder });
        const entries = await journal.entries();
        const chosen = entries.filter(({ nonce, id }) => named.includes(nonce) || named.includes(id ?? ""));
        const unknown = named.filter((name) => !chosen.some(({ nonce, id }) => name === nonce || name === id));
        if (unknown.length > 0) throw new CommandError(messages.entriesUnknown({ names: unknown.join(", ") }));
        const busy = chosen.find((entry) => journal.isHeldByLivingProcess(entry));
        if (busy !== undefined)
            throw new CommandError(messages.entryInUse({ nonce: busy.nonce, pid: busy.writer.pid }));
        await journal.forget(chosen.map(({ nonce }) => nonce));
        if (json) {
            const left = entries.filter((entry) => !chosen.includes(entry));
            terminal.printJson({ entries: left.map(entryJson), forgotten: chosen.map(({ nonce }) => nonce) });
        } else if (named.length > 0) terminal.print(`${counted(chosen.length, "create")} forgotten.`);
        else if (entries.length === 0) terminal.print(`The journal in ${folder} is empty.`);
        else for (const entry of entries) terminal.print(entryLine(entry));
        return exitCodes.done;
    },
});

export function entryJson({ kind, urn, nonce, startedAt, id }: JournalEntry) {
    return { kind, urn, nonce, startedAt, id };
}

export function entryLine({ nonce, kind, urn, startedAt, id }: JournalEntry): string {
    const { project = "?", stack = "?", name = urn } = parseUrn(urn) ?? {};
    return `${nonce}  ${kind} ${quoted(name)} of ${project}/${stack}, started ${dateText(startedAt)}${id === undefined ? "" : `, id ${id}`}`;
}
