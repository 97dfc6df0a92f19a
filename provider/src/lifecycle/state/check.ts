/** The inputs of a program with their defaults, and everything that is wrong with them (S5). */
import { markKey } from "../create/marker";
import type { Definition, Input } from "../definition";
import type { Checked, Defaults, Properties } from "../resource";
import { refusedReplacement } from "./difference";
import { changedInputs } from "./properties";
import { hasUnknown } from "./unknown";
import { pathText, problemsOf, schemaOf } from "./validate";

/** `olds` are the recorded inputs. */
export function checkInputs(
    { name, inputs: table }: Definition,
    news: Properties,
    olds: Properties | undefined,
    defaults: Defaults,
): Checked {
    const inputs = { ...news };
    // A default acts when an object is created. One that was adopted keeps its own values.
    const acts = (input: string) => inputs.importId === undefined && (olds === undefined || olds[input] !== undefined);
    const problems: string[] = [];
    for (const [input, property] of Object.entries(table)) {
        if (inputs[input] === undefined && acts(input)) {
            const value = defaultOf(property, olds?.[input], defaults);
            if (value !== undefined) inputs[input] = value;
            else if (property.requiredForCreate) problems.push(`${input} is required: ${property.requiredForCreate}`);
        }
    }
    return {
        inputs,
        problems: [
            ...problemsOf(schemaOf(table), inputs),
            ...problems,
            ...markerProblems(inputs),
            ...importProblems(table, inputs, olds),
        ],
        notes:
            inputs.importId !== undefined && olds === undefined
                ? [`The existing ${name} that importId names is adopted: nothing is created.`]
                : [],
        warnings: Object.entries(table).flatMap(([input, { known }]) =>
            oddValue(input, known, inputs[input], olds?.[input]),
        ),
    };
}

function defaultOf({ default: constant, setting }: Input, before: unknown, defaults: Defaults): unknown {
    return setting === undefined ? constant : (before ?? defaults[setting]);
}

function markerProblems({ metadata }: Properties): string[] {
    if (typeof metadata !== "object" || metadata === null || !(markKey in metadata)) return [];
    return [
        `${pathText(["metadata", markKey])} is reserved: it names the stack that manages the object. Use another key`,
    ];
}

function importProblems(table: Definition["inputs"], inputs: Properties, olds: Properties | undefined): string[] {
    if (inputs.importId === undefined || olds === undefined) return [];
    if (olds.importId !== undefined && inputs.importId !== olds.importId && !hasUnknown(inputs.importId)) {
        return ["importId cannot be changed to another id: restore it, or remove it and declare a second resource"];
    }
    const fixed = changedInputs(table, olds, inputs).createOnly.filter(
        (name) => olds[name] !== undefined && inputs[name] !== undefined && !hasUnknown(inputs[name]),
    );
    return fixed.length > 0 ? [refusedReplacement(fixed)] : [];
}

/** A value that is not among the known ones may be a typo. */
function oddValue(name: string, known: readonly string[] | undefined, value: unknown, before: unknown): string[] {
    if (
        known === undefined ||
        typeof value !== "string" ||
        hasUnknown(value) ||
        value === before ||
        known.includes(value)
    )
        return [];
    return [
        `${name} is none of the values that are known of the service (${known.join(", ")}). If it is a typo, correct it now: a later change replaces the resource.`,
    ];
}
