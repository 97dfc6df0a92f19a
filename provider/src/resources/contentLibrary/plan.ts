/** The steps for each entry of a library after a change of the program, and the refused ones. Sends nothing. */
import { isDeepStrictEqual } from "node:util";
import { entryPath, entryUrn } from "../../evidence/library";
import { hasUnknown } from "../../inputs/unknown";
import type { Change, Difference, Properties } from "../../inputs/values";
import { LifecycleError, type Message, messageOf, messages, type Row } from "../../messages";
import { Managers } from "../../operation/managers";
import { isFailed } from "../../wait/status";
import { content } from "../content/lifecycle";
import { checkedEntry, entriesIn } from "./entries";
import { type Library, libraryIn, type Recorded } from "./record";

export type Act = "create" | "update" | "replace" | "delete";

/** One step: the existing object, and its declared inputs. */
export interface Task {
    key: string;
    act: Act;
    had: Recorded | undefined;
    inputs: Properties;
}

/** At most this many keys of a kind are named. */
const maxNamed = 10;

const minDeletes = 10;

/** @throws {LifecycleError} where an entry can neither stay as it is nor be changed. */
export function planOf(
    { entries }: Library,
    news: Properties,
    { oldInputs, row, managers }: { oldInputs?: Properties | undefined; row: Row; managers: Managers },
): Task[] | undefined {
    const declared = entriesIn(news);
    if (declared === undefined) return undefined;
    const before = oldInputs && entriesIn(oldInputs);
    const tasks: Task[] = [];
    for (const [key, entry] of declared) {
        const had = entries.get(key);
        const inputs = checkedEntry(entry, had?.olds);
        if (had === undefined) {
            tasks.push({ key, act: "create", had, inputs });
            continue;
        }
        const change = { id: had.id, olds: had.olds, oldInputs: before?.get(key), news: inputs };
        const { kind } = differenceOf(key, change, row, managers);
        if (kind !== "none") tasks.push({ key, act: kind, had, inputs });
    }
    for (const [key, had] of entries) {
        if (!declared.has(key)) tasks.push({ key, act: "delete", had, inputs: had.olds });
    }
    return tasks;
}

function differenceOf(key: string, change: Change, { urn, ...row }: Row, managers: Managers): Difference {
    const named = (message: Message) => row.warn(`${entryPath(key)}: ${message}` as Message);
    // One message covers all of them.
    const quiet = { urn: entryUrn(urn ?? "", key), progress() {}, info() {}, warn: named };
    try {
        return content.diff(change, quiet, managers);
    } catch (error) {
        throw new LifecycleError(`${entryPath(key)}: ${messageOf(error)}` as Message);
    }
}

/** Why the whole update is refused. */
export function refusal({ entries }: Library, tasks: readonly Task[], { maxDeletes }: Properties): Message | undefined {
    const deleted = tasks.filter(({ act }) => act === "delete");
    const total = entries.size;
    if (total > 0 && deleted.length === total && tasks.length === total)
        return messages.libraryEmptied({ total, keys: named(keysOf(deleted)) });
    const lost = tasks.filter(({ act, had }) => act === "delete" || (act === "replace" && !isFailed(statusOf(had))));
    const most = typeof maxDeletes === "number" ? maxDeletes : Math.max(minDeletes, Math.floor(total / 10));
    if (lost.length <= most) return undefined;
    return messages.libraryTooManyDeletes({ count: lost.length, total, most, keys: named(keysOf(lost)) });
}

function statusOf(had: Recorded | undefined): string | undefined {
    return had === undefined ? undefined : String(had.olds.status);
}

/** `harbour, ice and 583 more` */
export function named(keys: ReadonlySet<string>, most = maxNamed): string {
    const names: string[] = [];
    for (const key of keys) if (names.push(key) === most) break;
    const more = keys.size - names.length;
    return `${names.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}

function keysOf(tasks: readonly Task[]): Set<string> {
    return new Set(tasks.map(({ key }) => key));
}

export function count(n: number): string {
    return n.toLocaleString("en-US");
}

const words: Record<Act, string> = {
    create: "created",
    update: "updated",
    replace: "replaced",
    delete: "deleted",
};

/** `2 created (harbour, ice), 1 deleted (old)` */
function summary(tasks: readonly Task[]): string {
    const kinds = Object.entries(words).flatMap(([act, word]) => {
        const its = tasks.filter((task) => task.act === act);
        return its.length === 0 ? [] : [`${count(its.length)} ${word} (${named(keysOf(its))})`];
    });
    return kinds.join(", ");
}

export function libraryDifference({ olds, oldInputs, news }: Change, row: Row, managers = new Managers()): Difference {
    const library = libraryIn(olds);
    const declared = entriesIn(news);
    for (const [key, had] of library.entries) {
        if (declared?.has(key) === false) continue;
        const urn = entryUrn(row.urn ?? "", key);
        managers.noteRecorded(urn, had);
        const other = managers.adopterOf(had.id, urn) ?? urn;
        if (other !== urn)
            throw new LifecycleError(messages.adoptedTwice({ id: `${entryPath(key)}: ${had.id}`, other }));
    }
    const changed = oldInputs === undefined ? [] : changedNames(oldInputs, news);
    const tasks = planOf(library, news, { oldInputs, row, managers });
    if (tasks === undefined) return { kind: "update", because: changed.length > 0 ? changed : ["contents"] };
    const leaves = keysOf(tasks.filter(({ act }) => act === "delete" || act === "replace"));
    for (const [key, { id }] of library.entries) if (!leaves.has(key)) managers.keep(id, entryUrn(row.urn ?? "", key));
    if (tasks.length === 0 && library.leaving.length === 0) return { kind: "none" };
    const problem = refusal(library, tasks, news);
    if (problem !== undefined && changed.length > 0) throw new LifecycleError(problem);
    // The update refuses. Here the difference is only shown, because a refresh asks too.
    if (problem !== undefined) row.warn(problem);
    if (tasks.length > 0) row.info(messages.libraryChanges({ changes: summary(tasks) }));
    const because = changed.length > 0 ? changed : [outputOf(olds)];
    return { kind: "update", because, keys: keysOf(tasks) };
}

function changedNames(olds: Properties, news: Properties): string[] {
    return ["contents", "catalogue", "defaults"].filter(
        (name) => hasUnknown(news[name]) || !isDeepStrictEqual(olds[name], news[name]),
    );
}

function outputOf({ results }: Properties): string {
    return results === undefined ? "contents" : "results";
}
