/** Arbitrary valid inputs of every kind of resource, from its definition, and the places in them. */
import fc from "fast-check";
import * as z from "zod/mini";
import { factsOf, isOptional, partsOf, type Schema, type Shape } from "../../provider/dist/definitions/definition.js";
import { lifecycles } from "../../provider/dist/resources/index.js";
import type { Properties } from "./machine.ts";

export type Kind = keyof typeof lifecycles;
export const kinds = Object.keys(lifecycles) as Kind[];

/** What languages make of an Output in a string, and the word of the fix. */
export const outputTexts: readonly [text: string, fix: string][] = [
    [
        "Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value of an Output<T> as an Output<string> consider either:",
        "pulumi.interpolate",
    ],
    ["Calling [toJSON] on an [Output<T>] is not supported.\n\nTo get the value", "pulumi.jsonStringify"],
    ["[object Object]", "pulumi.interpolate"],
    ["[object Promise]", "pulumi.interpolate"],
    ["Calling __str__ on an Output[T] is not supported.\n\nTo get the value", "pulumi.Output.format"],
    ["<pulumi.output.Output object at 0x7f3a5c0b2d90>", "pulumi.Output.format"],
    ["{0xc0004a2180}", "pulumi.Sprintf"],
    ["{%!s(*internal.OutputState=&{{{{} 0 0}}})}", "pulumi.Sprintf"],
    ["Calling [ToString] on an [Output<T>] is not supported.\n\nTo get the value", "Output.Format"],
    ["Pulumi.Output`1[System.String]", "Output.Format"],
    ["com.pulumi.core.internal.OutputInternal@3b6eb2ec", "Output.format"],
];

const urls = ["https://media.example.com/a.mp4", "http://a.example/b c.mp4?sig=%5B1%5D#t", "HTTPS://A.example/é.vtt"];
const words = fc.oneof(
    fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => /\S/.test(text)),
    fc.constantFrom("default", "pulumi", "null", "undefined", "{0x1f}", "object Object", "__proto__"),
);
const keys = words.filter((key) => !["managed_by", "__proto__"].includes(key));

function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
    const { type, element, shape, entries } = partsOf(schema);
    // Of an id, the forms that it may have; of a list, how many items it needs.
    return rawOf().filter((value) => z.safeParse(schema, value).success);

    function rawOf(): fc.Arbitrary<unknown> {
        if (shape !== undefined) return fieldsOf(shape);
        if (entries !== undefined) return fc.constantFrom(...Object.values(entries));
        if (element !== undefined)
            return (partsOf(element).entries ? fc.uniqueArray : fc.array)(arbitraryOf(element), { maxLength: 3 });
        if (type === "boolean") return fc.boolean();
        if (type === "number") return fc.integer({ min: 0, max: 1_000 });
        if (type === "union") return fc.oneof(fc.nat(100), words);
        if (type === "record") return fc.dictionary(keys, words, { maxKeys: 3, noNullPrototype: true });
        return factsOf(schema).isAddress ? fc.constantFrom(...urls) : words;
    }
}

function fieldsOf(fields: Shape, needed: readonly string[] = []): fc.Arbitrary<Properties> {
    const all = Object.entries(fields).map(([name, schema]) => [name, arbitraryOf(schema)] as const);
    const required = Object.entries(fields).filter(([name, schema]) => !isOptional(schema) || needed.includes(name));
    const requiredKeys = required.map(([name]) => name);
    return fc.record(Object.fromEntries(all), { requiredKeys, noNullPrototype: true });
}

/** The inputs of an object that is created. */
function objectOf(kind: "Content" | "Clip" | "Livestream"): fc.Arbitrary<Properties> {
    const { importId: _, ...inputs } = lifecycles[kind].definition.inputs.shape;
    const needed = { Content: ["content"], Clip: ["contentId", "startTime", "endTime"], Livestream: ["region"] };
    return fieldsOf(inputs, needed[kind]).map((found) => {
        const { thumbnail, waitForReady, subtitle, ...rest } = found;
        const languages = ((subtitle ?? []) as Properties[]).map((one, index) => ({
            ...one,
            languageCode: `l${index}`,
        }));
        return {
            ...rest,
            ...(waitForReady === undefined ? thumbnail !== undefined && { thumbnail } : { waitForReady }),
            ...(subtitle !== undefined && { subtitle: languages }),
            ...(kind === "Clip" && { endTime: Number(found.startTime) + 1 }),
        };
    });
}

export function validInputs(kind: Kind): fc.Arbitrary<Properties> {
    if (kind === "ContentReadiness") return fc.record({ contentIds: fc.array(words, { minLength: 1, maxLength: 3 }) });
    if (kind !== "ContentLibrary") return objectOf(kind);
    const entry = objectOf("Content").map(({ waitForReady: _, ...rest }) => rest);
    const contents = fc.dictionary(
        keys.filter((key) => key.trim() !== "" && !/\/|::/.test(key)),
        entry,
        { minKeys: 1, maxKeys: 2, noNullPrototype: true },
    );
    return fc.record({ contents });
}

/** A value in the inputs. */
export interface Place {
    path: (string | number)[];
    value: unknown;
    isText: boolean;
    /** Whether programs choose its keys. */
    isMap: boolean;
}

/** All places but those of which nothing can be said: texts that only have certain values. */
export function placesIn(value: unknown, path: (string | number)[] = []): Place[] {
    const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
    const inner = entries.flatMap(([key, item]) => placesIn(item, [...path, Array.isArray(value) ? Number(key) : key]));
    if (path.length === 0) return inner;
    const isMap = entries.length > 0 && (path.at(-1) === "metadata" || (path.length === 1 && path[0] === "contents"));
    return [{ path, value, isText: typeof value === "string", isMap }, ...inner];
}

/** A copy with another value at that place; without it where that is `undefined`. */
export function replaced<T>(inputs: T, { path }: Pick<Place, "path">, value: unknown): T {
    const copy = structuredClone(inputs);
    const last = path.at(-1) ?? "";
    const parent = path.slice(0, -1).reduce<unknown>((bag, key) => (bag as Properties)[key], copy) as Properties;
    if (value === undefined) delete parent[last];
    else parent[last] = value;
    return copy;
}

/** As a message writes it. */
export function at(path: readonly (string | number)[], kind: Kind): string {
    const isEntry = kind === "ContentLibrary" && path[0] === "contents";
    const rest = isEntry ? path.slice(2) : path;
    const text = rest
        .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`))
        .join("");
    return `${isEntry ? `contents[${JSON.stringify(path[1])}].` : ""}${text} `;
}
