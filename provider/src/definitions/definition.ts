/**
 * What a definition is made of: a zod schema for each property, and facts that zod cannot say, such as how an input is changed. The docstrings in
 * `program/` explain the properties to users.
 */
import type * as z from "zod/mini";

export type Schema = z.core.$ZodType;
/** The schemas of properties by name. */
export type Shape = Readonly<Record<string, Schema>>;

/** The values of a property that the service's documentation shows. `values` are listed where they are few: a typo may mean one of them. */
export interface Known {
    readonly pattern: Pick<RegExp, "test">;
    readonly words: string;
    readonly values?: readonly string[];
}

export function knownValues(...values: string[]): Known {
    return { pattern: new RegExp(`^(${values.join("|")})$`), words: values.join(", "), values };
}

/**
 * - `inPlace`: one PUT changes it.
 * - `subtitles`: the create sends them; later a request of its own adds or changes each; removing one needs a replacement. Their order has no meaning.
 * - `thumbnail`: a request of its own sets it, once the object is ready. Removing it changes nothing.
 * - `createOnly`: fixed when the object is created; another value needs a replacement.
 * - `sentOnly`: as `createOnly`, but no answer of the service has the input, so the recorded value counts.
 * - `local`: never sent; only this package acts on it.
 */
export type WayOfChange = "inPlace" | "subtitles" | "thumbnail" | "createOnly" | "sentOnly" | "local";

export interface Facts {
    /** The property's name in requests, if it is a different one. */
    readonly wire?: string;
    /** Whether messages may quote the value, because it is never secret. */
    readonly quotable?: boolean;
    /** The values that the service's documentation shows: others may exist, or be typos. */
    readonly known?: Known;
    /** Whether the value is an address, which may be presigned. */
    readonly isAddress?: boolean;
    /** Of an object: the name of its interface in `program/`. */
    readonly typeName?: string;

    /** Of an input. */
    readonly change?: WayOfChange;
    /** The service's value for "not set": a PUT sends it once, when the program removes the input. */
    readonly empty?: unknown;
    /** The form in which a program gives an input that a create requires and an adoption does not. */
    readonly requiredForCreate?: string;
    /** The value that is sent with a create where the program leaves the input out. */
    readonly default?: unknown;
    /** The setting that is the default, as it was when the object was created. A later change of the configuration changes nothing. */
    readonly setting?: "region";
    /** The input that decides about a replacement in its place, once the program sets it. */
    readonly versionedBy?: string;

    /** Of an output. */
    readonly secret?: boolean;
    /** Whether it changes by itself, such as the status of a livestream. */
    readonly moving?: boolean;
    /** The input whose change changes this output. */
    readonly changedBy?: string;
}

const facts = new WeakMap<Schema, Facts>();
const none: Facts = {};

/** The facts of a property. One that has none of its own has those of its value: an optional URL is an address. */
export function factsOf(schema: Schema | undefined): Facts {
    return (schema && (facts.get(schema) ?? facts.get(valueSchema(schema)))) ?? none;
}

export function withFacts<S extends Schema>(schema: S, own: Facts): S {
    facts.set(schema, { ...factsOf(schema), ...own });
    return schema;
}

declare const way: unique symbol;
/** A schema of an input that is changed in that way: the types of answers follow from it. */
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
    /** The values that the service computes. An optional one may be missing in a complete object. */
    outputs: z.ZodMiniObject<Shape>;
}

/** A definition whose schemas are made when they are first asked for: that takes milliseconds, and a program uses few of them. */
export function define<
    Name extends Definition["name"],
    Id extends string,
    S extends Pick<Definition, "inputs" | "outputs">,
>(name: Name, idName: Id, make: () => S) {
    let made: S | undefined;
    const schemas = () => {
        made ??= make();
        return made;
    };
    return {
        ...{ name, idName },
        get inputs(): S["inputs"] {
            return schemas().inputs;
        },
        get outputs(): S["outputs"] {
            return schemas().outputs;
        },
    };
}

/** The names of the inputs that the service returns. */
export type ReturnedInputs<D extends Definition> = {
    [name in keyof D["inputs"]["shape"]]: D["inputs"]["shape"][name] extends Changed<"inPlace" | "createOnly">
        ? name
        : never;
}[keyof D["inputs"]["shape"]];

/** A value as the service returns it: also a text that inputs do not allow. */
export type Widened<T> = T extends string ? string : T extends string[] ? string[] : T;

/** An object as the service returns it. It may leave out all but the id. */
export type ObjectOf<D extends Definition> = Record<D["idName"], string> & {
    [name in ReturnedInputs<D>]?: Widened<NonNullable<z.infer<D["inputs"]["shape"][name]>>>;
} & { [name in keyof D["outputs"]["shape"]]?: NonNullable<z.infer<D["outputs"]["shape"][name]>> };

/** Whether answers of the service have the input. */
export function isReturned(schema: Schema | undefined): boolean {
    const { change } = factsOf(schema);
    return change === "inPlace" || change === "createOnly";
}

/** Whether only a create sets the input. */
export function isFixed(schema: Schema | undefined): boolean {
    const { change } = factsOf(schema);
    return change === "createOnly" || change === "sentOnly";
}

/** The properties that the service returns, inputs first. */
export function returnedFields({ inputs, outputs }: Definition): Shape {
    const returned = Object.entries(inputs.shape).filter(([, schema]) => isReturned(schema));
    return { ...Object.fromEntries(returned), ...outputs.shape };
}

export function secretOutputs({ outputs }: Definition): string[] {
    return Object.entries(outputs.shape).flatMap(([name, schema]) => (factsOf(schema).secret ? [name] : []));
}

export function isOptional(schema: Schema): boolean {
    return schema._zod.def.type === "optional";
}

/** The schema of a property's value. */
export function valueSchema(schema: Schema): Schema {
    const { type, innerType } = schema._zod.def as { type: string; innerType?: Schema };
    return type === "optional" && innerType !== undefined ? valueSchema(innerType) : schema;
}

/** What zod says of a value: its type, its items, its properties, the texts that exclude all others. */
export function partsOf(schema: Schema): {
    type: string;
    element?: Schema;
    shape?: Shape;
    entries?: Readonly<Record<string, string>>;
} {
    return valueSchema(schema)._zod.def;
}

/** The schema of an item or a property. */
export function partOf(schema: Schema | undefined, key: PropertyKey): Schema | undefined {
    const { element, shape } = schema === undefined ? {} : partsOf(schema);
    return element ?? (shape && Object.hasOwn(shape, key) ? shape[String(key)] : undefined);
}

/** Whether a value may hold an address, which may be presigned. */
export function holdsAddresses(schema: Schema): boolean {
    const { element, shape = {} } = partsOf(schema);
    if (element !== undefined) return holdsAddresses(element);
    return factsOf(schema).isAddress === true || Object.values(shape).some(holdsAddresses);
}

/** A value with the service's names. Properties of an object that are no fields are left out. */
function toWire(schema: Schema, value: unknown): unknown {
    const { type, element, shape } = partsOf(schema);
    if (element !== undefined && Array.isArray(value)) return value.map((item) => toWire(element, item));
    if (typeof value !== "object" || value === null) return value;
    if (type === "record") return Object.entries(value).map(([key, text]) => ({ key, value: text }));
    return shape === undefined ? value : wireBody(shape, { ...value });
}

/** The body of a request: all fields that have a value, by the service's names. */
export function wireBody(fields: Shape, values: Record<string, unknown>): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const name in fields) {
        const schema = fields[name] as Schema;
        if (values[name] !== undefined) body[factsOf(schema).wire ?? name] = toWire(schema, values[name]);
    }
    return body;
}
