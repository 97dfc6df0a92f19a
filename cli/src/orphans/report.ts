/** The output of `orphans`. */
import { importSteps } from "../files";
import { entryJson, entryLine } from "../forget";
import type { Shell } from "../shell";
import { counted, dateText, quoted } from "../terminal";
import type { Done } from "./act";
import type { Found } from "./search";
import type { Judged, Marked } from "./verdict";

const headings: Record<Exclude<Judged["status"], "orphan">, string> = {
    pending: "of creates that have not ended",
    told: "of creates that were answered",
    released: "that this stack created and may have released",
    foreign: "that may belong to another stack",
};

export function printFound({ terminal }: Shell, { identity, judged, unread, journal }: Found): void {
    const of = (status: Judged["status"]) => judged.filter((one) => one.status === status);
    const orphans = of("orphan");
    const stack = `${identity.project}/${identity.stack}`;
    terminal.print(
        orphans.length === 0
            ? `No orphans of ${stack}.`
            : `${counted(orphans.length, "orphan")} of ${stack}: this stack created them, and its state does not have them.`,
    );
    for (const { object } of orphans) terminal.print(`  ${line(object)}`);
    for (const status of ["pending", "told", "released", "foreign"] as const) {
        if (of(status).length === 0) continue;
        terminal.print(`${counted(of(status).length, "object")} ${headings[status]} (changed only with --id):`);
        for (const { object, reason } of of(status)) terminal.print(`  ${line(object)}: ${reason}`);
    }
    if (journal.length > 0) {
        terminal.print(`${counted(journal.length, "create")} in the journal without an object here:`);
        for (const entry of journal) terminal.print(`  ${entryLine(entry)}`);
    }
    for (const { kind, id, problem } of unread) terminal.warn(`${kind} ${id} could not be read: ${problem}.`);
}

function line({ kind, id, marker: { name }, title, status, createdOn }: Marked): string {
    return `${kind} ${quoted(name)} ${id} ${quoted(title)} ${status ?? "?"}, created ${dateText(createdOn)}`;
}

export function printDone(shell: Shell, count: number, { deleted, kept, importFile }: Done, isDeleting: boolean): void {
    const { terminal } = shell;
    for (const { object, reason } of kept) terminal.warn(`${object.kind} ${object.id} is kept: ${reason}.`);
    if (isDeleting) terminal.print(`${counted(deleted.length, "object")} deleted.`);
    else if (importFile !== undefined) {
        terminal.print(
            `${importFile} has ${count - kept.length} of them. Next:\n${importSteps(importFile, shell, false)}`,
        );
    } else if (kept.length === 0) {
        terminal.print(
            "Next: --delete deletes them; --import-file <path> writes a file with which `pulumi import` puts them into the state.",
        );
    }
}

export function printJson({ terminal }: Shell, { identity, judged, unread, journal }: Found, done: Done): void {
    const short = ({ object: { kind, id, marker, title, status, createdOn } }: Judged) => {
        return { kind, id, name: marker.name, title, status, createdOn, nonce: marker.nonce };
    };
    const others = judged.filter(({ status }) => status !== "orphan");
    terminal.printJson({
        ...identity,
        orphans: judged.filter(({ status }) => status === "orphan").map(short),
        others: others.map((one) => ({ ...short(one), because: one.status, reason: one.reason })),
        journal: journal.map(entryJson),
        unread: unread.map(({ kind, id, problem }) => ({ kind, id, problem })),
        deleted: done.deleted.map(({ id }) => id),
        leftAlone: done.kept.map(({ object: { kind, id }, reason }) => ({ kind, id, reason })),
        importFile: done.importFile ?? null,
    });
}
