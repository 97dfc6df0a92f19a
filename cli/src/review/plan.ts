/**
 * A plan: what `pulumi preview --json` prints, in both of its forms. One document has all steps; with PULUMI_ENABLE_STREAMING_JSON_PREVIEW, and in
 * the file of `--event-log`, each line is an event of the engine.
 */
import { stripVTControlCharacters } from "node:util";
import * as z from "zod/mini";
import { isObject, parseJson } from "#provider/api/json";
import { normalizeUnknowns, type Properties } from "#provider/inputs/values";

/** A part that the engine leaves out of a plan, or writes as `null`, where it has no value. Such a part is read as `otherwise`. */
function part<T>(schema: z.ZodMiniType<T>, otherwise: T) {
    return z.pipe(
        z.nullish(schema),
        z.transform((value) => value ?? otherwise),
    );
}
const text = part(z.string(), "");
const flag = part(z.boolean(), false);
const properties = z.pipe(
    part(z.custom<Properties>(isObject), {}),
    z.transform((values) => normalizeUnknowns(values) as Properties),
);

/** A resource before or after the plan, as the state will have it. */
const side = z.object({
    id: text,
    inputs: properties,
    outputs: properties,
    retainOnDelete: flag,
    /** Whether the program only reads the object, as `Content.get` does. */
    external: flag,
    /** For each input, the URNs of the resources that it depends on. A plan of events does not show them. */
    propertyDependencies: part(z.record(z.string(), z.nullish(z.array(z.string()))), {}),
    /** Whether an earlier run has replaced the object, and could not delete it yet. */
    delete: flag,
    /** Whether the object is deleted before its replacement is made. A document shows the order by this field alone. */
    pendingReplacement: flag,
});
export type Side = z.infer<typeof side>;

const state = part(z.optional(side), undefined);
const names = { op: z.string(), urn: z.string() };
const keys = part(z.array(z.string()), []);
/** `keys`: the properties because of which the object is replaced. */
const step = z.object({ ...names, old: state, new: state, keys });
const note = z.object({ urn: text, severity: text, message: text });
type RawStep = z.infer<typeof step>;
type RawNote = z.infer<typeof note>;
const documentStep = z.pipe(
    z.object({ ...names, oldState: state, newState: state, replaceReasons: keys }),
    z.transform(({ op, urn, ...one }): RawStep => {
        return { op, urn, old: one.oldState, new: one.newState, keys: one.replaceReasons };
    }),
);

/** A plan as one JSON text. */
export const planDocument = z.object({
    steps: part(z.array(documentStep), []),
    diagnostics: part(z.array(note), []),
    changeSummary: part(z.object({ same: part(z.number(), 0) }), { same: 0 }),
});
/** One line of a plan of events. */
export const planEvent = z.object({
    sequence: z.number(),
    resourcePreEvent: z.nullish(z.object({ metadata: step })),
    diagnosticEvent: z.nullish(z.extend(note, { ephemeral: flag })),
});

/** `deletesFirst`: whether the old object is deleted before the new one is made. */
export type Step = RawStep & { readonly deletesFirst: boolean };
export type Note = Pick<RawNote, "urn" | "severity"> & { readonly text: string };

export interface Plan {
    /** A step for each object. A resource has two objects while its replaced one waits for the deletion. */
    readonly steps: readonly Step[];
    readonly notes: readonly Note[];
    /** How many resources stay as they are and are not among the steps. */
    readonly unchanged: number;
}

/**
 * The plan; `undefined` for a text of another form, also where one field has another type than the engine gives it. If such a field were left out, the
 * review could lack a deletion, and `--max-deletions` would let the plan pass.
 */
export function parsePlan(text: string): Plan | undefined {
    const document = parseJson(text);
    if (isObject(document) && ["steps", "diagnostics", "changeSummary", "duration"].some((name) => name in document)) {
        const { data } = z.safeParse(planDocument, document);
        return data && planOf(data.steps, data.diagnostics, data.changeSummary.same);
    }
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const { data: events = [] } = z.safeParse(z.array(planEvent), lines.map(parseJson));
    if (events.length === 0) return undefined;
    const steps = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
    const notes = events.flatMap(({ diagnosticEvent: note }) => (note && !note.ephemeral ? [note] : []));
    return planOf(steps, notes);
}

function planOf(rawSteps: readonly RawStep[], rawNotes: readonly RawNote[], same = 0): Plan {
    // A document shows a replacement as one step, events as up to three. A replaced object that waits for its deletion is a step of its own, with
    // the same URN.
    const groups = Map.groupBy(rawSteps, (step) => (isReplacing(step) ? step.urn : step));
    return {
        steps: Array.from(groups.values(), stepOf),
        // Debugging lines show every value of the program, secrets too: they are left out.
        notes: rawNotes.flatMap(({ urn, severity, message }) => {
            const level = /^(info|warning|error)/.exec(severity)?.[0];
            const note = { urn, text: plainText(message) };
            return level === undefined || note.text === "" ? [] : [{ ...note, severity: level }];
        }),
        unchanged: Math.max(0, same - rawSteps.filter(({ op }) => op === "same").length),
    };
}

/** The message without colours. Of a stack trace only the place remains where the program failed. */
function plainText(message: string): string {
    const lines = stripVTControlCharacters(message).trim().split("\n");
    const isFrame = (line: string | undefined) => /^\s+at .*[:)]/.test(line ?? "");
    return lines.filter((line, index) => !isFrame(line) || !isFrame(lines[index - 1])).join("\n");
}

function isReplacing({ op }: RawStep): boolean {
    return op.includes("replace");
}

function stepOf(parts: readonly RawStep[]): Step {
    const ops = parts.map(({ op }) => op);
    const none: RawStep = { op: "same", urn: "", old: undefined, new: undefined, keys: [] };
    const main = parts.find(({ op }) => op === "replace") ?? parts[0] ?? none;
    const old = main.old ?? parts.find((one) => one.old)?.old;
    const firstDelete = ops.indexOf("delete-replaced");
    const isInOrder = firstDelete >= 0 && firstDelete < ops.indexOf("create-replacement");
    return {
        ...main,
        op: parts.some(isReplacing) ? "replace" : main.op,
        old,
        new: main.new ?? parts.findLast((one) => one.new)?.new,
        deletesFirst: old?.pendingReplacement === true || isInOrder,
    };
}
