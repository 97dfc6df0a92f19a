/** The entries of a ContentLibrary in a plan: rows like all others, decided by the code that decides the library's update. */
import { isUnconfirmed } from "#provider/api/index";
import { isObject } from "#provider/api/json";
import { catalogueLines, recordedEntriesOf } from "#provider/evidence/library";
import { isUncertain } from "#provider/inputs/difference";
import type { Properties } from "#provider/inputs/values";
import { entriesIn } from "#provider/resources/contentLibrary/entries";
import { planOf, type Task } from "#provider/resources/contentLibrary/plan";
import { type Library, libraryIn, type RecordedEntry } from "#provider/resources/contentLibrary/record";
import type { Step } from "./plan";
import { type Action, type Row, rowOf, type Subject } from "./row";
import { holdsMask, isMasked } from "./words";

export interface LibraryRows {
    readonly rows: readonly Row[];
    /** The number of entries that stay as they are. */
    readonly stays: number;
}

const waiting = { waits: true, says: "The apply waits until it is Ready" };
const silent = { urn: undefined, progress() {}, info() {}, warn() {} };

/** `adopter`: the resource of the plan that adopts an object, by the object's id. */
export function libraryRows(step: Step, name: string, adopter: (id: string) => string | undefined): LibraryRows {
    const olds = step.old?.outputs ?? {};
    const news = step.op === "delete" ? { contents: {} } : (step.new?.inputs ?? step.old?.inputs ?? {});
    const made = new RowMaker(step, name, adopter);
    if (step.op === "same") return { rows: [], stays: recordedEntriesOf(olds).length };
    // What is secret is masked, and looks different.
    if (isMasked(olds.__entries) || holdsMask([news.contents, news.catalogue, news.defaults]))
        return maskedRows(made, olds, news);
    const library = recordIn(olds);
    const tasks = tasksOf(step, news);
    if (tasks === undefined) return maskedRows(made, olds, news);
    const rows = [...tasks.map((task) => made.rowOfTask(task)), ...made.leaving(library)];
    const changed = tasks.filter(({ act }) => act !== "create").length;
    return { rows, stays: library.entries.size - changed };
}

/** The record of a library whose outputs may be masked. */
export function recordIn(outputs: Properties): Library {
    const { results, contents, __entries } = outputs;
    return libraryIn({
        ...outputs,
        results: isMasked(results) ? undefined : results,
        contents: isMasked(contents) ? undefined : contents,
        __entries: isMasked(__entries) ? undefined : __entries,
    });
}

/** The steps; `undefined` where the plan does not know all entries. */
function tasksOf({ old }: Step, news: Properties): Task[] | undefined {
    try {
        return planOf(recordIn(old?.outputs ?? {}), { oldInputs: old?.inputs, news }, silent);
    } catch {
        // The preview has failed for the same reason, and says it.
        return undefined;
    }
}

/** What the keys alone say. */
function maskedRows(made: RowMaker, olds: Properties, news: Properties): LibraryRows {
    const library = recordIn(olds);
    const recorded = library.entries;
    const keys = keysIn(news);
    const deleted = keys && [...recorded.values()].filter(({ key }) => !keys.has(key));
    const rest = recorded.size - (deleted?.length ?? 0);
    const rows = (deleted ?? []).map((one) => made.existing(made.deletion(one), one));
    const added = keys && [...keys].filter((key) => !recorded.has(key));
    rows.push(...(added ?? []).map((key) => made.new(key, {})));
    if (rest > 0 || keys === undefined) rows.push(made.unknown(rest, keys === undefined));
    return { rows: [...rows, ...made.leaving(library)], stays: 0 };
}

function keysIn({ contents, catalogue }: Properties): Set<string> | undefined {
    if (isMasked(contents) || isMasked(catalogue)) return undefined;
    if (isObject(contents)) return new Set(Object.keys(contents));
    if (typeof catalogue !== "string" || entriesIn({ catalogue }) === undefined) return undefined;
    return new Set(catalogueLines(catalogue).flatMap((line) => (line ? [line[0]] : [])));
}

type ChangeTask = Extract<Task, { act: "update" | "replace" }>;

class RowMaker {
    readonly #step: Step;
    readonly #library: string;
    readonly #adopter: (id: string) => string | undefined;

    constructor(step: Step, library: string, adopter: (id: string) => string | undefined) {
        this.#step = step;
        this.#library = library;
        this.#adopter = adopter;
    }

    rowOfTask(task: Task): Row {
        if (task.act === "create") return this.new(task.key, task.inputs);
        if (task.act === "update" || task.act === "replace") return this.#changedRow(task);
        if (task.act === "delete")
            return this.existing(this.deletion(task.existing), task.existing, ...this.#why(task.existing));
        return this.existing("kept", task.existing, "It is released: it stays on the service, and so does its URL.");
    }

    #changedRow({ act, existing, inputs: news, because }: ChangeTask): Row {
        const subject = { ...this.#subject(existing), news, replaces: because };
        if (act === "update") return rowOf("changed", subject);
        if (isUnconfirmed(existing.id)) return rowOf("inDoubt", subject, doubt);
        const perhaps = isUncertain(because, { news }) ? ["Only if a value differs that is not known yet."] : [];
        return rowOf("replaced", subject, ...perhaps);
    }

    new(key: string, news: Properties): Row {
        const { importId } = news;
        const id = typeof importId === "string" ? importId : "";
        const subject = { ...this.#common(key), news, id };
        return rowOf(importId === undefined ? "new" : "adopted", subject);
    }

    existing(action: Action, entry: RecordedEntry, ...facts: string[]): Row {
        return rowOf(action, this.#subject(entry), ...facts);
    }

    deletion({ id }: RecordedEntry): Action {
        if (isUnconfirmed(id)) return "inDoubt";
        return this.#step.old?.retainOnDelete || this.#adopter(id) !== undefined ? "kept" : "deleted";
    }

    /** What an earlier update has left. */
    leaving({ pendingDeletes }: Library): Row[] {
        const why = "An earlier update has replaced it, and could not delete it.";
        return pendingDeletes.map((one) => this.existing("deleted", one, why));
    }

    /** `mayAdd`: whether the plan hides the keys too. */
    unknown(atMost: number, mayAdd: boolean): Row {
        const number = atMost.toLocaleString("en-US");
        const what = mayAdd ? "its contents" : `its ${number} other ${atMost === 1 ? "content" : "contents"}`;
        const losses = `Up to ${number} may be deleted or replaced, and then their URLs end`;
        const comes = atMost === 0 ? "They may be new" : `${losses}${mayAdd ? "; others may be new" : ""}`;
        const facts = [`The plan does not show ${what}, because they are secret or not known yet. ${comes}.`];
        const { urn } = this.#step;
        return {
            action: "unknown",
            kind: "ContentLibrary",
            name: this.#library,
            urn,
            isLost: false,
            hidden: { atMost, mayAdd },
            differences: [],
            facts,
        };
    }

    #why({ id }: RecordedEntry): string[] {
        const adopter = this.#adopter(id);
        if (isUnconfirmed(id)) return [doubt];
        if (adopter !== undefined) return [`${adopter} of this program adopts it: its URL stays.`];
        return this.#step.old?.retainOnDelete ? ["It stays on the service (retainOnDelete), and so does its URL."] : [];
    }

    #common(key: string) {
        return { kind: "Content", name: key, library: this.#library, urn: this.#step.urn, waiting } as const;
    }

    #subject({ key, id, olds }: RecordedEntry): Subject {
        return { ...this.#common(key), id, olds };
    }
}

export const doubt =
    "An earlier run did not learn whether it was created: the apply searches for it first, and creates it only where there is none.";
