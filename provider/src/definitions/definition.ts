/**
 * The description of a resource, once: the type of every property, and the way to change it. The docstrings of `program/` have the meaning of
 * the properties. Plain data, so that programs load nothing else for it.
 */

export type Type =
    /** `form`: the pattern of a setting or an option, and the words for the expected form. */
    | {
          kind: "string";
          rule?: "notBlank" | "id" | "url";
          form?: { readonly pattern: RegExp; readonly expected: string };
          oneOf?: readonly string[];
      }
    | { kind: "boolean" }
    /** `unit`: the plural of the unit. */
    | { kind: "number"; unit?: string; min?: number }
    /** A whole number, 0 or more unless `min` says otherwise. */
    | { kind: "integer"; unit?: string; min?: number }
    | { kind: "numberOrString" }
    /** `nonEmpty`: the expected form of a list that needs an item. */
    | { kind: "list"; of: Type; nonEmpty?: string }
    /** Strings by name. */
    | { kind: "map" }
    /** `name`: the name of the object's interface in `program/`. */
    | { kind: "object"; name: string; fields: Readonly<Record<string, Field>> };

export interface Field {
    type: Type;
    /** The property's name in requests, if it is a different one. */
    wire?: string;
    required?: boolean;
    /** Whether messages may quote the value, because it is never secret. */
    quotable?: boolean;
    /** The values that the service's documentation shows: others may exist, or be typos. */
    known?: Known;
}

/** The known values of a property. `values`: those that a typo may have meant. */
export interface Known {
    readonly pattern: Pick<RegExp, "test">;
    readonly words: string;
    readonly values?: readonly string[];
}

/** Texts that the documentation shows. */
export function knownValues(...values: string[]): Known {
    return { pattern: new RegExp(`^(${values.join("|")})$`), words: values.join(", "), values };
}

/** A value of a type, as a program writes it. */
type ValueOf<T> = T extends { kind: "object"; fields: infer Fields }
    ? ValuesOf<Fields>
    : T extends { kind: "list"; of: infer Item }
      ? ValueOf<Item>[]
      : T extends { oneOf: readonly (infer Text)[] }
        ? Text
        : T extends { kind: infer Kind extends keyof PlainValues }
          ? PlainValues[Kind]
          : never;

interface PlainValues {
    string: string;
    boolean: boolean;
    number: number;
    integer: number;
    numberOrString: number | string;
    map: Record<string, string>;
}

export type ValuesOf<Fields> = {
    -readonly [name in keyof Fields]:
        | ValueOf<Fields[name] extends { type: infer T } ? T : never>
        | (Fields[name] extends { required: true } ? never : undefined);
};

export interface Input extends Field {
    /**
     * - `inPlace`: one PUT changes it.
     * - `subtitles`: the create sends them; later a request of its own adds or changes each; removing one needs a replacement. Their order has no meaning.
     * - `thumbnail`: a request of its own sets it, once the object is ready. Removing it changes nothing.
     * - `createOnly`: fixed when the object is created; another value needs a replacement.
     * - `local`: never sent; only this package acts on it.
     */
    change: "inPlace" | "subtitles" | "thumbnail" | "createOnly" | "local";
    /** The service's value for "not set": a PUT sends it once, when the program removes the input. */
    empty?: unknown;
    /** The service never returns the value, so the recorded one counts. */
    writeOnly?: boolean;
    /** The form in which a program gives an input that a create requires and an adoption does not. */
    requiredForCreate?: string;
    /** The value that is sent with a create where the program leaves the input out. */
    default?: unknown;
    /** The setting that is the default, as it was when the object was created. A later change of the configuration changes nothing. */
    setting?: "region";
    /** The input that decides about a replacement in its place, once the program sets it. */
    versionedBy?: string;
}

export interface Output extends Field {
    secret?: boolean;
    /** Whether a complete object may lack it. */
    optional?: boolean;
    /** Whether it changes by itself, such as the status of a livestream. */
    moving?: boolean;
    /** The input whose change changes this output. */
    changedBy?: string;
}

export interface Definition {
    name: "Content" | "Clip" | "Livestream";
    idName: string;
    inputs: Readonly<Record<string, Input>>;
    /** The values that the service computes. */
    outputs: Readonly<Record<string, Output>>;
}

/** The names of the inputs that the service returns. */
export type ReturnedInputs<D extends Definition> = {
    [name in keyof D["inputs"]]: D["inputs"][name] extends { change: "local" } | { writeOnly: true } ? never : name;
}[keyof D["inputs"]];

/** A value as the service returns it: also a text that inputs do not allow. */
export type Widened<T> = T extends string ? string : T extends string[] ? string[] : T;

type ReturnedValues<D extends Definition> = ValuesOf<Pick<D["inputs"], ReturnedInputs<D>> & D["outputs"]>;

/** An object as the service returns it. It may leave out all but the id. */
export type ObjectOf<D extends Definition> = Record<D["idName"], string> & {
    [name in keyof ReturnedValues<D>]?: Widened<NonNullable<ReturnedValues<D>[name]>>;
};

export function inputsOf(inputs: Definition["inputs"], ...ways: Input["change"][]): Definition["inputs"] {
    return Object.fromEntries(Object.entries(inputs).filter(([, { change }]) => ways.includes(change)));
}

/** The properties that the service returns, inputs first. */
export function returnedFields({ inputs, outputs }: Definition): Record<string, Input | Output> {
    const returned = Object.entries(inputs).filter(([, { change, writeOnly }]) => change !== "local" && !writeOnly);
    return { ...Object.fromEntries(returned), ...outputs };
}

export function secretOutputs({ outputs }: Definition): string[] {
    return Object.keys(outputs).filter((name) => outputs[name]?.secret);
}

/** Whether a value may hold an address, which may be presigned. */
export function holdsAddresses(type: Type): boolean {
    if (type.kind === "list") return holdsAddresses(type.of);
    if (type.kind === "object") return Object.values(type.fields).some((field) => holdsAddresses(field.type));
    return type.kind === "string" && type.rule === "url";
}

/** A value with the service's names. Properties of an object that are no fields are left out. */
function toWire(type: Type, value: unknown): unknown {
    if (type.kind === "list" && Array.isArray(value)) return value.map((item) => toWire(type.of, item));
    if (typeof value !== "object" || value === null) return value;
    if (type.kind === "map") return Object.entries(value).map(([key, text]) => ({ key, value: text }));
    return type.kind === "object" ? wireBody(type.fields, { ...value }) : value;
}

/** The body of a request: all fields that have a value, by the service's names. */
export function wireBody(fields: Readonly<Record<string, Field>>, values: Record<string, unknown>) {
    return Object.fromEntries(
        Object.entries(fields)
            .filter(([name]) => values[name] !== undefined)
            .map(([name, { wire = name, type }]) => [wire, toWire(type, values[name])]),
    );
}

export const text = { kind: "string" } as const satisfies Type;
export const nonBlank = { kind: "string", rule: "notBlank" } as const satisfies Type;
export const id = { kind: "string", rule: "id" } as const satisfies Type;
export const url = { kind: "string", rule: "url" } as const satisfies Type;
export const flag = { kind: "boolean" } as const satisfies Type;
export const number = { kind: "number" } as const satisfies Type;
export const policies = {
    kind: "list",
    of: { kind: "string", oneOf: ["public", "signed"] },
    nonEmpty: 'a list of "public", "signed" or both, such as ["signed"]',
} as const satisfies Type;
