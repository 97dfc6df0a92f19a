/** Values as somebody may have changed them by hand: made from the schema that reads them. */
import * as z from "zod/mini";
import type { Schema } from "../../provider/dist/definitions/definition.js";

type Properties = Record<string, unknown>;

/** An object that cannot become a text: `String(it)` throws a TypeError. */
const textless = { toString: null, valueOf: null };
/** The names of what every object has: as keys of an object in the place of a Map, they find functions. */
const inherited = ["constructor", "toString", "__proto__"];
export const anyJson = [
    ...[null, 0, -1.5, 1e300, "text", "", "line\nend", true, false],
    ...[[], ["text"], [null], {}, { a: 1 }, textless, ...inherited, Object.fromEntries([[inherited[0], textless]])],
];

interface Form {
    /** The field that is changed. */
    readonly path: string;
    readonly broken: Properties;
    /** Whether the schema takes it all the same: then there is a fallback. */
    readonly isTaken: boolean;
}

/** The schema of the values themselves: without a fallback, and without what is made of them. */
function valueSchema(schema: Schema, value: unknown): Schema {
    const {
        type,
        innerType,
        in: read,
        options,
    } = schema._zod.def as {
        type: string;
        innerType?: Schema;
        in?: Schema;
        options?: Schema[];
    };
    const inner = innerType ?? (type === "pipe" ? read : options?.find((option) => z.safeParse(option, value).success));
    return inner === undefined ? schema : valueSchema(inner, value);
}

/** The fields of a value with their schemas; of a list and of a map, the first item. */
function fieldsOf(schema: Schema, value: unknown): [name: string, schema: Schema][] {
    const own = valueSchema(schema, value);
    const { shape, element, valueType } = own._zod.def as {
        type: string;
        shape?: Record<string, Schema>;
        element?: Schema;
        valueType?: Schema;
    };
    if (shape !== undefined) return Object.entries(shape);
    const item = element ?? valueType;
    return item === undefined
        ? []
        : Object.keys(value ?? {})
              .slice(0, 1)
              .map((name) => [name, item]);
}

function withPart(whole: unknown, name: string, part: unknown): Properties {
    const copy = Array.isArray(whole) ? [...whole] : { ...(whole as Properties) };
    if (part === undefined) Reflect.deleteProperty(copy, name);
    else Object.defineProperty(copy, name, { value: part, enumerable: true, configurable: true, writable: true });
    return copy as Properties;
}

/** The value with each of its fields missing, of every other type, and, where it is an item of a list, twice. */
export function* changedForms(schema: Schema, value: unknown, path = ""): Generator<Form> {
    for (const [name, field] of fieldsOf(schema, value)) {
        const place = Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
        const part = (value as Properties)[name];
        const parts = new Set([...(part === undefined ? [] : [undefined]), ...anyJson]);
        for (const other of parts) {
            const broken = withPart(value, name, other);
            yield { path: place, broken, isTaken: z.safeParse(schema, broken).success };
        }
        if (Array.isArray(value))
            yield { path: place, broken: [...value, value[0]] as unknown as Properties, isTaken: true };
        for (const inner of part === undefined ? [] : changedForms(field, part, place)) {
            const broken = withPart(value, name, inner.broken);
            yield { ...inner, broken, isTaken: z.safeParse(schema, broken).success };
        }
    }
}
