/**
 * A resource's inputs as a table: which the service can change in place, which only at creation, which are ours alone, and
 * how two values of each are compared. Drift, updates and replacements are all read off this table.
 */
import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../resource";
import { hasUnknown } from "./unknown";

export interface Property {
    /**
     * - `inPlace`: one PUT changes it.
     * - `createOnly`: fixed when the object is created; another value needs a replacement.
     * - `local`: never sent; only this package acts on it.
     */
    changes: "inPlace" | "createOnly" | "local";
    /** What "not set" is on the service: sent once when the input is taken out of the program. */
    empty?: unknown;
    /** Whether the order of a list is without meaning. */
    unordered?: boolean;
    /** False where the service never gives the value back: it is then taken as last sent. */
    readable?: boolean;
}

/** The inputs of a resource by name. */
export type PropertyTable = Readonly<Record<string, Property>>;

/** The inputs whose values differ, by how they can be changed. Unknown values may differ, so they do. */
export function changedInputs(
    table: PropertyTable,
    olds: Properties,
    news: Properties,
): Record<Property["changes"], string[]> {
    const changed: Record<Property["changes"], string[]> = { inPlace: [], createOnly: [], local: [] };
    for (const [name, property] of Object.entries(table)) {
        if (!same(property, olds[name], news[name])) changed[property.changes].push(name);
    }
    return changed;
}

/**
 * The managed inputs with the values that the service has now. What it does not tell is as last sent. An object that is not
 * `complete` yet may lack what was asked for at its creation; that is no drift, for it would replace the object.
 */
export function observedInputs(
    table: PropertyTable,
    olds: Properties,
    object: object,
    { complete }: { complete: boolean },
): Properties {
    const actual = object as Properties;
    const inputs: Properties = {};
    for (const [name, property] of Object.entries(table)) {
        const managed = olds[name];
        if (managed === undefined) continue;
        const { changes, readable } = property;
        const told = changes === "inPlace" || (changes === "createOnly" && readable !== false && complete);
        const seen = told ? actual[name] : undefined;
        // An object without a policy is nothing that can be created: the service does not tell it.
        const nothing = changes === "createOnly" && Array.isArray(seen) && seen.length === 0;
        // An equal value keeps its recorded form, so that a reordered list is no drift.
        inputs[name] = seen === undefined || nothing || same(property, managed, seen) ? managed : seen;
    }
    return inputs;
}

/** The declared create-only inputs that the existing object contradicts. */
export function contradictions(table: PropertyTable, declared: Properties, object: object): string[] {
    const actual = object as Properties;
    return Object.entries(table)
        .filter(([name, { changes }]) => changes === "createOnly" && declared[name] !== undefined)
        .filter(([name, property]) => actual[name] !== undefined && !same(property, declared[name], actual[name]))
        .map(([name]) => name);
}

/** Whether the existing object has every declared in-place input as declared. What the service does not tell is empty. */
export function undeclaredOrEqual(table: PropertyTable, declared: Properties, object: object): boolean {
    const actual = object as Properties;
    return Object.entries(table)
        .filter(([name, { changes }]) => changes === "inPlace" && declared[name] !== undefined)
        .every(([name, property]) => same(property, declared[name], actual[name] ?? property.empty));
}

/** The inputs of the table alone, out of a larger bag. */
export function inputsIn(table: PropertyTable, bag: Properties): Properties {
    return Object.fromEntries(
        Object.keys(table)
            .filter((name) => bag[name] !== undefined)
            .map((name) => [name, bag[name]]),
    );
}

/**
 * The inputs that a program would declare for an existing object: what the service has for those of which nothing was set
 * is left out.
 */
export function importable(table: PropertyTable, object: object): Properties {
    const inputs = Object.entries(inputsIn(table, { ...object }));
    return Object.fromEntries(inputs.filter(([, value]) => !isEmpty(value)));
}

/** No text, no tags, no pairs, false, 0. */
export function isEmpty(value: unknown): boolean {
    if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
    return value === "" || value === 0 || value === false;
}

/**
 * The body of a PUT: declared values as declared, values just taken out reset to empty, and everything that is not managed
 * as it is on the service, for nobody says whether a PUT keeps what it leaves out.
 */
export function putBody(table: PropertyTable, olds: Properties, news: Properties, object: object): Properties {
    const actual = object as Properties;
    const body: Properties = {};
    for (const [name, property] of Object.entries(table)) {
        if (property.changes !== "inPlace") continue;
        const value = news[name] ?? (olds[name] === undefined ? actual[name] : property.empty);
        if (value !== undefined) body[name] = value;
    }
    return body;
}

function same(property: Property, a: unknown, b: unknown): boolean {
    if (hasUnknown(a) || hasUnknown(b)) return false;
    if (property.unordered && Array.isArray(a) && Array.isArray(b))
        return isDeepStrictEqual(a.toSorted(), b.toSorted());
    return isDeepStrictEqual(a, b);
}
