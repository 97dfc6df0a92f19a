/**
 * What a definition is made of: a zod schema for each property, and facts that zod cannot say, such as how an input is changed. The docstrings in
 * `program/` explain the properties to users.
 */
import type * as z from "zod/mini";

export type Schema = z.core.$ZodType;
/** The schemas of properties by name. */
export type Shape = Readonly<Record<string, Schema>>;

/** The values that the service's documentation shows for a property. */
export interface KnownValues {
    readonly pattern: Pick<RegExp, "test">;
    /** The values as a message names them. */
    readonly words: string;
    /** The values themselves, if they are few. For a typo, a message suggests the nearest one. */
    readonly values?: readonly string[];
}

export function knownValues(...values: string[]): KnownValues {
    return { pattern: new RegExp(`^(${values.join("|")})$`), words: values.join(", "), values };
}

/**
 * How a changed input reaches the service:
 * - `inPlace`: one PUT changes it.
 * - `subtitles`: the create sends them; later a request of its own adds or changes each; removing one needs a replacement. Their order has no
 * meaning.
 * - `thumbnail`: a request of its own sets it, once the object is ready. Removing it changes nothing.
 * - `createOnly`: fixed when the object is created; another value needs a replacement.
 * - `sentOnly`: as `createOnly`, but no answer of the service has the input, so the recorded value counts.
 * - `local`: never sent; only this package acts on it.
 */
type WayOfChange = "inPlace" | "subtitles" | "thumbnail" | "createOnly" | "sentOnly" | "local";

export interface Facts {
    /** The name of the property in requests. Default: its own name in snake_case, such as `playback_policy`. */
    readonly wire?: string;
    /** Whether messages may quote the value, because nobody keeps it secret. */
    readonly quotable?: boolean;
    /** The documented values. Any other value is sent with a warning: it may be a typo, or newer than the documentation. */
    readonly known?: KnownValues;
    /** Whether the value is a URL. A presigned URL is a secret. */
    readonly isAddress?: boolean;
    /** For an object, the name of the interface in `program/` that describes it. */
    readonly typeName?: string;

    /** How a changed input reaches the service. An output has no `change`. */
    readonly change?: WayOfChange;
    /** The service's value for "not set". When the program removes the input, a PUT sends this value. */
    readonly empty?: unknown;
    /** Set where a create needs the input (an adoption does not): the example that the message about a missing input shows. */
    readonly requiredForCreate?: string;
    /** The value that a create sends if the program leaves the input out. */
    readonly default?: unknown;
    /** The setting that gives a create its default. If the setting changes later, no object changes. */
    readonly setting?: "region";
    /**
     * The input that is compared in place of this one if the program sets it: `sourceVersion` for the sources, whose presigned URLs differ in every
     * run.
     */
    readonly versionedBy?: string;

    /** Whether an output is always a secret. */
    readonly secret?: boolean;
    /** Whether an output changes by itself, such as the status of a livestream. If so, a preview cannot promise its value. */
    readonly moving?: boolean;
    /** The input that gives this output another value when it changes. */
    readonly changedBy?: string;
}

const facts = new WeakMap<Schema, Facts>();
const none: Facts = {};

/** The facts of a property. If it has none, those of its value without `optional` count: an optional URL is a URL too. */
export function factsOf(schema: Schema | undefined): Facts {
    return (schema && (facts.get(schema) ?? facts.get(valueSchema(schema)))) ?? none;
}

export function withFacts<S extends Schema>(schema: S, own: Facts): S {
    facts.set(schema, { ...factsOf(schema), ...own });
    return schema;
}

declare const way: unique symbol;
/** Marks the type of an input's schema with its way of change. Other types, such as `ReturnedInputs`, follow from this mark. */
export interface Changed<Way extends WayOfChange> {
    readonly [way]: Way;
}
export type Input = Schema & Changed<WayOfChange>;

const input =
    <Way extends WayOfChange>(change: Way) =>
    <S extends Schema>(schema: S, own: Omit<Facts, "change"> = {}): S & Changed<Way> =>
        withFacts(schema, { ...own, change }) as S & Changed<Way>;
export const inPlace = input("inPlace");
export const createOnly = input("createOnly");
export const sentOnly = input("sentOnly");
export const local = input("local");
export const subtitles = input("subtitles");
export const thumbnails = input("thumbnail");

export interface Definition {
    name: "Content" | "Clip" | "Livestream";
    idName: string;
    inputs: z.ZodMiniObject<Readonly<Record<string, Input>>>;
    /** The values that the service computes. A finished object may lack the optional ones. */
    outputs: z.ZodMiniObject<Shape>;
}

/** Makes a definition whose schemas are made only when somebody needs them: they take milliseconds, and a program uses few of them. */
export function define<
    Name extends Definition["name"],
    Id extends string,
    S extends Pick<Definition, "inputs" | "outputs">,
>(name: Name, idName: Id, make: () => S) {
    let made: S | undefined;
    return {
        name,
        idName,
        get inputs(): S["inputs"] {
            made ??= make();
            return made.inputs;
        },
        get outputs(): S["outputs"] {
            made ??= make();
            return made.outputs;
        },
    };
}

/** The names of the inputs that answers of the service have. */
export type ReturnedInputs<D extends Definition> = {
    [name in keyof D["inputs"]["shape"]]: D["inputs"]["shape"][name] extends Changed<"inPlace" | "createOnly">
        ? name
        : never;
}[keyof D["inputs"]["shape"]];

/**
 * The type of an input's value in an answer. It allows any text, because the service may return texts that this package does not let programs send.
 */
export type Widened<T> = T extends string ? string : T extends string[] ? string[] : T;

/** An object in an answer. The service may leave out every property but the id. */
export type ObjectOf<D extends Definition> = Record<D["idName"], string> & {
    [name in ReturnedInputs<D>]?: Widened<NonNullable<z.infer<D["inputs"]["shape"][name]>>>;
} & { [name in keyof D["outputs"]["shape"]]?: NonNullable<z.infer<D["outputs"]["shape"][name]>> };

/** Whether answers of the service have the input. */
export function isReturned({ change }: Facts): boolean {
    return change === "inPlace" || change === "createOnly";
}

/** Whether only a create can set the input. Another value then needs a replacement of the object. */
export function isFixed({ change }: Facts): boolean {
    return change === "createOnly" || change === "sentOnly";
}

/** The properties that answers of the service have, inputs first. */
export function returnedFields({ inputs, outputs }: Definition): Shape {
    const returned = Object.entries(inputs.shape).filter(([, schema]) => isReturned(factsOf(schema)));
    return { ...Object.fromEntries(returned), ...outputs.shape };
}

export function secretOutputs({ outputs }: Definition): string[] {
    return Object.entries(outputs.shape).flatMap(([name, schema]) => (factsOf(schema).secret ? [name] : []));
}

export function isOptional(schema: Schema): boolean {
    return schema._zod.def.type === "optional";
}

/** The schema of a property's value, without the `optional` around it. */
export function valueSchema(schema: Schema): Schema {
    const { type, innerType } = schema._zod.def as { type: string; innerType?: Schema };
    return type === "optional" && innerType !== undefined ? valueSchema(innerType) : schema;
}

/** What zod knows of a value's schema: its type, the schema of a list's items, the properties of an object, the texts of an enum. */
export function partsOf(schema: Schema): {
    type: string;
    element?: Schema;
    shape?: Shape;
    entries?: Readonly<Record<string, string>>;
} {
    return valueSchema(schema)._zod.def;
}

/** The schema of a list's items, or of the object's property `key`; `undefined` if the schema has neither. */
export function partOf(schema: Schema | undefined, key: PropertyKey): Schema | undefined {
    const { element, shape } = schema === undefined ? {} : partsOf(schema);
    return element ?? (shape && Object.hasOwn(shape, key) ? shape[String(key)] : undefined);
}

/** Whether a value may contain a URL. A presigned URL makes its whole input a secret. */
export function holdsAddresses(schema: Schema): boolean {
    const { element, shape = {} } = partsOf(schema);
    if (element !== undefined) return holdsAddresses(element);
    return factsOf(schema).isAddress === true || Object.values(shape).some(holdsAddresses);
}

/**
 * A value in the form of a request: properties have the service's names, and a map is a list of `{key, value}`. Properties that the schema does not
 * have are left out.
 */
function toWire(schema: Schema, value: unknown): unknown {
    const { type, element, shape } = partsOf(schema);
    if (element !== undefined && Array.isArray(value)) return value.map((item) => toWire(element, item));
    if (typeof value !== "object" || value === null) return value;
    if (type === "record") return Object.entries(value).map(([key, text]) => ({ key, value: text }));
    return shape === undefined ? value : wireBody(shape, { ...value });
}

/** The body of a request: all properties that have a value, under the service's names. */
export function wireBody(fields: Shape, values: Record<string, unknown>): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const name in fields) {
        const schema = fields[name] as Schema;
        if (values[name] === undefined) continue;
        const { wire = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) } = factsOf(schema);
        body[wire] = toWire(schema, values[name]);
    }
    return body;
}
