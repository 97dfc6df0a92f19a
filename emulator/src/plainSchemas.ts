/** The schemas of the plain fields in bodies. */
import { z } from "zod";
import { emptyValues, type PlainFields, type PlainValue } from "./plainFields";

const schemas = { flag: z.boolean(), text: z.string(), count: z.int().min(0) };

type SchemasByWireName<F extends PlainFields> = {
    [Name in keyof F as F[Name]["wire"]]: z.ZodOptional<z.ZodType<PlainValue<F[Name]>>>;
};

export function createShape<F extends PlainFields>(fields: F): SchemasByWireName<F> {
    return schemasByWireName(Object.values(fields)) as SchemasByWireName<F>;
}

/** The fields of a PUT. */
export function updateShape<F extends PlainFields>(fields: F): Partial<SchemasByWireName<F>> {
    return schemasByWireName(Object.values(fields).filter(({ change }) => change === "inPlace")) as Partial<
        SchemasByWireName<F>
    >;
}

/** The fields of a change from outside. */
export function changeShape<F extends PlainFields>(fields: F) {
    const shape = Object.entries(fields).map(([name, { form }]) => [name, schemas[form].exactOptional()]);
    return Object.fromEntries(shape) as { [Name in keyof F]: z.ZodExactOptional<z.ZodType<PlainValue<F[Name]>>> };
}

/** The fields of a record. A state file from before a field was added lacks it: there it is not set. */
export function recordShape<F extends PlainFields>(fields: F) {
    const shape = Object.entries(fields).map(([name, { form }]) => {
        const schema: z.ZodType = schemas[form];
        return [name, schema.default(emptyValues[form])];
    });
    return Object.fromEntries(shape) as { [Name in keyof F]: z.ZodType<PlainValue<F[Name]>> };
}

function schemasByWireName(fields: readonly PlainFields[string][]): Record<string, z.ZodType> {
    return Object.fromEntries(fields.map(({ wire, form }) => [wire, schemas[form].optional()]));
}
