/** Reads the entries that a program declares for a library, from a map or from a text with one JSON object a line, and checks them. */

import * as z from "zod/mini";
import { isObject, parseJson } from "../../api/json";
import { integer, list, object, text } from "../../definitions/schemas";
import { catalogueLines, entryPath } from "../../evidence/library";
import { signatureNotes } from "../../inputs/check";
import { fixFor } from "../../inputs/outputText";
import { problemsOf } from "../../inputs/validate";
import {
    type CheckContext,
    type Checked,
    hasUnknown,
    type Properties,
    unknownValue,
    withoutNulls,
} from "../../inputs/values";
import { advice, type Message, messages } from "../../messages";
import { content } from "../content";

/** Creates, changes and deletes an entry like a Content. An entry has no `waitForReady`: a library always waits. */
export const entryLifecycle = content.without("waitForReady");
export const entryDefinition = entryLifecycle.definition;

const { importId: _, ...declared } = entryDefinition.inputs.shape;
const { title: __, content: ___, ...alike } = declared;
/** Stands for an entry that a preview does not know yet: each of its inputs is unknown. */
const unknownEntry = Object.fromEntries(Object.keys(declared).map((name) => [name, unknownValue]));
/** The inputs that `defaults` may have. `importId`, `title` and `content` are left out, because they differ from video to video. */
export const defaultInputs = object(alike);

export type Entries = ReadonlyMap<string, Properties>;

/** A check lists this many problems, and counts the rest. */
const maxProblems = 20;

export const libraryInputs = object({
    contents: z.optional(
        z.strictObject({}, { error: ({ input }) => (Array.isArray(input) ? advice.keyed : "an object") }),
    ),
    catalogue: z.optional(text()),
    defaults: z.optional(object({})),
    release: z.optional(list(text())),
    maxDeletes: z.optional(integer()),
});

/** The entries as the program writes them; `undefined` where a preview does not know their keys, or the defaults, yet. */
function rawEntries({ contents, catalogue, defaults }: Properties): [key: string, entry: unknown][] | undefined {
    if ([contents, catalogue, defaults].includes(unknownValue)) return undefined;
    if (typeof catalogue !== "string") return isObject(contents) ? Object.entries(contents) : [];
    return catalogueLines(catalogue).flatMap((line) => (line ? [line] : []));
}

/** The entries with the library's defaults in them; `undefined` where a preview does not know all of them yet. */
export function entriesIn(inputs: Properties): Entries | undefined {
    const written = rawEntries(inputs);
    return written && new Map(written.map(([key, entry]) => [key, withDefaults(entry, inputs)]));
}

/** The entry with the library's defaults. A `null` in the entry switches a default off. */
function withDefaults(entry: unknown, { defaults }: Properties): Properties {
    const own = entry === unknownValue ? unknownEntry : entry;
    return withoutNulls({ ...(isObject(defaults) && defaults), ...(isObject(own) && own) }) as Properties;
}

export function checkLibrary(news: Properties, olds: Properties | undefined, context: CheckContext): Checked {
    // The entries are checked below, one by one. The schema of the library would refuse each key as an unknown property.
    const form = { ...news };
    for (const name of ["contents", "defaults"]) if (isObject(news[name])) form[name] = {};
    if (typeof news.catalogue === "string") form.catalogue = "";
    // `defaults` have a check of their own. Otherwise each problem of them would be reported for every entry.
    const defaults = isObject(news.defaults) ? (withoutNulls(news.defaults) as Properties) : {};
    const ofDefaults = problemsAt("defaults", defaults, (inputs) => problemsOf(defaultInputs, inputs));
    const problems = [...problemsOf(libraryInputs, form), ...ofDefaults, ...formProblems(news)];
    const written = problems.length > 0 ? [] : (rawEntries(news) ?? []);
    const before = olds && entriesIn(olds);
    const adopts: [id: string, key: string][] = [];
    const seen = new Set<string>();
    const signed: Message[] = [];
    const ofEntries = written.flatMap(([key, entry]) => {
        const path = entryPath(key);
        const isRefused = key.trim() === "" || /\/|::/.test(key) || seen.has(key);
        seen.add(key);
        const fix = fixFor(key);
        if (fix !== undefined) return [messages.outputAsText({ property: "a key of contents", fix })];
        const found = isRefused ? [messages.libraryKey({ entry: path })] : [];
        if (entry === unknownValue) return found;
        if (!isObject(entry)) return [...found, messages.badInput({ property: path, expected: "an object" })];
        const inputs = withDefaults(entry, news);
        const { importId } = inputs;
        if (typeof importId === "string" && !hasUnknown(importId)) adopts.push([importId, key]);
        const olds = before?.get(key);
        const [note] = signed.length > 0 ? [] : signatureNotes(entryDefinition.inputs.shape, inputs, olds);
        if (note !== undefined) signed.push(`${path}.${note}` as Message);
        const check = (own: Properties) => entryLifecycle.problems(own, olds, context).problems;
        return [...found, ...problemsAt(path, inputs, check)];
    });
    problems.push(...shortened(ofEntries));
    // Messages for a Python program say `playback_policy`. But the catalogue is JSON, in which the name is `playbackPolicy`.
    const verbatim = ofEntries.length > 0 && typeof news.catalogue === "string";
    const isFirst = olds === undefined && problems.length === 0 && adopts.length > 0;
    const changes = `${written.length - adopts.length} to create, ${adopts.length} to adopt`;
    // `signed` has only the first note: with presigned URLs everywhere, a thousand entries would give a thousand equal notes.
    const notes = [...(isFirst ? [messages.libraryChanges({ changes })] : []), ...signed];
    return { inputs: { ...news }, problems, adopts, verbatim, notes };
}

/** The first problems, and the number of all others. */
function shortened(problems: Message[]): Message[] {
    const more = problems.length - maxProblems;
    return [...problems.slice(0, maxProblems), ...(more > 0 ? [messages.libraryProblems({ count: more })] : [])];
}

/** The problems of an entry, or of `defaults`, each after its path. `check` finds all of them except a `waitForReady`, which only a Content has. */
function problemsAt(path: string, written: Properties, check: (inputs: Properties) => Message[]): Message[] {
    // Python's SDK turns `wait_for_ready` into `waitForReady` only where the schema has that input. The schema of a library lacks it, so both names
    // may come.
    const { waitForReady, wait_for_ready: asInPython, ...inputs } = written;
    const isSet = (waitForReady ?? asInPython) !== undefined;
    const waits = isSet ? [messages.libraryWaits({ property: `${path}.waitForReady` })] : [];
    return [...waits, ...check(inputs).map((one) => `${path}.${one}` as Message)];
}

const exampleOfContents = 'such as { "trailer": { "title": "…", "content": [{ "url": "https://…" }] } }, or catalogue';

function formProblems({ contents, catalogue }: Properties): Message[] {
    if (contents !== undefined && catalogue !== undefined) return [messages.libraryForm()];
    if (contents === undefined && catalogue === undefined)
        return [messages.requiredInput({ input: "contents", form: exampleOfContents })];
    if (typeof catalogue !== "string" || catalogue === unknownValue) return [];
    const wrong = catalogueLines(catalogue).flatMap((line, index) => (line === undefined ? [index + 1] : []));
    const fix = wrong.length > 0 ? fixFor(catalogue) : undefined;
    if (fix !== undefined) return [messages.outputAsText({ property: "catalogue", fix })];
    if (wrong.length > 0 && isDocument(catalogue)) return [messages.catalogueDocument()];
    return shortened(wrong.map((line) => messages.catalogueLine({ line })));
}

/** Whether the text is a JSON document of several videos, and not one line whose key was forgotten. */
function isDocument(text: string): boolean {
    const value = parseJson(text);
    if (!isObject(value)) return Array.isArray(value);
    return text.trim().includes("\n") || Object.values(value).every(isObject);
}
