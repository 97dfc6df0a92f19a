/** `orphans`: finds the objects that a stack created and its state does not have; deletes them, or writes an import file. */
import { resolve } from "node:path";
import { isBeingDeleted } from "#provider/api/status";
import { Journal, journalFolder } from "#provider/evidence/journal";
import { isSameStack } from "#provider/urn";
import { keyOf, listObjects, readObjects, refuseUnknown, type UnreadObject } from "../account";
import { command, commonOptions, exitCodes, flag, text, texts, UsageError } from "../commandLine";
import { withApi } from "../connection";
import { importSteps, refuseUnwritable } from "../files";
import { entryJson, entryLine } from "../forget";
import { messages } from "../messages";
import type { Shell } from "../shell";
import { exportedState } from "../state";
import { counted, dateText, quoted } from "../terminal";
import { deleteObjects, type Found, type Outcome, type Search, writeEntries } from "./act";
import {
    isInState,
    type MarkedObject,
    markedObject,
    secretInputsOf,
    type Verdict,
    verdictOf,
    verdicts,
} from "./verdict";

export const orphans = command({
    name: "orphans",
    about: `Finds the objects that a stack created and its state does not have.

An object is an orphan if it was made by a create of this stack that never ended in the state, and the journal on this
machine does not have it. Other objects with the marker of this stack are listed with the reason. They may belong to
another backend, or may have been released on purpose (\`pulumi state delete\`, retainOnDelete), and are only changed when
you name them with --id. --delete is refused while an update of the stack is running, and if the backend does not
show its locks, unless you name the objects.`,
    options: {
        delete: flag("delete the orphans after confirmation"),
        yes: flag("do not ask; required where there is no terminal"),
        "import-file": text("path", "write an import file that puts the orphans into the state under their old names"),
        force: flag("replace that file when it exists"),
        id: texts("id", "this object, even if it may not be an orphan; may be repeated"),
        ...commonOptions,
    },
    async run({ id: ids = [], json, stack, delete: isDeleting = false, yes = false, force = false, ...given }, shell) {
        const path = given["import-file"];
        if (isDeleting && path !== undefined) throw new UsageError("--delete and --import-file cannot be combined.");
        if (isDeleting && !yes && !shell.terminal.canAsk)
            throw new UsageError("--delete asks for confirmation, but there is no terminal. Add --yes.");
        const importFile = path === undefined ? undefined : resolve(shell.cwd, path);
        if (importFile !== undefined) await refuseUnwritable(force, importFile);

        const journal = new Journal({ folder: journalFolder(shell.variables) });
        return withApi(shell, stack, async (api) => {
            const search: Search = { shell, api, journal, stack, ids };
            const found = await findOrphans(search);
            if (!json) printFound(shell, found);
            const isActing = found.chosen.length > 0 && (isDeleting || importFile !== undefined);
            let outcome: Outcome = { done: [], kept: [] };
            if (isActing && importFile !== undefined) outcome = await writeEntries(search, found, importFile);
            else if (isActing) outcome = await deleteObjects(search, found, yes);
            if (json) printJson(shell, found, outcome, importFile);
            else if (isActing) printDone(shell, found, outcome, importFile);
            else if (found.chosen.length > 0) {
                shell.terminal.print(
                    "Next: --delete deletes them; --import-file <path> writes a file with which `pulumi import` puts them into the state.",
                );
            }
            if (outcome.kept.length > 0) return exitCodes.failed;
            // An object that could not be read may be an orphan: a script must not take the result for complete.
            if (found.unread.length > 0) return exitCodes.incomplete;
            const hasOrphans = found.judged.some(({ verdict }) => verdict === "orphan");
            return hasOrphans && !isActing ? exitCodes.found : exitCodes.done;
        });
    },
});

async function findOrphans({ shell, api, journal, stack, ids }: Search): Promise<Found> {
    const { fingerprint } = api;
    const state = await exportedState(shell, stack);
    const items = await listObjects(api, ["Content", "Livestream"], shell.terminal);
    refuseUnknown(ids, items, messages.idsUnknown);
    const recorded = new Set(state.resources.filter((one) => one.fingerprint === fingerprint).map(keyOf));
    const marked: MarkedObject[] = [];
    const unread: UnreadObject[] = [];
    const candidates = items.filter((item) => !recorded.has(keyOf(item)));
    for await (const read of readObjects(shell, api, candidates)) {
        if ("problem" in read) unread.push(read);
        else if (!isBeingDeleted(read.status)) {
            const object = markedObject(read, state);
            if (object !== undefined && !isInState(object, state, fingerprint)) marked.push(object);
        }
    }
    refuseUnknown(ids, [...marked, ...unread], messages.idsNotListed);
    const entries = await journal.entries();
    const judged = marked
        .filter(({ id }) => ids.length === 0 || ids.includes(id))
        .map((object) => {
            const isSecret = secretInputsOf(object, state).includes("title");
            const shown = isSecret ? { ...object, title: "[secret]" } : object;
            return { object: shown, verdict: verdictOf(object, state, entries) };
        });
    const chosen = judged.filter(({ verdict }) => verdict === "orphan" || ids.length > 0);
    const known = new Set([...marked.map(({ marker }) => marker.nonce), ...state.resources.map(({ nonce }) => nonce)]);
    const stackUrn = `urn:pulumi:${state.identity.stack}::${state.identity.project}::::`;
    return {
        state,
        judged,
        unread,
        chosen: chosen.map(({ object }) => object),
        journal: entries.filter(({ urn, nonce }) => isSameStack(urn, stackUrn) && !known.has(nonce)),
    };
}

function printFound({ terminal }: Shell, { state: { identity }, judged, unread, journal }: Found): void {
    const stack = `${identity.project}/${identity.stack}`;
    if (judged.length === 0) terminal.print(`No orphans of ${stack}.`);
    // "No orphans" above a list would end the reading at the first line, and the objects would stay.
    else if (!judged.some(({ verdict }) => verdict === "orphan"))
        terminal.print(`None of these objects is proven to be an orphan of ${stack}:`);
    for (const [verdict, text] of Object.entries(verdicts)) {
        const objects = judged.filter((one) => one.verdict === verdict).map(({ object }) => object);
        if (objects.length === 0) continue;
        terminal.print(
            verdict === "orphan"
                ? `${counted(objects.length, verdict)} of ${stack}, ${text}:`
                : `${counted(objects.length, "object")} ${text} (changed only with --id):`,
        );
        for (const { kind, id, marker, title, status: shown = "?", createdOn } of objects) {
            const created = `created ${dateText(createdOn)}`;
            terminal.print(`  ${kind} ${quoted(marker.name)} ${id} ${quoted(title)} ${shown}, ${created}`);
        }
    }
    if (journal.length > 0) {
        terminal.print(`${counted(journal.length, "create")} in the journal without an object here:`);
        for (const entry of journal) terminal.print(`  ${entryLine(entry)}`);
    }
    for (const { kind, id, problem } of unread) terminal.warn(`${kind} ${id} could not be read: ${problem}.`);
}

function printDone(shell: Shell, { state }: Found, { done, kept }: Outcome, importFile: string | undefined): void {
    const { terminal } = shell;
    for (const { object, reason } of kept) terminal.warn(`${object.kind} ${object.id} is kept: ${reason}.`);
    if (importFile === undefined) terminal.print(`${counted(done.length, "object")} deleted.`);
    else if (done.length > 0) {
        const steps = importSteps(importFile, shell, state.plugin !== undefined);
        terminal.print(`${importFile} has ${done.length} of them. Next:\n${steps}`);
    }
}

function printJson(
    { terminal }: Shell,
    { state: { identity }, judged, unread, journal }: Found,
    { done, kept }: Outcome,
    importFile: string | undefined,
): void {
    const all = judged.map(({ object: { kind, id, marker, title, status, createdOn }, verdict: because }) => {
        return { because, kind, id, name: marker.name, title, status, createdOn, nonce: marker.nonce };
    });
    const isOrphan = ({ because }: { because: Verdict }) => because === "orphan";
    terminal.printJson({
        ...identity,
        orphans: all.filter(isOrphan),
        others: all.filter((one) => !isOrphan(one)),
        journal: journal.map(entryJson),
        unread: unread.map(({ kind, id, problem }) => ({ kind, id, problem })),
        deleted: importFile === undefined ? done.map(({ id }) => id) : [],
        leftAlone: kept.map(({ object: { kind, id }, reason }) => ({ kind, id, reason })),
        importFile: importFile !== undefined && done.length > 0 ? importFile : null,
    });
}
