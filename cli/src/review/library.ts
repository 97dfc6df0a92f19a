/** A row for each entry of a ContentLibrary that a plan changes. The same code decides here and in the update: `resources/contentLibrary/plan.ts`. */
import { isUnconfirmed } from "#provider/api/index";
import { isObject } from "#provider/api/json";
import { catalogueLines, libraryKind, recordedEntriesOf } from "#provider/evidence/library";
import { isMask, type Properties } from "#provider/inputs/values";
import { LifecycleError } from "#provider/messages/index";
import { type Entries, entriesIn } from "#provider/resources/contentLibrary/entries";
import { type Effect, effectOf, effects, planOf, type Task } from "#provider/resources/contentLibrary/plan";
import { type Library, libraryIn, type RecordedEntry } from "#provider/resources/contentLibrary/record";
import { counted } from "../terminal";
import type { Step } from "./plan";
import { type Action, type Row, rowOf, type Subject, total } from "./row";
import { holdsMask, secretWord } from "./words";

export interface LibraryRows {
    readonly rows: readonly Row[];
    /** The number of entries that stay as they are. */
    readonly stays: number;
}

const waiting = { waits: true, says: "The apply waits until it is Ready" };
const silent = { urn: "", progress() {}, info() {}, warn() {} };

/** `adopter`: which resource of the plan adopts the object with an id. `said`: the lines of the preview about this library. */
export function libraryRows(
    step: Step,
    name: string,
    adopter: (id: string) => string | undefined,
    said: readonly string[],
): LibraryRows {
    const olds = step.old?.outputs ?? {};
    const news = step.op === "delete" ? { contents: {} } : (step.new?.inputs ?? step.old?.inputs ?? {});
    if (step.op === "same") return { rows: [], stays: recordedEntriesOf(olds).length };
    const library = recordIn(olds);
    const made = new RowMaker(step, name, news, adopter);
    const leaving = made.leaving(library);
    if (step.op === "replace") return { rows: [...made.rowsOfReplacement(library), ...leaving], stays: 0 };
    // A plan masks secrets. Compared with a mask, every value would look changed.
    const hides = isMask(olds.__entries) || holdsMask([news.contents, news.catalogue, news.defaults]);
    const tasks = hides ? undefined : tasksOf(library, step, news);
    const changes = tasks ? undefined : changesIn(said, library);
    const rows =
        tasks?.map((task) => made.rowOfTask(task)) ??
        changes?.flatMap((change) => made.rowsOfChange(change, library)) ??
        made.rowsOfKeys(library, said);
    const touched = total(rows.filter(({ action }) => action !== "new" && action !== "adopted"));
    const isSure = tasks !== undefined || changes !== undefined;
    return { rows: [...rows, ...leaving], stays: isSure ? library.entries.size - touched : 0 };
}

/** The record of a library, with a mask in place of each value that the plan masks. */
export function recordIn(outputs: Properties): Library {
    const { results, contents, __entries } = outputs;
    const isShown = !isMask(results) && !isMask(contents);
    const library = libraryIn({
        ...outputs,
        ...(!isShown && { results: undefined, contents: undefined }),
        ...(isMask(__entries) && { __entries: undefined }),
    });
    const hidden = {
        ...(isMask(__entries) && { title: secretWord, playbackPolicy: secretWord }),
        ...(!isShown && { status: secretWord, playbackUrl: secretWord }),
    };
    for (const { olds } of [...library.entries.values(), ...library.pendingDeletes]) Object.assign(olds, hidden);
    return library;
}

/** The steps; `undefined` where the plan does not know all entries. */
function tasksOf(library: Library, { old }: Step, news: Properties): Task[] | undefined {
    try {
        return planOf(library, { oldInputs: old?.inputs, news }, silent);
    } catch (error) {
        if (!(error instanceof LifecycleError)) throw error;
        // The preview has failed for the same reason, and its message is in the review.
        return undefined;
    }
}

/** A part of the preview's line `1 to replace (mole), 12 to delete (ash, … and 2 more)`. */
interface SaidChange {
    readonly effect: Effect;
    readonly number: number;
    /** The keys that the line names. It names none for a new library. */
    readonly keys: readonly string[];
}

const summary = /^Contents of the library: (.*)\. \[VG2034\]$/s;
const words = Object.entries(effects) as [Effect, string][];
const part = new RegExp(
    `(?:^|, )([\\d,]+) (${words.map(([, text]) => text).join("|")})(?: \\((.*?)\\))?(?=$|, \\d)`,
    "gsy",
);

/**
 * Reads the preview's own line about the library: the provider has compared the values that the plan masks. `undefined` without such a line, and
 * where the line has two readings: a key may have brackets and commas.
 */
function changesIn(said: readonly string[], { entries }: Library): SaidChange[] | undefined {
    // With `--refresh` there are two lines. The last one is about the program.
    const text = said.flatMap((one) => summary.exec(one)?.[1] ?? []).at(-1);
    if (text === undefined) return undefined;
    const found = [...text.matchAll(part)];
    if (found.reduce((length, [all]) => length + all.length, 0) !== text.length) return undefined;
    const all = found.flatMap(([, number = "", word, list]): SaidChange[] => {
        const [, named = "", more = "0"] = /^(.*?)(?: and ([\d,]+) more)?$/s.exec(list ?? "") ?? [];
        const keys = list === undefined ? [] : named.split(", ");
        const [total, left] = [numberIn(number), numberIn(more)];
        const [effect] = words.find(([, text]) => text === word) ?? [];
        const isNew = effect === "create" || effect === "adopt";
        const isWhole = list === undefined ? isNew : keys.length + left === total;
        const isKnown = keys.every((key) => entries.has(key) !== isNew);
        return effect !== undefined && isWhole && isKnown ? [{ effect, number: total, keys }] : [];
    });
    return all.length === found.length && new Set(all.map(({ effect }) => effect)).size === all.length
        ? all
        : undefined;
}

function numberIn(digits: string): number {
    return Number(digits.replaceAll(",", ""));
}

const actionsOf: Readonly<Record<Effect, Action>> = {
    create: "new",
    adopt: "adopted",
    update: "changed",
    replace: "replaced",
    perhaps: "replaced",
    compare: "unknown",
    delete: "deleted",
    release: "kept",
};
const perhaps = "Only if a value differs that is not known yet.";
const mayDiffer =
    "The state of this preview hides what is recorded of it: it may stay as it is, change, or be replaced, which deletes the old one for good.";

class RowMaker {
    readonly #step: Step;
    readonly #library: string;
    readonly #adopter: (id: string) => string | undefined;
    readonly #keys: ReadonlySet<string> | undefined;
    readonly #releases: readonly unknown[];
    /** The declared entries, before and now; `undefined` where the plan masks all of them together. */
    readonly #before: Entries | undefined;
    readonly #now: Entries | undefined;

    constructor(step: Step, library: string, news: Properties, adopter: (id: string) => string | undefined) {
        this.#step = step;
        this.#library = library;
        this.#adopter = adopter;
        this.#keys = keysIn(news);
        this.#releases = Array.isArray(news.release) ? news.release : [];
        this.#before = shownEntries(step.old?.inputs);
        this.#now = shownEntries(news);
    }

    rowOfTask(task: Task): Row {
        const { key, existing } = task;
        if (existing === undefined) return this.#new(key, task.inputs);
        const shown = "inputs" in task ? { news: task.inputs, replaces: task.because } : {};
        return this.#existing(effectOf(task), existing, shown);
    }

    /** The rows for one part of the preview's line. */
    rowsOfChange({ effect, number, keys }: SaidChange, { entries }: Library): Row[] {
        const rows = keys.map((key) => {
            const existing = entries.get(key);
            if (existing === undefined) return this.#new(key, this.#now?.get(key), effect === "adopt");
            return this.#existing(effect, existing, this.#shownChange(key));
        });
        return number > keys.length ? [...rows, this.#rest(effect, number - keys.length)] : rows;
    }

    #existing(effect: Effect, entry: RecordedEntry, shown: Partial<Subject>): Row {
        if (effect === "delete") return this.#deleted(entry);
        if (effect === "release") return this.#released(entry);
        const subject = { ...this.#subject(entry), ...shown };
        if (effect === "compare")
            return { ...rowOf("unknown", subject, mayDiffer), hidden: { atMost: 1, mayAdd: false } };
        if (effect === "update") return rowOf("changed", subject);
        if (isUnconfirmed(entry.id)) return rowOf("inDoubt", subject, doubt);
        return rowOf("replaced", subject, ...(effect === "perhaps" ? [perhaps] : []));
    }

    #shownChange(key: string): Partial<Subject> {
        const [oldInputs, news] = [this.#before?.get(key), this.#now?.get(key)];
        return oldInputs && news ? { oldInputs, news } : { isMasked: true };
    }

    /** One row for the entries that the preview's line counts and does not name. */
    #rest(effect: Effect, number: number): Row {
        const action = actionsOf[effect];
        const isLost = action === "deleted" || action === "replaced";
        const mayGo = action === "unknown";
        const what = `${counted(number, "content")} of the library`;
        return {
            ...this.#rowOfLibrary(action),
            number,
            isLost,
            ...((isLost || mayGo) && { url: { state: isLost ? "ends" : "mayEnd", address: secretWord } as const }),
            ...(mayGo && { hidden: { atMost: number, mayAdd: false } }),
            ...((action === "new" || action === "replaced") && { transcodes: { lengthMs: undefined } }),
            facts: [`This row stands for ${what}, which the preview counts and does not name.`],
        };
    }

    /** The rows where only keys can be compared. `said`: the preview's lines, which then are the only ones about the library. */
    rowsOfKeys({ entries }: Library, said: readonly string[]): Row[] {
        const keys = this.#keys;
        const gone = keys ? [...entries.values()].filter(({ key }) => !keys.has(key)) : [];
        const added = keys ? [...keys].filter((key) => !entries.has(key)) : [];
        const rest = entries.size - gone.length;
        const rows = [
            ...gone.map((one) => (this.#releases.includes(one.key) ? this.#released(one) : this.#deleted(one))),
            ...added.map((key) => this.#new(key, this.#now?.get(key))),
        ];
        return rest > 0 || keys === undefined ? [...rows, this.#unknown(rest, keys === undefined, said)] : rows;
    }

    /** The rows of a library that is replaced, as by `--replace`: every video of it is made again. */
    rowsOfReplacement({ entries }: Library): Row[] {
        const keys = this.#keys;
        const added = keys ? [...keys].filter((key) => !entries.has(key)) : [];
        const existing = [...entries.values()].map((entry) => {
            if (isUnconfirmed(entry.id) || (keys && !keys.has(entry.key))) return this.#deleted(entry);
            const news = this.#now?.get(entry.key);
            const subject = { ...this.#subject(entry), ...(news ? { news } : { isMasked: true }) };
            const retained = this.#step.old?.retainOnDelete === true;
            return rowOf("replaced", { ...subject, retained }, "The library as a whole is replaced.");
        });
        const rows = [...existing, ...added.map((key) => this.#new(key, this.#now?.get(key)))];
        return keys ? rows : [...rows, this.#unknown(0, true, [])];
    }

    /** The rows of replaced videos that an earlier update could not delete. */
    leaving({ pendingDeletes }: Library): Row[] {
        const why = "An earlier update has replaced it, and could not delete it.";
        return [...pendingDeletes].map((one) => rowOf("deleted", this.#subject(one), why));
    }

    /** `news`: undefined where the plan masks them. */
    #new(key: string, news: Properties | undefined, isAdopted = news?.importId !== undefined): Row {
        const { importId } = news ?? {};
        const id = typeof importId === "string" && !isMask(importId) ? importId : "";
        const subject = { ...this.#common(key), ...(news && { news }), isMasked: news === undefined, id };
        return rowOf(isAdopted ? "adopted" : "new", subject);
    }

    #deleted(entry: RecordedEntry): Row {
        const { id } = entry;
        const adopter = this.#adopter(id);
        // `retainOnDelete` holds for the deletion of the library. An update deletes the entries that it loses.
        const isRetained = this.#step.op !== "update" && this.#step.old?.retainOnDelete;
        const subject = this.#subject(entry);
        if (isUnconfirmed(id)) return rowOf("inDoubt", subject, doubt);
        if (adopter !== undefined)
            return rowOf("kept", subject, `${adopter} of this program adopts it: its URL stays.`);
        if (isRetained) return rowOf("kept", subject, "It stays on the service (retainOnDelete), and so does its URL.");
        return rowOf("deleted", subject);
    }

    #released(entry: RecordedEntry): Row {
        return rowOf("kept", this.#subject(entry), "It is released: it stays on the service, and so does its URL.");
    }

    /** `mayAdd`: whether the plan hides the keys too. */
    #unknown(atMost: number, mayAdd: boolean, said: readonly string[]): Row {
        const number = atMost.toLocaleString("en-US");
        const what = mayAdd ? "its contents" : `its ${number} other ${atMost === 1 ? "content" : "contents"}`;
        const losses = `Up to ${number} may be deleted or replaced, and then their URLs end`;
        const comes = atMost === 0 ? "They may be new" : `${losses}${mayAdd ? "; others may be new" : ""}`;
        const facts = [`The plan does not show ${what}, because they are secret or not known yet. ${comes}.`];
        const lines = new Set(said.map((text) => `The preview says: ${text}`));
        return { ...this.#rowOfLibrary("unknown"), hidden: { atMost, mayAdd }, facts: [...facts, ...lines] };
    }

    #rowOfLibrary(action: Action): Row {
        const { urn } = this.#step;
        const row = { action, kind: libraryKind, name: this.#library, urn } as const;
        return { ...row, isLost: false, differences: [], facts: [] };
    }

    #common(key: string) {
        return { kind: "Content", name: key, library: this.#library, urn: this.#step.urn, waiting } as const;
    }

    #subject({ key, id, olds }: RecordedEntry): Subject {
        return { ...this.#common(key), id, olds };
    }
}

function keysIn({ contents, catalogue }: Properties): Set<string> | undefined {
    if (isMask(contents) || isMask(catalogue)) return undefined;
    if (isObject(contents)) return new Set(Object.keys(contents));
    if (typeof catalogue !== "string" || entriesIn({ catalogue }) === undefined) return undefined;
    return new Set(catalogueLines(catalogue).flatMap((line) => (line ? [line[0]] : [])));
}

function shownEntries(inputs: Properties = {}): Entries | undefined {
    const { contents, catalogue, defaults } = inputs;
    return [contents, catalogue, defaults].some(isMask) ? undefined : entriesIn(inputs);
}

export const doubt =
    "An earlier run did not learn whether it was created: the apply searches for it first, and creates it only where there is none.";
