/**
 * The fields that a create sets, that a PUT may change, and that are kept and shown as they are. A new field is a row here: bodies,
 * records, answers and the state file follow. Only a closed set of texts also needs a line in `requestSchemas.ts`. This file needs no library,
 * because public types depend on it.
 */

/** What an answer shows for a field that is not set, by the field's type. */
export const emptyValues = { flag: false, text: "", count: 0 };
type Form = keyof typeof emptyValues;
type Values = typeof emptyValues;

interface PlainField {
    /** The field's name in bodies. */
    readonly wire: string;
    readonly form: Form;
    readonly change: "inPlace" | "createOnly";
    /** Whether an answer for one object has it. */
    readonly shown: boolean;
}
export type PlainFields = Readonly<Record<string, PlainField>>;

export const contentFields = {
    mp4Support: { wire: "mp4_support", form: "flag", change: "createOnly", shown: true },
    saveOriginalCopy: { wire: "save_original_copy", form: "flag", change: "inPlace", shown: true },
    testVideo: { wire: "test_video", form: "flag", change: "createOnly", shown: false },
} as const satisfies PlainFields;

export const livestreamFields = {
    dvrDurationInMins: { wire: "dvrDurationInMins", form: "count", change: "inPlace", shown: false },
} as const satisfies PlainFields;

export type PlainValue<F extends PlainField> = Values[F["form"]];
export type PlainRecord<F extends PlainFields> = { [Name in keyof F]: PlainValue<F[Name]> };
export type PlainCreate<F extends PlainFields> = {
    [Name in keyof F as F[Name]["wire"]]?: PlainValue<F[Name]> | undefined;
};

/** A record's fields as a request sets them; fields that it does not name are as before, or empty. */
export function plainRecord<F extends PlainFields>(fields: F, body: object, before: object = {}): PlainRecord<F> {
    const named: Record<string, unknown> = { ...body };
    const kept: Record<string, unknown> = { ...before };
    const values = Object.entries(fields).map(([name, { wire, form }]) => [
        name,
        named[wire] ?? kept[name] ?? emptyValues[form],
    ]);
    return Object.fromEntries(values) as PlainRecord<F>;
}

/** The record after a PUT that empties the fields it does not name. */
export function withEmptyValues<T extends object>(fields: PlainFields, record: T): T {
    const inPlace = Object.entries(fields).filter(([, { change }]) => change === "inPlace");
    return { ...record, ...Object.fromEntries(inPlace.map(([name, { form }]) => [name, emptyValues[form]])) };
}

/** The fields of answers, by the names in bodies. */
export function shownFields<F extends PlainFields>(fields: F, record: PlainRecord<F>): Record<string, unknown> {
    const shown = Object.entries(fields).filter(([, field]) => field.shown);
    return Object.fromEntries(shown.map(([name, { wire }]) => [wire, record[name]]));
}
