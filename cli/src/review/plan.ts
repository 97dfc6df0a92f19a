/**
 * A plan: what `pulumi preview --json` prints, in both of its forms. One document has all steps; with PULUMI_ENABLE_STREAMING_JSON_PREVIEW, and in
 * the file of `--event-log`, each line is an event of the engine.
 */
import { stripVTControlCharacters } from "node:util";
import { isObject, parseJson } from "#provider/api/json";
import { normalizeUnknowns, type Properties } from "#provider/inputs/values";

/** A resource before or after the plan, as the state will have it. */
export interface Side {
    readonly id: string;
    readonly inputs: Properties;
    readonly outputs: Properties;
    readonly retainOnDelete: boolean;
    /** Whether the program only reads the object, as `Content.get` does. */
    readonly external: boolean;
    /** For each input, the URNs of the resources that it depends on; `undefined` in a plan of events, which does not show them. */
    readonly dependencies: Readonly<Record<string, readonly string[]>> | undefined;
    /** Whether an earlier run has replaced the object, and could not delete it yet. */
    readonly leaving: boolean;
}

export interface Step {
    readonly op: string;
    readonly urn: string;
    readonly old: Side | undefined;
    readonly new: Side | undefined;
    /** The properties because of which the object is replaced. */
    readonly replaces: readonly string[];
    /** Whether the old object is deleted before the new one is made. */
    readonly deletesFirst: boolean;
}

export interface Note {
    readonly urn: string;
    readonly severity: string;
    readonly text: string;
}

export interface Plan {
    /** A step for each object. A resource has two objects while its replaced one waits for the deletion. */
    readonly steps: readonly Step[];
    readonly notes: readonly Note[];
    /** How many resources stay as they are and are not among the steps. */
    readonly unchanged: number;
}

type Raw = Record<string, unknown>;

/** The plan; `undefined` for a text of another form. */
export function parsePlan(text: string): Plan | undefined {
    const document = parseJson(text);
    if (isObject(document) && ["steps", "diagnostics", "changeSummary", "duration"].some((name) => name in document))
        return planOf(listIn(document.steps), listIn(document.diagnostics), document.changeSummary);
    const events = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parseJson(line)]));
    if (events.length === 0 || !events.every((one): one is Raw => isObject(one) && "sequence" in one)) return undefined;
    const steps = events.flatMap(({ resourcePreEvent }) => metadataIn(resourcePreEvent));
    const notes = events.flatMap(({ diagnosticEvent: note }) => (isObject(note) && !note.ephemeral ? [note] : []));
    return planOf(steps, notes);
}

/** An event's step, under the names that a document has. */
function metadataIn(event: unknown): Raw[] {
    const { metadata } = isObject(event) ? event : {};
    if (!isObject(metadata)) return [];
    const { op, urn, old: oldState, new: newState, keys: replaceReasons } = metadata;
    return [{ op, urn, oldState, newState, replaceReasons }];
}

function planOf(rawSteps: readonly Raw[], rawNotes: readonly Raw[], summary: unknown = undefined): Plan {
    // A document shows a replacement as one step, events as up to three. A replaced object that waits for its deletion is a step of its own, with
    // the same URN.
    const isPart = ({ op }: Raw) => /replace/.test(String(op));
    const groups = Map.groupBy(rawSteps, (step) => (isPart(step) ? String(step.urn) : step));
    return {
        steps: Array.from(groups.values(), stepOf),
        // Debugging lines show every value of the program, secrets too: they are left out.
        notes: rawNotes.flatMap(({ urn, severity, message }) => {
            const level = /^(info|warning|error)/.exec(String(severity))?.[0];
            const note = { urn: String(urn ?? ""), text: plainText(String(message ?? "")) };
            return level === undefined || note.text === "" ? [] : [{ ...note, severity: level }];
        }),
        unchanged: Math.max(0, sames(summary) - rawSteps.filter(({ op }) => op === "same").length),
    };
}

/** The message without colours. Of a stack trace only the place remains where the program failed. */
function plainText(message: string): string {
    const lines = stripVTControlCharacters(message).trim().split("\n");
    const isFrame = (line: string | undefined) => /^\s+at .*[:)]/.test(line ?? "");
    return lines.filter((line, index) => !isFrame(line) || !isFrame(lines[index - 1])).join("\n");
}

function sames(summary: unknown): number {
    return isObject(summary) && typeof summary.same === "number" ? summary.same : 0;
}

function stepOf(parts: readonly Raw[]): Step {
    const ops = parts.map(({ op }) => String(op));
    const { urn, op, oldState, newState, replaceReasons } = parts.find((one) => one.op === "replace") ?? parts[0] ?? {};
    const old = oldState ?? parts.find((one) => isObject(one.oldState))?.oldState;
    const firstDelete = ops.indexOf("delete-replaced");
    // A document does not say in which order a replacement happens. Only this field shows that the old object is deleted first.
    const isMarked = isObject(old) && old.pendingReplacement === true;
    return {
        op: parts.some((one) => /replace/.test(String(one.op))) ? "replace" : String(op ?? "same"),
        urn: String(urn ?? ""),
        old: sideOf(old),
        new: sideOf(newState ?? parts.findLast((one) => isObject(one.newState))?.newState),
        replaces: textsIn(replaceReasons),
        deletesFirst: isMarked || (firstDelete >= 0 && firstDelete < ops.indexOf("create-replacement")),
    };
}

function sideOf(state: unknown): Side | undefined {
    if (!isObject(state)) return undefined;
    const { id, inputs, outputs, retainOnDelete, external, propertyDependencies, delete: leaving } = state;
    return {
        id: typeof id === "string" ? id : "",
        inputs: propertiesIn(inputs),
        outputs: propertiesIn(outputs),
        retainOnDelete: retainOnDelete === true,
        external: external === true,
        dependencies: isObject(propertyDependencies) ? (propertyDependencies as Record<string, string[]>) : undefined,
        leaving: leaving === true,
    };
}

function propertiesIn(value: unknown): Properties {
    return isObject(value) ? (normalizeUnknowns(value) as Properties) : {};
}

function listIn(value: unknown): Raw[] {
    return Array.isArray(value) ? value.filter(isObject) : [];
}

function textsIn(value: unknown): string[] {
    return Array.isArray(value) ? value.map(String) : [];
}
