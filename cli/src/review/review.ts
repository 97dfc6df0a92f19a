/** What a plan means for people: a sentence with numbers, and a row for each video and livestream that does not stay as it is. */
import { isUnconfirmed } from "#provider/api/index";
import { entryPath, libraryKind } from "#provider/evidence/library";
import { isMask } from "#provider/inputs/values";
import { ofResource } from "#provider/operation/ownState";
import { entriesIn } from "#provider/resources/contentLibrary/entries";
import { kindOf } from "#provider/typeTokens";
import { parseUrn } from "#provider/urn";
import { counted } from "../terminal";
import { doubt, libraryRows } from "./library";
import type { Note, Plan, Side, Step } from "./plan";
import {
    type Action,
    actions,
    groupOf,
    groups,
    isVideoKind,
    type Row,
    rowOf,
    type Subject,
    total,
    type VideoKind,
} from "./row";
import { minutesWords, plain, wordsFor } from "./words";

export interface Review {
    readonly project: string;
    readonly stack: string;
    readonly errors: readonly string[];
    readonly rows: readonly Row[];
    /** The number of videos and livestreams that stay as they are, as far as the plan shows them. */
    readonly stays: number;
    /** How many other resources stay. A plan in one document does not name them. */
    readonly unchanged: number;
    /** Lines about each `ContentReadiness`. */
    readonly waits: readonly string[];
    /** The names of changed resources of other packages, and of providers, by the operation. */
    readonly others: Readonly<Record<string, readonly string[]>>;
    /** Whether the state is empty, so that everything looks new. */
    readonly isFirst: boolean;
    /** Warnings and notes of the preview. Those about a row stand with the row, too; `unplaced` are the texts of the others. */
    readonly notes: readonly Note[];
    readonly unplaced: readonly string[];
}

/** Lines of the preview that the rows say in other words. Shown as notes, they would repeat the rows. */
const restated = /\[VG(2034|4008|4060|4061|4104|6001)\]/;

export function reviewOf({ steps, notes, unchanged }: Plan): Review {
    const context = new Context(steps);
    const said = Map.groupBy(
        notes.filter(({ text }) => restated.test(text)),
        ({ urn }) => urn,
    );
    const parts = steps.map((step) => context.partOf(step, said.get(step.urn)?.map(({ text }) => text) ?? []));
    const root = steps.find(({ urn }) => typeOf(urn) === "pulumi:pulumi:Stack");
    const names = parseUrn(root?.urn ?? steps[0]?.urn ?? notes.find(({ urn }) => urn !== "")?.urn);
    const isError = ({ severity }: Note) => severity === "error";
    const bare = sorted(parts.flatMap((part) => part.rows ?? []));
    const shown = notes.filter((note) => !isError(note) && !restated.test(note.text));
    const byUrn = Map.groupBy(bare, ({ urn }) => urn);
    const placed = Map.groupBy(shown, (note) => rowOfNote(note, byUrn.get(note.urn) ?? []));
    const others = Map.groupBy(
        parts.flatMap((part) => part.others ?? []),
        ([operation]) => operation,
    );
    return {
        project: names?.project ?? "",
        stack: names?.stack ?? "",
        errors: notes.filter(isError).map(({ text }) => text.replace(/^error:\s*/, "")),
        rows: bare.map((row) => ({ ...row, notes: textsOf(placed.get(row)) })),
        stays: sum(parts.map((part) => part.stays ?? 0)),
        unchanged,
        waits: parts.flatMap((part) => part.waits ?? []),
        others: Object.fromEntries(Array.from(others, ([operation, all]) => [operation, all.map(([, name]) => name)])),
        isFirst: root !== undefined && root.old === undefined,
        notes: shown.map((note) => (note.urn === root?.urn ? { ...note, urn: "" } : note)),
        unplaced: textsOf(placed.get(undefined)),
    };
}

/** The row that a note is about. A note about a library names an entry, or goes to the library's first row. */
function rowOfNote({ text }: Note, own: readonly Row[]): Row | undefined {
    return own.find(({ library, name }) => library !== undefined && text.startsWith(entryPath(name))) ?? own[0];
}

function textsOf(notes: readonly Note[] = []): string[] {
    return [...new Set(notes.map(({ text }) => text))];
}

/** What one step of the plan adds to the review. */
interface Part {
    readonly rows?: readonly Row[];
    readonly stays?: number;
    readonly waits?: readonly string[];
    readonly others?: readonly [operation: string, name: string][];
}

/** In place of a URN: any content, because the plan does not show for which contents a ContentReadiness waits. */
const anyContent = "";

class Context {
    /** By the id of an object: the resource that adopts it. */
    readonly #adopters = new Map<string, string>();
    /** The URNs of contents that a ContentReadiness waits for. */
    readonly #awaited = new Set<string>();
    /** The titles of existing objects, by their ids. */
    readonly #titles = new Map<string, unknown>();

    constructor(steps: readonly Step[]) {
        for (const { urn, op, old, new: now } of steps) {
            const kind = kindOf(typeOf(urn));
            const name = parseUrn(urn)?.name ?? "";
            if (old !== undefined) this.#titles.set(old.id, old.inputs.title ?? old.outputs.title);
            if (now === undefined || kind === undefined) continue;
            const { inputs, propertyDependencies } = now;
            if (kind === "ContentReadiness")
                for (const one of propertyDependencies.contentIds ?? [anyContent]) this.#awaited.add(one);
            if (op === "import") this.#adopters.set(now.id, name);
            if (typeof inputs.importId === "string") this.#adopters.set(inputs.importId, name);
            if (kind !== libraryKind || isMask(inputs.contents) || isMask(inputs.defaults)) continue;
            for (const [key, { importId }] of entriesIn(inputs) ?? [])
                if (typeof importId === "string") this.#adopters.set(importId, `${name}/${key}`);
        }
    }

    partOf(step: Step, said: readonly string[]): Part {
        const { urn, op, new: now } = step;
        const type = typeOf(urn);
        const kind = kindOf(type);
        const name = parseUrn(urn)?.name ?? "";
        if ((now ?? step.old)?.external) return {};
        if (isVideoKind(kind)) return this.#objectPart(step, kind, name);
        if (kind === libraryKind)
            return ofResource(urn, () => libraryRows(step, name, (id) => this.#adopters.get(id), said));
        if (kind === "ContentReadiness") return readinessPart(op, name, now);
        const isOwnOfEngine =
            type === "pulumi:pulumi:Stack" || /^pulumi:providers:.*::default/.test(`${type}::${name}`);
        const word = operations.get(op);
        return word === undefined || isOwnOfEngine ? {} : { others: [[word, `${name} (${type})`]] };
    }

    #objectPart(step: Step, kind: VideoKind, name: string): Part {
        const action = this.#actionOf(step);
        if (action === "stays") return { stays: 1 };
        if (action === undefined) return {};
        const { op, urn, old, new: now, keys: replaces, deletesFirst } = step;
        const id = old?.id || now?.id || "";
        const subject: Subject = {
            ...{ kind, name, urn, id, replaces, deletesFirst, waiting: this.#waiting(urn, now) },
            ...(old && { olds: old.outputs, oldInputs: old.inputs }),
            ...(now && { news: now.inputs }),
            ...(kind === "Clip" && now && { cutFrom: this.#sourceOf(now) }),
            // The program's option is about the new object. For the old one the option in the state counts.
            retained: op === "replace" && old?.retainOnDelete === true,
        };
        return { rows: [rowOf(action, subject, ...this.#factsOf(action, step))] };
    }

    #actionOf({ op, old, new: now }: Step): Action | "stays" | undefined {
        const isDoubtful = old !== undefined && isUnconfirmed(old.id);
        if (op === "same") return "stays";
        if (op === "update") return "changed";
        if (op === "import") return "adopted";
        if (op === "create") return typeof now?.inputs.importId === "string" ? "adopted" : "new";
        if (isDoubtful && (op === "replace" || op === "delete")) return "inDoubt";
        if (op === "replace") return "replaced";
        if (op !== "delete") return undefined;
        return old?.retainOnDelete || this.#adopters.has(old?.id ?? "") ? "kept" : "deleted";
    }

    #factsOf(action: Action, { op, old }: Step): string[] {
        if (action === "inDoubt") return [doubt];
        if (action === "deleted" && old?.delete) return ["An earlier run has replaced it, and could not delete it."];
        if (action !== "kept") return [];
        const adopter = this.#adopters.get(old?.id ?? "");
        if (adopter !== undefined) return [`${adopter} of this program adopts it: its URL stays.`];
        return op === "delete" ? ["It stays on the service (retainOnDelete), and so does its URL."] : [];
    }

    #waiting(urn: string, now: Side | undefined): Subject["waiting"] {
        if (now?.inputs.waitForReady !== false) return { waits: true, says: "The apply waits until it is Ready" };
        if (this.#awaited.has(urn)) return { waits: true, says: "A ContentReadiness waits until it is Ready" };
        const isUnsure = this.#awaited.has(anyContent);
        const unless = isUnsure ? ", unless a ContentReadiness waits for it" : "";
        return { waits: false, says: `The apply does not wait until it is Ready${unless}`, unless };
    }

    /** The words for the content that a clip is cut from. */
    #sourceOf({ inputs: { contentId }, propertyDependencies }: Side): string {
        const [source] = propertyDependencies.contentId ?? [];
        const title = this.#titles.get(String(contentId));
        if (title !== undefined) return `“${wordsFor(title)}”`;
        return source === undefined ? `content ${wordsFor(contentId)}` : `content ${parseUrn(source)?.name}`;
    }
}

const operations = new Map([
    ["create", "created"],
    ["update", "updated"],
    ["replace", "replaced"],
    ["delete", "deleted"],
    ["import", "imported"],
]);

function readinessPart(op: string, name: string, now: Side | undefined): Part {
    if (op === "same" || now === undefined) return {};
    const ids = now.inputs.contentIds;
    const what = Array.isArray(ids) ? counted(ids.length, "content") : "its contents";
    return { waits: [`ContentReadiness ${plain(name)} waits until ${what} can be played.`] };
}

function typeOf(urn: string): string {
    return parseUrn(urn)?.types.split("$").at(-1) ?? "";
}

function sorted(rows: readonly Row[]): Row[] {
    const order = (row: Row) => groups.indexOf(groupOf(row));
    const { compare } = new Intl.Collator("en", { numeric: true });
    const nameOf = ({ library = "", name }: Row) => `${library} ${name}`;
    return rows.toSorted((a, b) => order(a) - order(b) || compare(nameOf(a), nameOf(b)));
}

function sum(numbers: readonly number[]): number {
    return numbers.reduce((total, one) => total + one, 0);
}

/** The number of objects of each action. */
export function countsOf({ rows }: Review): Record<Action, number> {
    const counts = Object.fromEntries(actions.map((action) => [action, 0])) as Record<Action, number>;
    for (const { action, number = 1 } of rows) counts[action] += number;
    return counts;
}

/** The objects that are deleted for good, also those whose replacement is made. `unknown`: those that may be. */
export function deletionsOf({ rows }: Review): { known: number; unknown: number } {
    return {
        known: total(rows.filter(({ isLost }) => isLost)),
        unknown: sum(rows.map(({ hidden }) => hidden?.atMost ?? 0)),
    };
}

/** The sentences that the review begins with. The first is about what comes and goes, and is never quieter than a row. */
export function summaryOf(review: Review): string[] {
    const { rows, stays, unchanged, isFirst, others } = review;
    const { replaced, inDoubt, kept, changed, new: made, adopted, deleted } = countsOf(review);
    const parts = [`${count(made)} new`, `${count(changed)} changed`, `${count(replaced)} replaced`];
    if (adopted > 0) parts.push(`${count(adopted)} adopted`);
    if (kept > 0) parts.push(`${count(kept)} kept but no longer managed`);
    if (inDoubt > 0) parts.push(`${count(inDoubt)} in doubt`);
    const { known, unknown } = deletionsOf(review);
    parts.push(`${count(deleted)} deleted${known > 0 ? " and not replaced" : ""}`);
    const staying = [
        ...(stays > 0 || unchanged === 0 ? [`${count(stays)}${unchanged > 0 ? " videos" : ""}`] : []),
        ...(unchanged > 0 ? [counted(unchanged, stays > 0 ? "other resource" : "resource")] : []),
    ];
    const stay = `${staying.join(" and ")} ${stays + unchanged === 1 ? "stays as it is" : "stay as they are"}.`;
    const hides = rows.some(({ hidden }) => hidden !== undefined);
    const numbers = `${hides ? "Shown by the plan: " : ""}${parts.join(", ")}; ${stay}`;
    const all = rows.length === 0 ? `No video or livestream changes; ${stay}` : numbers;
    const losses = known > 0 || (rows.length > 0 && unknown === 0) ? [lossWords(review)] : [];
    const sentences = [[all, ...losses, ...hiddenWords(review), ...endingWords(review)].join(" ")];
    if (isFirst) sentences.push("The state is empty, so everything is new.");
    const cost = transcodingWords(rows);
    if (cost !== undefined) sentences.push(cost);
    const other = sum(Object.values(others).map(({ length }) => length));
    if (other > 0) sentences.push(`${count(other)} other ${other === 1 ? "resource changes" : "resources change"}.`);
    return sentences;
}

/** One number for what cannot be had again: `7 objects are deleted for good: 2 not replaced, and 5 old ones of replacements.` */
function lossWords(review: Review): string {
    const { known } = deletionsOf(review);
    if (known === 0) return "Nothing is deleted for good.";
    const gone = total(review.rows.filter(({ action }) => action === "deleted"));
    const old = known - gone;
    const from = [
        ...(gone > 0 ? [`${count(gone)} not replaced`] : []),
        ...(old > 0 ? [`${count(old)} old ${old === 1 ? "one of a replacement" : "ones of replacements"}`] : []),
    ];
    return `${counted(known, "object")} ${known === 1 ? "is" : "are"} deleted for good: ${from.join(", and ")}.`;
}

/** A sentence for what the plan masks. */
function hiddenWords(review: Review): string[] {
    const { unknown } = deletionsOf(review);
    const mayAdd = review.rows.some(({ hidden }) => hidden?.mayAdd);
    const losses = `up to ${count(unknown)} more may be deleted or replaced`;
    const all = [...(unknown > 0 ? [losses] : []), ...(mayAdd ? ["others may be new"] : [])];
    return all.length > 0 ? [`Not shown: ${all.join(", and ")}.`] : [];
}

/** What ends for viewers and encoders: `7 playback URLs and 1 stream key end.` */
function endingWords(review: Review): string[] {
    const urls = total(review.rows.filter(({ url }) => url?.state === "ends"));
    const keys = total(review.rows.filter(({ kind, isLost }) => kind === "Livestream" && isLost));
    const { unknown } = deletionsOf(review);
    const ending = [
        ...(urls > 0 ? [counted(urls, "playback URL")] : []),
        ...(keys > 0 ? [counted(keys, "stream key")] : []),
    ].join(" and ");
    if (ending === "") return unknown > 0 ? [`Up to ${counted(unknown, "playback URL")} may end.`] : [];
    const more = unknown > 0 ? `, and up to ${count(unknown)} more may` : "";
    return [`${ending} ${urls + keys === 1 ? "ends" : "end"}${more}.`];
}

/** What is transcoded, which the service bills: `3 videos are transcoded (41 minutes and two of unknown length).` */
function transcodingWords(rows: readonly Row[]): string | undefined {
    const transcoding = rows.filter(({ transcodes }) => transcodes);
    const made = total(transcoding);
    if (made === 0) return undefined;
    // A row of several contents knows the length of none.
    const known = transcoding.flatMap(({ transcodes }) => transcodes?.lengthMs ?? []);
    const unknown = made - known.length;
    const lengths = [
        ...(known.length > 0 ? [minutesWords(sum(known))] : []),
        ...(unknown > 0 ? [known.length > 0 ? `${count(unknown)} of unknown length` : "of unknown length"] : []),
    ];
    return `${count(made)} ${made === 1 ? "video is" : "videos are"} transcoded (${lengths.join(" and ")}).`;
}

function count(number: number): string {
    return number.toLocaleString("en-US");
}
