/** Decides what a changed program means for each entry of a library, and refuses changes that delete too much. Sends nothing. */
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

/** The step for an entry that the program declares. */
export type EntryTask = { key: string; inputs: Properties } & (
    | { act: "create"; existing?: undefined }
    | { act: "update" | "replace"; existing: RecordedEntry; because: readonly string[] }
);
/**
 * `release`: the library forgets the video, which stays on the service. `compare`: the state hides the library's record, so a preview cannot know the
 * step.
 */
export type Task = EntryTask | { act: "delete" | "release" | "compare"; key: string; existing: RecordedEntry };

/**
 * The steps that the changed program asks for; `undefined` where a preview does not know all entries yet. @throws {LifecycleError} for an impossible
 * change
 */
export function planOf(
    { entries }: Library,
    { oldInputs, news }: Pick<Change, "oldInputs" | "news">,
    reporter: Reporter,
    isHidden = false,
): Task[] | undefined {
    const declared = entriesIn(news);
    if (declared === undefined) return undefined;
    // In a refresh the inputs are unchanged: thousands of entries need not be parsed twice.
    const isSame = ["contents", "catalogue", "defaults"].every((name) => oldInputs?.[name] === news[name]);
    const before = isSame ? declared : oldInputs && entriesIn(oldInputs);
    const tasks: Task[] = [];
    for (const [key, entry] of declared) {
        const existing = entries.get(key);
        // The list of missing inputs is dropped: the check has already refused an entry that lacks one.
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
        // The notes of a single entry are dropped: one message sums up all steps (VG2034).
        return entryLifecycle.diff(change, { urn: entryUrn(reporter.urn, key), progress() {}, info() {}, warn });
    } catch (error) {
        throw new LifecycleError(prepend(`${entryPath(key)}:`, messageFrom(error)));
    }
}

const named = (tasks: readonly Task[]) => listOf(tasks.map(({ key }) => key));

/** The default of `maxDeletes` is a tenth of the contents, but at least this number. */
const minDeletes = 10;

/** The reason to refuse the whole update; `undefined` where there is none. */
export function refusal({ entries }: Library, tasks: readonly Task[], { maxDeletes }: Properties): Message | undefined {
    const total = entries.size;
    if (total > 0 && tasks.length === total && tasks.every(({ act }) => act === "delete"))
        return messages.libraryEmptied({ total, keys: named(tasks) });
    const lost = tasks.filter((task) => task.act === "delete" || isReplaced(task));
    const most = typeof maxDeletes === "number" ? maxDeletes : Math.max(minDeletes, Math.floor(total / 10));
    if (lost.length <= most) return undefined;
    return messages.libraryTooManyDeletes({ count: lost.length, total, most, keys: named(lost) });
}

/** Whether the step replaces a playable video. A step with an unknown value does not count: the value may turn out to be the old one. */
function isReplaced(task: Task): boolean {
    if (task.act !== "replace") return false;
    const { id, olds } = task.existing;
    return !isUnconfirmed(id) && !isFailed(olds.status) && !hasUnknown(task.inputs);
}

/**
 * The steps in words, such as `2 to create (harbour, ice), 1 to delete (old)`. Sorted, because the engine sends a map's keys in another order each
 * time.
 */
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

/** The words of `summary`. The command `review` reads them in a preview's output. */
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
    // The preview of a pull request may get a copy of the state without secrets. The preview goes on without the recorded inputs. An update must not:
    // it would make all videos again, so `libraryIn` stops it.
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
    // A library that is declared as text has its outputs as text. If only the form of the declaration has changed, an update without requests records
    // the new form.
    const isSameForm = (typeof news.catalogue === "string") === (olds.results !== undefined);
    if (tasks?.length === 0 && library.pendingDeletes.size === 0 && isSameForm) return { kind: "none" };
    const changed = ["contents", "catalogue", "defaults"].filter(
        (name) => oldInputs && (hasUnknown(news[name]) || !isDeepStrictEqual(oldInputs[name], news[name])),
    );
    const because = changed.length > 0 ? changed : [olds.results === undefined ? "contents" : "results"];
    if (tasks === undefined) return { kind: "update", because };
    const problem = refusal(library, tasks, news);
    // A refresh comes here with unchanged inputs, and must not fail. The update refuses even then (`lifecycle.ts`).
    if (problem !== undefined && changed.length > 0) throw new LifecycleError(problem);
    if (tasks.length > 0) reporter.info(messages.libraryChanges({ changes: summary(tasks) }));
    // The preview warns of playback URLs that end. A Failed video does not count: nobody can play it.
    const ending = tasks.flatMap((task) => (isReplaced(task) ? [task.key] : []));
    return { kind: "update", because, keys: new Set(acts.keys()), ending };
}
