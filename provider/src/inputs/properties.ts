/** Compares declared inputs, recorded inputs and the object of the service: the body of a create, changes, drift, and the body of a PUT. */
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

/** The names of the changed inputs, by how they reach the object. */
type Changed = Record<"inPlace" | "ownRequest" | "createOnly" | "local", string[]>;

export function createBody({ inputs: { shape: fields } }: Definition, inputs: Properties, markerText: string): object {
    const sent: Properties = {};
    for (const name in fields) {
        const { change, default: constant } = factsOf(fields[name]);
        // Usually the check has added the defaults. It has not where a library replaces an adopted entry, because the engine does not check its
        // inputs again.
        if (change !== "local" && change !== "thumbnail") sent[name] = inputs[name] ?? constant;
    }
    sent.metadata = { ...(inputs.metadata as Properties | undefined), [markerKey]: markerText };
    return wireBody(fields, sent);
}

/**
 * The inputs that no PUT can change, as [name, value]. Two creates for which they are equal make equal objects. Inputs that are not set are left out.
 * Otherwise an input that a later version of this package adds would change the digest of an unfinished create, and its object would not be adopted.
 */
export function createOnlyInputs(fields: Shape, inputs: Properties): [string, unknown][] {
    const all: [string, unknown][] = [];
    for (const name in fields) {
        const facts = factsOf(fields[name]);
        const { change, versionedBy = name } = facts;
        if (change !== "subtitles" && !isFixed(facts)) continue;
        const deciding = inputs[versionedBy] === undefined ? name : versionedBy;
        const input = fields[deciding];
        const value =
            change === "subtitles" ? identityOfSubtitles(inputs) : input && canonical(input, inputs[deciding]);
        if (value !== undefined && value !== null) all.push([deciding, value]);
    }
    return all;
}

/**
 * The names of the inputs that differ. A value that is not known yet differs. `oldInputs`: the inputs of the last run, even if they were not sent.
 */
export function changedInputs(
    fields: Shape,
    olds: Properties,
    news: Properties,
    oldInputs: Properties = olds,
): Changed {
    const changed: Changed = { inPlace: [], ownRequest: [], createOnly: [], local: [] };
    // This runs for each of a library's thousands of objects: `Object.entries` would make a list each time.
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
            // A presigned URL differs in every run, so `sourceVersion` alone decides.
            const isOther = olds[versionedBy] !== undefined && !isDeepStrictEqual(news[versionedBy], olds[versionedBy]);
            if (isOther) changed.createOnly.push(versionedBy);
            continue;
        }
        // Where the program has removed `sourceVersion`, the URL is compared with the URL of the last run: the recorded URL is still that of the
        // create.
        const old = isVersioned && olds[versionedBy] !== undefined ? oldInputs[name] : olds[name];
        if (!isSameValue(property, old, news[name])) changed[change === "sentOnly" ? "createOnly" : change].push(name);
    }
    // A changed `sourceVersion` is in `createOnly` and in `local`. It counts as create-only: it replaces the object.
    return { ...changed, local: changed.local.filter((name) => !changed.createOnly.includes(name)) };
}

/** The inputs as the service shows them. `like`: the recorded or declared inputs; the keys of a map are spelled as they are there. */
export function returnedInputs(fields: Shape, object: ServiceObject, like: Properties = {}): Properties {
    const shown = withoutMarker(object) as Properties;
    const inputs: Properties = {};
    for (const name in fields) {
        const facts = factsOf(fields[name]);
        if (!isReturned(facts)) continue;
        const value = spelledAs(shown[name], like[name]);
        const isNothing = value === "" || (Array.isArray(value) && value.length === 0);
        // Nobody can empty an input that only a create sets. So an empty value means that the answer does not show the input.
        const isUntold = isNothing && isFixed(facts) && like[name] !== undefined;
        if (value !== undefined && !isUntold) inputs[name] = value;
    }
    return inputs;
}

/**
 * The recorded inputs, but with the service's value wherever it differs (drift). An object that is not `complete` yet may lack values; that is no
 * drift.
 */
export function observedInputs(
    fields: Shape,
    olds: Properties,
    object: ServiceObject,
    { complete }: { complete: boolean },
): Properties {
    const shown = returnedInputs(fields, object, olds);
    return mapParts(inputsIn(fields, olds), (recorded, name) => {
        const property = fields[name] as Schema;
        const isTold = shown[name] !== undefined && (complete || !isFixed(factsOf(property)));
        // A value that means the same stays as recorded. Otherwise a list that the service has reordered would show as drift.
        return isTold && !isSameValue(property, recorded, shown[name]) ? shown[name] : recorded;
    });
}

/** The inputs to record where a PUT has failed: those that a PUT changes, as the object shows them; all others, as declared. */
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

/** The inputs that a program would declare for an existing object: all that are not empty. */
export function importableInputs(fields: Shape, object: ServiceObject): Properties {
    const inputs = Object.entries(returnedInputs(fields, object));
    return Object.fromEntries(inputs.filter(([, value]) => !isEmpty(value)));
}

/** Whether a value is an empty text, an empty list, an empty map, false or 0. */
export function isEmpty(value: unknown): boolean {
    if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
    return value === "" || value === 0 || value === false;
}

/**
 * Compares an existing object with the declared inputs.
 * - `contradicted`: the create-only inputs for which the service shows another value.
 * - `isEqual`: whether the object has all in-place inputs as declared.
 * - `body`: the body of a PUT. It has the program's value of each input that the program has changed since `olds`; without `olds`, of each declared
 *   input. All other values are as the service shows them: no documentation says that a PUT keeps what its body leaves out.
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

/**
 * The value for a PUT: the program's if the program has changed it, an empty one if the program has removed it, otherwise the service's. A map is
 * decided key by key.
 */
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
    // Nearly all values are equal, and comparing two JSON texts is much faster than comparing two canonical values.
    if (a === b || JSON.stringify(a) === JSON.stringify(b)) return true;
    return isDeepStrictEqual(canonical(input, a), canonical(input, spelledAs(b, a)));
}

/**
 * A map with its keys as `like` spells them. A service may store `Season` as `season`, or "é" as two characters: it is still the same key. Where a
 * map has both spellings, they are two keys, and stay as they are.
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
 * The value without differences that have no meaning, so that equal values are alike. Words such as tags are sorted and without repetition. Empty
 * values of a map are left out, because a service may drop them. Texts have one Unicode form, but a URL stays as it is: in another form it is another
 * file.
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
