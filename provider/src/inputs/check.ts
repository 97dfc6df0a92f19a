/** The inputs of a program with their defaults, and all their problems (promise S5, docs/internals/promises.md). */

import { isDeepStrictEqual } from "node:util";
import { isSameId } from "../api";
import { type Definition, factsOf, type Shape } from "../definitions/definition";
import { markerKey } from "../evidence/marker";
import { type Message, messages } from "../messages";
import { holdsSecretUrl, queryIn } from "../secrets/urls";
import { repeatedLanguages } from "./ownRequests";
import { changedInputs } from "./properties";
import { problemsOf, unusualValues } from "./validate";
import {
    type CheckContext,
    type Checked,
    hasUnknown,
    type Properties,
    pathText,
    visitTexts,
    withoutNulls,
} from "./values";

/**
 * Adds the defaults to the inputs. `missing`: a problem for each input that a create requires and that neither the program nor a default sets.
 * `olds`: the recorded inputs.
 */
export function inputsWithDefaults(
    { inputs: { shape: fields } }: Definition,
    news: Properties,
    olds: Properties | undefined,
    context: CheckContext,
): { inputs: Properties; missing: Message[] } {
    const inputs = { ...news };
    // A default is for a create. An adopted object keeps its own values, and an update uses a default only for an input that is recorded.
    const acts = (input: string) => inputs.importId === undefined && (olds === undefined || olds[input] !== undefined);
    const missing: Message[] = [];
    for (const input in fields) {
        if (inputs[input] !== undefined || !acts(input)) continue;
        const { default: constant, setting, requiredForCreate } = factsOf(fields[input]);
        const value = setting === undefined ? constant : (olds?.[input] ?? context[setting]);
        if (value !== undefined) inputs[input] = value;
        else if (requiredForCreate) missing.push(messages.requiredInput({ input, form: requiredForCreate }));
    }
    return { inputs, missing };
}

/** The inputs with their defaults, and all their problems. Any problem fails the preview. */
export function problemsOfInputs(
    definition: Definition,
    news: Properties,
    olds: Properties | undefined,
    context: CheckContext,
): Pick<Checked, "inputs" | "problems"> {
    const { inputs, missing } = inputsWithDefaults(definition, withoutNulls(news) as Properties, olds, context);
    const problems = [
        ...problemsOf(definition.inputs, inputs, definition.outputs.shape),
        ...missing,
        ...markerProblems(inputs),
        ...repeatedLanguages(inputs),
        ...importProblems(definition, inputs, olds),
    ];
    return { inputs, problems };
}

/** The notes and warnings about the inputs. They stop nothing. */
export function notesOnInputs(
    { name, inputs: schema }: Definition,
    { inputs, problems }: Pick<Checked, "inputs" | "problems">,
    olds: Properties | undefined,
): Pick<Checked, "notes" | "warnings"> {
    const isAdopted = inputs.importId !== undefined && olds === undefined && problems.length === 0;
    // An unusual value gets its warning when it is first set. Otherwise every run would warn again.
    const first = Object.entries(inputs).filter(([input, value]) => !isDeepStrictEqual(value, olds?.[input]));
    return {
        notes: [
            ...(isAdopted ? [messages.adopted({ kind: name })] : []),
            ...hiddenNotes(inputs, olds),
            ...signatureNotes(schema.shape, inputs, olds),
        ],
        warnings: unusualValues(schema, Object.fromEntries(first)).map(messages.unknownValue),
    };
}

function markerProblems({ metadata }: Properties): Message[] {
    if (typeof metadata !== "object" || metadata === null) return [];
    // A service that ignores the case of keys would write `Managed_By` over the marker.
    const keys = Object.keys(metadata).filter((key) => key.toLowerCase() === markerKey);
    return keys.map((key) => messages.reservedKey({ key: pathText(["metadata", key]) }));
}

/**
 * Notes on URLs with an ordinary query, such as `?v=2`: each makes its whole input a secret, which users do not expect. No note is given where a
 * recorded input already has such a URL.
 */
function hiddenNotes(inputs: Properties, olds: Properties | undefined): Message[] {
    if (pathsOf("plain", olds).length > 0) return [];
    return pathsOf("plain", inputs).map((path) =>
        messages.hiddenQuery({ input: String(path[0]), property: pathText(path) }),
    );
}

/** The paths of all URLs in the value whose query is of this kind. */
function pathsOf(query: "plain" | "signature", value: unknown): PropertyKey[][] {
    const found: PropertyKey[][] = [];
    // Nearly no value has a URL with a query, and this test is much faster than the walk below.
    if (!holdsSecretUrl(value)) return found;
    visitTexts(value, (text, path, isKey) => {
        if (!isKey && path.at(-1) === "url" && queryIn(text) === query) found.push([...path]);
    });
    return found;
}

/** Notes on signed URLs without a version: each new signature replaces the object, although the file is the same. */
export function signatureNotes(fields: Shape, inputs: Properties, olds: Properties | undefined): Message[] {
    const notes: Message[] = [];
    for (const input in fields) {
        const { versionedBy } = factsOf(fields[input]);
        if (versionedBy === undefined || inputs[versionedBy] !== undefined) continue;
        for (const path of pathsOf("signature", { [input]: inputs[input] }))
            if (!isDeepStrictEqual(inputs[input], olds?.[input]))
                notes.push(messages.signedSource({ property: pathText(path), version: versionedBy }));
    }
    return notes;
}

function importProblems(
    { name, inputs: { shape: fields } }: Definition,
    inputs: Properties,
    olds: Properties | undefined,
): Message[] {
    if (inputs.importId === undefined || olds === undefined) return [];
    // `up --replace` never calls `diff`, which refuses a changed `importId`. Without this check the engine would adopt the new object, and delete the
    // object that was adopted before.
    const { importId } = olds;
    if (importId !== undefined && !isSameId(String(inputs.importId), String(importId)) && !hasUnknown(inputs.importId))
        return [messages.importIdChanged({ object: `${name} ${importId}` })];
    const fixed = changedInputs(fields, olds, inputs).createOnly.filter(
        (name) => olds[name] !== undefined && inputs[name] !== undefined && !hasUnknown(inputs[name]),
    );
    return fixed.length > 0 ? [messages.importIdReplaced({ properties: fixed.join(", ") })] : [];
}
