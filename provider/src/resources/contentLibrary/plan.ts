/** The steps for each entry of a library after a change of the program, and the refused ones. Sends nothing. */
import { isDeepStrictEqual } from "node:util";
import { isUnconfirmed } from "../../api";
import { isFailed } from "../../api/status";
import { entryPath, entryUrn } from "../../evidence/library";
import { inputsWithDefaults } from "../../inputs/check";
import { isUncertain } from "../../inputs/difference";
import { type Change, type Difference, hasUnknown, isMask, type Properties } from "../../inputs/values";
import {
    count,
    LifecycleError,
    listOf,
    type Message,
    messageFrom,
    messages,
    prepend,
    type Reporter,
} from "../../messages";
import type { ObjectClaims } from "../../operation/objectClaims";
import { entriesIn, entryDefinition, entryLifecycle } from "./entries";
import { type Library, libraryIn, type RecordedEntry } from "./record";

/** The step that is due for one declared object. */
export type EntryTask = { key: string; inputs: Properties } & (
    | { act: "create"; existing?: undefined }
    | { act: "update" | "replace"; existing: RecordedEntry; because: readonly string[] }
);
/** `release`: the record goes, and the object stays on the service. `compare`: a preview cannot, because the state hides the record. */
export type Task = EntryTask | { act: "delete" | "release" | "compare"; key: string; existing: RecordedEntry };

/** The tasks; `undefined` where a preview does not know all entries. @throws {LifecycleError} where an entry can neither stay nor be changed. */
export function planOf(
    { entries }: Library,
    { oldInputs, news }: Pick<Change, "oldInputs" | "news">,
    reporter: Reporter,
    isHidden = false,
): Task[] | undefined {
    const declared = entriesIn(news);
    if (declared === undefined) return undefined;
    // A refresh asks with the same inputs.
    const isSame = ["contents", "catalogue", "defaults"].every((name) => oldInputs?.[name] === news[name]);
    const before = isSame ? declared : oldInputs && entriesIn(oldInputs);
    const tasks: Task[] = [];
    for (const [key, entry] of declared) {
        const existing = entries.get(key);
        // The engine has had the inputs checked.
        const { inputs } = inputsWithDefaults(entryDefinition, entry, existing?.olds, {});
        if (existing === undefined) tasks.push({ key, act: "create", inputs });
        else if (isHidden) tasks.push({ key, act: "compare", existing });
        else {
            const change = { id: existing.id, olds: existing.olds, oldInputs: before?.get(key), news: inputs };
            const difference = differenceOf(key, change, reporter);
            if (difference.kind !== "none")
                tasks.push({ key, act: difference.kind, existing, inputs, because: difference.because });
        }
    }
    const released = Array.isArray(news.release) ? news.release : [];
    for (const [key, existing] of entries)
        if (!declared.has(key)) tasks.push({ key, act: released.includes(key) ? "release" : "delete", existing });
    return tasks;
}

function differenceOf(key: string, change: Change, reporter: Reporter): Difference {
    const warn = (message: Message) => reporter.warn(prepend(`${entryPath(key)}:`, message));
    try {
        // One message covers all steps.
        return entryLifecycle.diff(change, { urn: entryUrn(reporter.urn, key), progress() {}, info() {}, warn });
    } catch (error) {
        throw new LifecycleError(prepend(`${entryPath(key)}:`, messageFrom(error)));
    }
}

const named = (tasks: readonly Task[]) => listOf(tasks.map(({ key }) => key));

/** The smallest default of `maxDeletes`. */
const minDeletes = 10;

/** The reason why the whole update is refused. */
export function refusal({ entries }: Library, tasks: readonly Task[], { maxDeletes }: Properties): Message | undefined {
    const total = entries.size;
    if (total > 0 && tasks.length === total && tasks.every(({ act }) => act === "delete"))
        return messages.libraryEmptied({ total, keys: named(tasks) });
    const lost = tasks.filter((task) => task.act === "delete" || isReplaced(task));
    const most = typeof maxDeletes === "number" ? maxDeletes : Math.max(minDeletes, Math.floor(total / 10));
    if (lost.length <= most) return undefined;
    return messages.libraryTooManyDeletes({ count: lost.length, total, most, keys: named(lost) });
}

/** Whether a playable object goes. A value that a preview does not know yet may be as before: the update knows it. */
function isReplaced(task: Task): boolean {
    if (task.act !== "replace") return false;
    const { id, olds } = task.existing;
    return !isUnconfirmed(id) && !isFailed(String(olds.status)) && !hasUnknown(task.inputs);
}

/** The steps for people: `2 to create (harbour, ice), 1 to delete (old)`. Sorted: the engine sends an object's keys in an order that changes. */
function summary(tasks: readonly Task[]): string {
    const byEffect = Map.groupBy(
        tasks.toSorted((a, b) => a.key.localeCompare(b.key, "en")),
        effectOf,
    );
    const parts = Array.from(
        byEffect,
        ([effect, group]) => `${count(group.length)} ${effects[effect]} (${named(group)})`,
    );
    return parts.join(", ");
}

/** What becomes of an entry, in words that `review` reads too. */
export const effects = {
    create: "to create",
    adopt: "to adopt",
    update: "to update",
    replace: "to replace",
    perhaps: "to replace only if a value differs that is not known yet",
    compare: "that may change, because the state hides their record",
    delete: "to delete",
    release: "to release",
} as const;

export type Effect = keyof typeof effects;

export function effectOf(task: Task): Effect {
    if (task.act === "create" && task.inputs.importId !== undefined) return "adopt";
    return task.act === "replace" && isUncertain(task.because, { news: task.inputs }) ? "perhaps" : task.act;
}

export function libraryDifference(
    { olds, oldInputs, news }: Change,
    reporter: Reporter,
    claims: ObjectClaims,
): Difference {
    // A preview of a pull request gets a copy of the state without secrets. Only a preview may go on without the record: an update would make all
    // videos again.
    const isHidden = isMask(olds.__entries);
    const library = libraryIn(isHidden ? { ...olds, __entries: undefined } : olds);
    const tasks = planOf(library, { oldInputs, news }, reporter, isHidden);
    const acts = new Map<string, string>(tasks?.map(({ key, act }) => [key, act]));
    for (const one of library.entries.values()) {
        if (["delete", "release"].includes(acts.get(one.key) ?? "")) continue;
        const urn = entryUrn(reporter.urn, one.key);
        const other = claims.otherAdopterOf(one.id, urn);
        if (other !== undefined)
            throw new LifecycleError(messages.adoptedTwice({ id: `${entryPath(one.key)}: ${one.id}`, other }));
        claims.onRecorded(one, urn, reporter.urn);
    }
    // Each form has its own outputs: a change of form is recorded by an update without requests.
    const isSameForm = (typeof news.catalogue === "string") === (olds.results !== undefined);
    if (tasks?.length === 0 && library.pendingDeletes.size === 0 && isSameForm) return { kind: "none" };
    const changed = ["contents", "catalogue", "defaults"].filter(
        (name) => oldInputs && (hasUnknown(news[name]) || !isDeepStrictEqual(oldInputs[name], news[name])),
    );
    const because = changed.length > 0 ? changed : [olds.results === undefined ? "contents" : "results"];
    if (tasks === undefined) return { kind: "update", because };
    const problem = refusal(library, tasks, news);
    // A refresh asks too, with an unchanged program. The update of an unchanged program refuses by itself.
    if (problem !== undefined && changed.length > 0) throw new LifecycleError(problem);
    if (tasks.length > 0) reporter.info(messages.libraryChanges({ changes: summary(tasks) }));
    // An object that has Failed has no URL that anyone could play.
    const ending = tasks.flatMap((task) => (isReplaced(task) ? [task.key] : []));
    return { kind: "update", because, keys: new Set(acts.keys()), ending };
}
