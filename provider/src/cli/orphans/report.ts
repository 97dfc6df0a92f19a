/** What `orphans` prints. */
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
    { identity, orphans, pending, young, elsewhere, ownersUnknown, unread, unsent }: Found,
    { minAge }: Options,
): void {
    const { talk } = shell;
    const named = `${identity.project}/${identity.stack}`;
    if (orphans.length === 0) talk.print(`No orphans of ${named}.`);
    else {
        talk.print(
            `${counted(orphans.length, "orphan")} of ${named}: the marker names this stack, and no state has them.`,
        );
        for (const object of orphans) talk.print(`  ${line(object)}`);
    }
    if (pending.length > 0) {
        talk.print(
            `${counted(pending.length, "object")} pending: their creates have not ended (--include-pending counts them as orphans).`,
        );
        for (const object of pending) {
            const why =
                object.verdict === "journal"
                    ? "the next `pulumi up` on this machine continues with it"
                    : "being created, or left behind by a run that was killed";
            talk.print(`  ${line(object)}: ${why}`);
        }
    }
    if (young.length > 0) {
        talk.print(
            `${counted(young.length, "object")} younger than ${durationText(minAge)}, so perhaps being created right now (--min-age):`,
        );
        for (const object of young) talk.print(`  ${line(object)}`);
    }
    if (elsewhere.length > 0) {
        talk.print(
            `${counted(elsewhere.length, "object")} with the marker of ${named} that another stack owns (renamed, or moved there):`,
        );
        for (const object of elsewhere) talk.print(`  ${line(object)}: owned by ${object.owner}`);
    }
    if (ownersUnknown !== undefined) talk.warn(`whether other stacks own these objects is unknown. ${ownersUnknown}`);
    if (unsent.length > 0) {
        talk.print(
            `${counted(unsent.length, "create")} in the journal without an object; the next \`pulumi up\` searches for it:`,
        );
        for (const { kind, urn, marker, startedAt } of unsent) {
            talk.print(`  ${kind} ${quoted(nameOf(urn))}, started ${dateText(startedAt)}, marker ${marker}`);
        }
    }
    for (const { kind, id, problem } of unread) talk.warn(`${kind} ${id} could not be read: ${problem}.`);
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
    for (const { object, reason } of kept) talk.warn(`${object.kind} ${object.id} is kept: ${reason}.`);
    if (orphans.length === 0) return;
    if (options.remove) talk.print(`${counted(deleted.length, "object")} deleted.`);
    else if (importFile !== undefined) {
        talk.print(
            `${importFile} has ${orphans.length - kept.length} of them. Next:\n` +
                `  pulumi import --file ${typed(importFile, shell.cwd)} --yes --generate-code=false\n` +
                "  pulumi refresh --yes",
        );
    } else if (options.importFile === undefined) {
        talk.print(
            "Next: --delete deletes them; --import-file <path> writes a file with which `pulumi import` puts them into the state.",
        );
    }
}

export function tellJson(shell: Shell, found: Found, done: Done): void {
    const short = ({ kind, id, name, title, status, createdOn, marker }: Marked) => {
        return { kind, id, name, title, status, createdOn, mark: marker };
    };
    const { identity, orphans, pending, young, elsewhere, ownersUnknown, unread, unsent } = found;
    shell.talk.printJson({
        ...identity,
        orphans: orphans.map(short),
        pending: pending.map((object) => ({ ...short(object), because: object.verdict })),
        young: young.map(short),
        ownedElsewhere: elsewhere.map((object) => ({ ...short(object), owner: object.owner })),
        ...(ownersUnknown !== undefined && { ownersUnknown }),
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
