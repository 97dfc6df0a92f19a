/** Inputs and an object: the body of its create, the changes, the drift, and the body of a PUT. All of it follows from the definition. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../api/json";
import {
    type Definition,
    factsOf,
    partsOf,
    type Schema,
    type Shape,
    type WayOfChange,
    wireBody,
} from "../definitions/definition";
import { markerKey, withoutMarker } from "../evidence/marker";
import { identityOfSubtitles, wayOfChange } from "./ownRequests";
import { hasUnknown, mapParts, type Properties, textForm } from "./values";

/** The names of changed inputs, by the way to change them. */
type Changed = Record<"inPlace" | "ownRequest" | "createOnly" | "local", string[]>;

export function createBody({ inputs: { shape: fields } }: Definition, inputs: Properties, markerText: string): object {
    const sent: Properties = {};
    for (const name in fields) {
        const { change, default: constant } = factsOf(fields[name]);
        // The replacement of an imported object may lack inputs that the check adds for a new one.
        if (change === "inPlace" || isCreateOnly(change)) sent[name] = inputs[name] ?? constant;
    }
    sent.metadata = { ...(inputs.metadata as Properties | undefined), [markerKey]: markerText };
    return wireBody(fields, sent);
}

/** Whether no PUT can change an input. Subtitles belong to them: no answer shows which ones an object has. */
function isCreateOnly(change: WayOfChange | undefined): boolean {
    return change === "createOnly" || change === "subtitles";
}

/**
 * The inputs that no PUT can change, as [name, value]. Inputs that are not set are left out, so that a new input of a later version leaves the digest
 * of an unfinished create as it is.
 */
export function createOnlyInputs(fields: Shape, inputs: Properties): [string, unknown][] {
    const all: [string, unknown][] = [];
    for (const name in fields) {
        const { change, versionedBy = name } = factsOf(fields[name]);
        if (!isCreateOnly(change)) continue;
        const deciding = inputs[versionedBy] === undefined ? name : versionedBy;
        const input = fields[deciding];
        const value =
            change === "subtitles" ? identityOfSubtitles(inputs) : input && canonical(input, inputs[deciding]);
        if (value !== undefined && value !== null) all.push([deciding, value]);
    }
    return all;
}

/** The inputs that differ, by the way to change them. Unknown values count as different. `oldInputs`: those of the last run, sent or not. */
export function changedInputs(
    fields: Shape,
    olds: Properties,
    news: Properties,
    oldInputs: Properties = olds,
): Changed {
    const changed: Changed = { inPlace: [], ownRequest: [], createOnly: [], local: [] };
    // `Object.entries` would make a list for each of the thousands of objects of a library.
    for (const name in fields) {
        const property = fields[name] as Schema;
        const { change = "local", versionedBy } = factsOf(property);
        if (change === "subtitles" || change === "thumbnail") {
            const way = wayOfChange(name, { olds, news });
            if (way !== undefined) changed[way].push(name);
            continue;
        }
        const isVersioned = versionedBy !== undefined && olds[name] !== undefined && news[name] !== undefined;
        if (isVersioned && news[versionedBy] !== undefined) {
            // A presigned URL changes at every run, so the version decides alone.
            const isOther = olds[versionedBy] !== undefined && !isDeepStrictEqual(news[versionedBy], olds[versionedBy]);
            if (isOther) changed.createOnly.push(versionedBy);
            continue;
        }
        // The program has removed the version: compare with the value of the last run.
        const old = isVersioned && olds[versionedBy] !== undefined ? oldInputs[name] : olds[name];
        if (!isSameValue(property, old, news[name])) changed[change].push(name);
    }
    // A version is `local` too; one that replaces the object counts once.
    return { ...changed, local: changed.local.filter((name) => !changed.createOnly.includes(name)) };
}

/** The managed inputs as the service has them now. An object that is not `complete` yet may lack some inputs, which is not drift. */
export function observedInputs(
    fields: Shape,
    olds: Properties,
    object: object,
    { complete }: { complete: boolean },
): Properties {
    const actual = shownProperties(object);
    const inputs: Properties = {};
    for (const name in fields) {
        const property = fields[name] as Schema;
        const managed = olds[name];
        if (managed === undefined) continue;
        const { change, writeOnly } = factsOf(property);
        const isReturned = change === "inPlace" || (change === "createOnly" && !writeOnly && complete);
        const shown = isReturned ? observedValue(property, actual[name]) : undefined;
        const observed = spelledAs(property, shown, managed);
        // An equal value keeps its recorded form, so that a reordered list is not drift.
        inputs[name] = observed === undefined || isSameValue(property, managed, observed) ? managed : observed;
    }
    return inputs;
}

function shownProperties(object: object): Properties {
    return withoutMarker(object as Parameters<typeof withoutMarker>[0]);
}

/** A create-only value that is shown empty counts as not returned: nobody can have emptied it. */
function observedValue(property: Schema, value: unknown): unknown {
    const isNothing = value === "" || (Array.isArray(value) && value.length === 0);
    return factsOf(property).change === "createOnly" && isNothing ? undefined : value;
}

/** The inputs before a PUT is accepted: in-place inputs as the object shows them, all others as declared. */
export function appliedInputs(fields: Shape, inputs: Properties, object: object): Properties {
    const actual = shownProperties(object);
    return mapParts(inputs, (value, name) => {
        const property = fields[name];
        return property && factsOf(property).change === "inPlace" ? spelledAs(property, actual[name], value) : value;
    });
}

export function inputsIn(fields: Shape, object: object): Properties {
    const bag = object as Properties;
    const inputs: Properties = {};
    for (const name in fields) if (bag[name] !== undefined) inputs[name] = bag[name];
    return inputs;
}

/** The inputs as an existing object shows them. An input that the service never returns may share its name with a returned value. */
export function returnedInputs(fields: Shape, object: object): Properties {
    const returned = Object.entries(fields).filter(([, schema]) => !factsOf(schema).writeOnly);
    return inputsIn(Object.fromEntries(returned), shownProperties(object));
}

/** The inputs that a program would declare for an existing object: those for which the service shows a value that was set. */
export function importableInputs(fields: Shape, object: object): Properties {
    const inputs = Object.entries(returnedInputs(fields, object));
    return Object.fromEntries(inputs.filter(([, value]) => !isEmpty(value)));
}

/** Whether a value is no text, no tags, no pairs, false or 0. */
export function isEmpty(value: unknown): boolean {
    if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
    return value === "" || value === 0 || value === false;
}

/**
 * Compares an existing object with the declared inputs. `contradicted`: the create-only inputs that the service shows otherwise. `isEqual`:
 * whether all in-place inputs are as declared. `body`, of a PUT: the values that differ from the recorded inputs `olds`, or without a record all
 * declared ones (L9); unmanaged values stay in it, because it is undocumented whether a PUT keeps a field that it omits.
 */
export function compareInputs(fields: Shape, olds: Properties | undefined, news: Properties, object: object) {
    const actual = shownProperties(object);
    const contradicted: string[] = [];
    const body: Properties = {};
    let isEqual = true;
    for (const [name, property] of Object.entries(fields)) {
        const { change, empty, writeOnly } = factsOf(property);
        const declared = news[name];
        const observed = spelledAs(property, observedValue(property, actual[name]), declared);
        const isReturned = declared !== undefined && observed !== undefined;
        if (change === "createOnly" && !writeOnly && isReturned && !isSameValue(property, declared, observed))
            contradicted.push(name);
        if (change !== "inPlace") continue;
        if (declared !== undefined && !isSameValue(property, declared, observed ?? empty)) isEqual = false;
        const value =
            olds === undefined ? (declared ?? observed) : valueToPut(property, olds[name], declared, observed);
        if (value !== undefined) body[name] = value;
    }
    return { contradicted, isEqual, body };
}

/** The value for a PUT: the program's if it has changed, the empty one if it was removed, else the service's. */
function valueToPut(property: Schema, recorded: unknown, declared: unknown, observed: unknown): unknown {
    if (isSameValue(property, recorded, declared)) return observed ?? declared;
    const wanted = declared ?? factsOf(property).empty;
    if (partsOf(property).type !== "record" || !isObject(wanted) || !isObject(observed)) return wanted;
    // A preview shows the keys of a map one by one.
    const before = spelledAs(property, isObject(recorded) ? recorded : {}, wanted) as Properties;
    const shown = spelledAs(property, observed, before) as Properties;
    const kept = Object.entries(shown).filter(([key]) => Object.hasOwn(wanted, key) || !Object.hasOwn(before, key));
    const changed = Object.entries(wanted).filter(
        ([key, value]) => !Object.hasOwn(before, key) || before[key] !== value,
    );
    return Object.fromEntries([...kept, ...changed]);
}

/** Whether two values are the same. Values that are not known yet may differ. */
function isSameValue(input: Schema, a: unknown, b: unknown): boolean {
    if (hasUnknown(a)) return false;
    // Nearly always the values are equal, and comparing text is much faster.
    if (a === b || JSON.stringify(a) === JSON.stringify(b)) return true;
    return isDeepStrictEqual(canonical(input, a), canonical(input, spelledAs(input, b, a)));
}

/**
 * A map with its keys as `like` writes them: a service may change their case, or their Unicode form, and shows one key still. What could be two
 * keys stays as it is.
 */
function spelledAs(property: Schema, value: unknown, like: unknown): unknown {
    if (!isObject(value) || !isObject(like) || partsOf(property).type !== "record") return value;
    if (Object.keys(value).every((key) => Object.hasOwn(like, key))) return value;
    const plain = (key: string) => textForm(key).toLowerCase();
    const [own, others] = [value, like].map((map) => Map.groupBy(Object.keys(map), plain));
    const spelled = Object.entries(value).map(([key, text]) => {
        const [spelling = key, ...more] = others?.get(plain(key)) ?? [];
        const isOne = own?.get(plain(key))?.length === 1 && more.length === 0;
        return [isOne ? spelling : key, text];
    });
    return Object.fromEntries(spelled);
}

/**
 * The value without what means nothing: the order and repetition of words, such as tags, a map's empty values, which a service may drop, and the
 * Unicode form of texts. An address in another form is another file.
 */
function canonical(property: Schema, value: unknown): unknown {
    if (typeof value === "string") return factsOf(property).isAddress ? value : textForm(value);
    const { type, element } = partsOf(property);
    if (element !== undefined && partsOf(element).shape === undefined && Array.isArray(value))
        return [...new Set(value.map((word) => textForm(String(word))))].sort();
    if (type !== "record" || !isObject(value)) return value;
    const set = Object.entries(value).filter(([, text]) => text !== "");
    return Object.fromEntries(
        set.map(([key, text]) => [textForm(key), typeof text === "string" ? textForm(text) : text]),
    );
}
