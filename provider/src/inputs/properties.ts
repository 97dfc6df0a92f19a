/** Inputs and an object: the body of its create, the changes, the drift, and the body of a PUT. All of it follows from the definition. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../api/json";
import {
    type Definition,
    factsOf,
    isFixed,
    isReturned,
    partsOf,
    type Schema,
    type Shape,
    wireBody,
} from "../definitions/definition";
import type { ServiceObject } from "../evidence/lists";
import { markerKey, withoutMarker } from "../evidence/marker";
import { identityOfSubtitles, wayOfChange } from "./ownRequests";
import { mapParts, type Properties, textForm } from "./values";

/** The names of changed inputs, by the way to change them. */
type Changed = Record<"inPlace" | "ownRequest" | "createOnly" | "local", string[]>;

export function createBody({ inputs: { shape: fields } }: Definition, inputs: Properties, markerText: string): object {
    const sent: Properties = {};
    for (const name in fields) {
        const { change, default: constant } = factsOf(fields[name]);
        // The library's entry that replaces an adopted one lacks the defaults, which an adopted one does not have.
        if (change !== "local" && change !== "thumbnail") sent[name] = inputs[name] ?? constant;
    }
    sent.metadata = { ...(inputs.metadata as Properties | undefined), [markerKey]: markerText };
    return wireBody(fields, sent);
}

/**
 * The inputs that no PUT can change, as [name, value]. Inputs that are not set are left out, so that a new input of a later version leaves the digest
 * of an unfinished create as it is.
 */
export function createOnlyInputs(fields: Shape, inputs: Properties): [string, unknown][] {
    const all: [string, unknown][] = [];
    for (const name in fields) {
        const { change, versionedBy = name } = factsOf(fields[name]);
        if (change !== "subtitles" && !isFixed(fields[name])) continue;
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
        if (!isSameValue(property, old, news[name])) changed[change === "sentOnly" ? "createOnly" : change].push(name);
    }
    // A version is `local` too; one that replaces the object counts once.
    return { ...changed, local: changed.local.filter((name) => !changed.createOnly.includes(name)) };
}

/**
 * The inputs that the service shows. `like`: the recorded or declared inputs, whose spelling of a map's keys is kept, and which an answer without a value
 * does not contradict.
 */
export function returnedInputs(fields: Shape, object: ServiceObject, like: Properties = {}): Properties {
    const shown = withoutMarker(object) as Properties;
    const inputs: Properties = {};
    for (const name in fields) {
        if (!isReturned(fields[name])) continue;
        const value = spelledAs(shown[name], like[name]);
        const isNothing = value === "" || (Array.isArray(value) && value.length === 0);
        // Nobody can have emptied what only a create sets: an empty value is not told.
        const isUntold = isNothing && isFixed(fields[name]) && like[name] !== undefined;
        if (value !== undefined && !isUntold) inputs[name] = value;
    }
    return inputs;
}

/** The recorded inputs with what the service shows otherwise. An object that is not `complete` yet may lack some inputs, which is not drift. */
export function observedInputs(
    fields: Shape,
    olds: Properties,
    object: ServiceObject,
    { complete }: { complete: boolean },
): Properties {
    const shown = returnedInputs(fields, object, olds);
    return mapParts(inputsIn(fields, olds), (recorded, name) => {
        const property = fields[name] as Schema;
        const isTold = shown[name] !== undefined && (complete || !isFixed(property));
        // An equal value keeps its recorded form, so that a reordered list is not drift.
        return isTold && !isSameValue(property, recorded, shown[name]) ? shown[name] : recorded;
    });
}

/** The inputs before a PUT is accepted: in-place inputs as the object shows them, all others as declared. */
export function appliedInputs(fields: Shape, inputs: Properties, object: ServiceObject): Properties {
    const shown = returnedInputs(fields, object, inputs);
    return mapParts(inputs, (value, name) => (factsOf(fields[name]).change === "inPlace" ? shown[name] : value));
}

export function inputsIn(fields: Shape, object: object): Properties {
    const bag = object as Properties;
    const inputs: Properties = {};
    for (const name in fields) if (bag[name] !== undefined) inputs[name] = bag[name];
    return inputs;
}

/** The inputs that a program would declare for an existing object: those for which the service shows a value that was set. */
export function importableInputs(fields: Shape, object: ServiceObject): Properties {
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
export function compareInputs(fields: Shape, olds: Properties | undefined, news: Properties, object: ServiceObject) {
    const shown = returnedInputs(fields, object, news);
    const contradicted: string[] = [];
    const body: Properties = {};
    let isEqual = true;
    for (const name in fields) {
        const property = fields[name] as Schema;
        const { change, empty } = factsOf(property);
        const [declared, observed] = [news[name], shown[name]];
        const isOther = declared !== undefined && !isSameValue(property, declared, observed ?? empty);
        if (isOther && observed !== undefined && change === "createOnly") contradicted.push(name);
        if (change !== "inPlace") continue;
        if (isOther) isEqual = false;
        const value =
            olds === undefined ? (declared ?? observed) : valueToPut(property, olds[name], declared, observed);
        if (value !== undefined) body[name] = value;
    }
    return { contradicted, isEqual, body };
}

/** The value for a PUT: the program's if it has changed, the empty one if it was removed, else the service's. Of a map, this is decided key by key. */
function valueToPut(property: Schema, recorded: unknown, declared: unknown, observed: unknown): unknown {
    if (isSameValue(property, recorded, declared)) return observed ?? declared;
    const wanted = declared ?? factsOf(property).empty;
    if (!isObject(wanted) || !isObject(observed)) return wanted;
    const before = spelledAs(recorded ?? {}, wanted) as Properties;
    const shown = spelledAs(observed, before) as Properties;
    const entries = Object.keys({ ...shown, ...wanted }).flatMap((key) => {
        const source = before[key] === wanted[key] ? shown : wanted;
        return Object.hasOwn(source, key) ? [[key, source[key]]] : [];
    });
    return Object.fromEntries(entries);
}

function isSameValue(input: Schema, a: unknown, b: unknown): boolean {
    // Nearly always the values are equal, and comparing text is much faster.
    if (a === b || JSON.stringify(a) === JSON.stringify(b)) return true;
    return isDeepStrictEqual(canonical(input, a), canonical(input, spelledAs(b, a)));
}

/**
 * A map with its keys as `like` writes them: a service may change their case, or their Unicode form, and shows one key still. What could be two
 * keys stays as it is.
 */
function spelledAs(value: unknown, like: unknown): unknown {
    if (!isObject(value) || !isObject(like)) return value;
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
    return Object.fromEntries(set.map(([key, text]) => [textForm(key), canonical(property, text)]));
}
