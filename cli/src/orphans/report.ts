/** The output of `orphans`. */
import { importSteps } from "../files";
import { entryJson, entryLine } from "../forget";
import type { Shell } from "../shell";
import { counted, dateText, quoted } from "../terminal";
import type { Done } from "./act";
import type { Found } from "./search";
import { type Marked, type Status, statuses } from "./verdict";

export function printFound({ terminal }: Shell, { identity, judged, unread, journal }: Found): void {
    const stack = `${identity.project}/${identity.stack}`;
    if (!judged.some(({ status }) => status === "orphan")) terminal.print(`No orphans of ${stack}.`);
    for (const [status, text] of Object.entries(statuses)) {
        const objects = judged.filter((one) => one.status === status).map(({ object }) => object);
        if (objects.length === 0) continue;
        terminal.print(
            status === "orphan"
                ? `${counted(objects.length, status)} of ${stack}, ${text}:`
                : `${counted(objects.length, "object")} ${text} (changed only with --id):`,
        );
        for (const object of objects) terminal.print(`  ${line(object)}`);
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

export function printDone(shell: Shell, { handled, kept }: Done, importFile: string | undefined): void {
    const { terminal } = shell;
    for (const { object, reason } of kept) terminal.warn(`${object.kind} ${object.id} is kept: ${reason}.`);
    if (importFile === undefined) terminal.print(`${counted(handled.length, "object")} deleted.`);
    else if (handled.length > 0) {
        terminal.print(`${importFile} has ${handled.length} of them. Next:\n${importSteps(importFile, shell, false)}`);
    }
}

export function printJson(
    { terminal }: Shell,
    { identity, judged, unread, journal }: Found,
    { handled, kept }: Done,
    importFile: string | undefined,
): void {
    const all = judged.map(({ object: { kind, id, marker, title, status, createdOn }, status: because }) => {
        return { because, kind, id, name: marker.name, title, status, createdOn, nonce: marker.nonce };
    });
    const isOrphan = ({ because }: { because: Status }) => because === "orphan";
    terminal.printJson({
        ...identity,
        orphans: all.filter(isOrphan),
        others: all.filter((one) => !isOrphan(one)),
        journal: journal.map(entryJson),
        unread: unread.map(({ kind, id, problem }) => ({ kind, id, problem })),
        deleted: importFile === undefined ? handled.map(({ id }) => id) : [],
        leftAlone: kept.map(({ object: { kind, id }, reason }) => ({ kind, id, reason })),
        importFile: importFile !== undefined && handled.length > 0 ? importFile : null,
    });
}
