/** How `orphans` tells what it found and did. */
import { durationText } from "../../lifecycle/wait/duration";
import { typed } from "../files";
import { counted, quoted, type Shell } from "../shell";
import { nameOf } from "../stackState";
import type { Done } from "./done";
import type { Options } from "./options";
import type { Found } from "./search";
import type { Marked } from "./verdict";

export function tell(
    shell: Shell,
    { identity, orphans, pending, young, unread, unsent }: Found,
    { minAge }: Options,
): void {
    const { talk } = shell;
    const named = `${identity.project}/${identity.stack}`;
    if (orphans.length === 0) talk.print(`No orphans of ${named}.`);
    else {
        talk.print(
            `${counted(orphans.length, "orphan")} of ${named}: made by this stack, says the mark, and unknown to its state.`,
        );
        for (const object of orphans) talk.print(`  ${line(object)}`);
    }
    if (pending.length > 0) {
        talk.print(
            `${counted(pending.length, "object")} pending: creates that have not ended (--include-pending makes them orphans).`,
        );
        for (const object of pending) {
            const why =
                object.verdict === "journal"
                    ? "the next `pulumi up` on this machine takes it up"
                    : "being created, or left by a run that was killed";
            talk.print(`  ${line(object)}: ${why}`);
        }
    }
    if (young.length > 0) {
        talk.print(
            `${counted(young.length, "object")} younger than ${durationText(minAge)}, so perhaps being created now (--min-age):`,
        );
        for (const object of young) talk.print(`  ${line(object)}`);
    }
    if (unsent.length > 0) {
        talk.print(
            `${counted(unsent.length, "create")} in the journal without such an object; the next \`pulumi up\` looks for it:`,
        );
        for (const { kind, urn, marker, startedAt } of unsent) {
            talk.print(`  ${kind} ${quoted(nameOf(urn))}, begun ${dateText(startedAt)}, mark ${marker}`);
        }
    }
    for (const { kind, id, problem } of unread) talk.warn(`${kind} ${id} could not be looked at: ${problem}.`);
}

function line({ kind, id, name, title, status, createdOn }: Marked): string {
    return `${kind} ${quoted(name)} ${id} ${quoted(title)} ${status ?? "?"}, created ${dateText(createdOn)}`;
}

export function tellDone(
    shell: Shell,
    { orphans }: Found,
    { deleted, kept, importFile }: Done,
    options: Options,
): void {
    const { talk } = shell;
    for (const { object, reason } of kept) talk.warn(`${object.kind} ${object.id} is left alone: ${reason}.`);
    if (orphans.length === 0) return;
    if (options.remove) talk.print(`${counted(deleted.length, "object")} deleted.`);
    else if (importFile !== undefined) {
        talk.print(
            `${importFile} has ${orphans.length - kept.length} of them. Next:\n` +
                `  pulumi import --file ${typed(importFile, shell.cwd)} --yes --generate-code=false --protect=false\n` +
                "  pulumi refresh --yes",
        );
    } else if (options.importFile === undefined) {
        talk.print("Next: --delete deletes them, --import-file <path> puts them into the state, by `pulumi import`.");
    }
}

export function tellJson(shell: Shell, found: Found, done: Done): void {
    const short = ({ kind, id, name, title, status, createdOn, mark }: Marked) => {
        return { kind, id, name, title, status, createdOn, mark };
    };
    const { identity, orphans, pending, young, unread, unsent } = found;
    shell.talk.printJson({
        ...identity,
        orphans: orphans.map(short),
        pending: pending.map((object) => ({ ...short(object), because: object.verdict })),
        young: young.map(short),
        journal: unsent.map(({ kind, urn, marker, startedAt, id }) => ({ kind, urn, mark: marker, startedAt, id })),
        unread: unread.map(({ kind, id, problem }) => ({ kind, id, problem })),
        deleted: done.deleted.map(({ id }) => id),
        leftAlone: done.kept.map(({ object: { kind, id }, reason }) => ({ kind, id, reason })),
        importFile: done.importFile ?? null,
    });
}

function dateText(time: number | undefined): string {
    if (time === undefined || Number.isNaN(new Date(time).getTime())) return "at an unknown time";
    return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
