/**
 * The record of a library in its outputs. The program's outputs are there by key. The package's own data is packed, because the engine writes the
 * whole state at every step. `__meta.entries`: ids and markers, never a secret, because runs search for them in their own state.
 * `__entries`: the inputs, a secret only if they may hold one, because a preview can then read them without the key.
 */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { comparableId, isUnconfirmed } from "../../api";
import { isObject, parseJson } from "../../api/json";
import { objects, pack, recordedEntriesOf, unpackRecorded } from "../../evidence/library";
import { inputsIn } from "../../inputs/properties";
import { metaOf, stateVersion } from "../../inputs/recordedMeta";
import { type Properties, pathText, type RecordedObject } from "../../inputs/values";
import { LifecycleError, messages } from "../../messages";
import { entryDefinition } from "./entries";

/** One object, with the outputs of a Content. */
export interface RecordedEntry extends RecordedObject {
    key: string;
}

export interface Library {
    entries: Map<string, RecordedEntry>;
    /** Objects that were replaced and could not be deleted yet. */
    pendingDeletes: Set<RecordedEntry>;
    /** Creates whose objects are not searched for, as prefixes of their nonces: ended, or left alone by the user. */
    handled: string[];
    /** The ids of objects that have left the library, deleted or released, in the form of `comparableId`: the newest thousand. */
    left: Set<string>;
    /**
     * The newest time of creation, in ms since the epoch by the service's clock, that was seen when all creates were settled: an object that a later
     * operation has lost is not older. 0 where it is unknown, `undefined` for a library that no state has yet.
     */
    newest: number | undefined;
}

/** The most ids that are recorded of objects that have left a library. */
const mostLeft = 1_000;

export function libraryIn(outputs: Properties): Library {
    const { contents = {}, results, __entries } = outputs;
    const { newest = 0, handled = [], left } = metaOf(outputs);
    const [place, shown] = typeof results === "string" ? ["results", parseJson(results)] : ["contents", contents];
    if (!isObject(shown)) throw broken(place);
    const inputs = unpackRecorded(objects, __entries, "__entries");
    const library: Library = {
        ...{ entries: new Map(), pendingDeletes: new Set(), handled: [...handled] },
        left: new Set(unpackRecorded(z.array(z.string()), left, "__meta.left").map(comparableId)),
        newest: outputs.__meta === undefined ? undefined : newest,
    };
    for (const [index, [key, id, { leaving, ...__meta }]] of recordedEntriesOf(outputs).entries()) {
        if (leaving) {
            library.pendingDeletes.add({ key, id, olds: { ...inputs[index], __meta } });
            continue;
        }
        const own = shown[key] ?? {};
        if (!isObject(own)) throw broken(place, key);
        const { contentId: _, ...computed } = own;
        library.entries.set(key, { key, id, olds: { ...inputs[index], ...computed, __meta } });
    }
    return library;
}

/** The error of a place that is not as it was recorded. */
function broken(...path: PropertyKey[]): LifecycleError {
    return new LifecycleError(messages.brokenRecord({ property: pathText(path) }));
}

/** The outputs, in the form that the program has chosen. */
export function libraryOutputs(
    { entries, pendingDeletes, handled, left, newest }: Library,
    isText: boolean,
): Properties {
    const contents = [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const all = [...contents, ...pendingDeletes];
    const packed = all.map((one) => {
        const meta = one.olds.__meta as Properties;
        return [one.key, one.id, pendingDeletes.has(one) ? { ...meta, leaving: true } : meta];
    });
    const inputs = all.map(({ olds }) => inputsIn(entryDefinition.inputs.shape, olds));
    const results = Object.fromEntries(contents.map((one) => [one.key, resultOf(one)]));
    return {
        ...(isText ? { results: JSON.stringify(results) } : { contents: results }),
        __entries: pack(inputs),
        __meta: {
            ...{ v: stateVersion, newest, entries: pack(packed) },
            handled: [...new Set(handled)].slice(-mostLeft),
            left: left.size > 0 ? pack([...left].slice(-mostLeft)) : undefined,
        },
    };
}

/**
 * The recorded inputs with the drift since `before`, so that the engine shows it and `ignoreChanges` keeps it. A catalogue is one text: it
 * cannot show drift.
 */
export function driftedInputs(
    inputs: Properties,
    before: readonly RecordedEntry[],
    { entries }: Library,
): Properties | undefined {
    const { contents } = inputs;
    if (!isObject(contents)) return undefined;
    const drifted = before.flatMap(({ key, olds }) => {
        const now = entries.get(key)?.olds;
        const declared = contents[key];
        if (now === undefined || !isObject(declared)) return [];
        const changed = Object.keys(entryDefinition.inputs.shape).filter(
            (name) => !isDeepStrictEqual(olds[name], now[name]),
        );
        const values = Object.fromEntries(changed.map((name) => [name, now[name]]));
        return changed.length > 0 ? [[key, { ...declared, ...values }] as const] : [];
    });
    return drifted.length > 0 ? { ...inputs, contents: { ...contents, ...Object.fromEntries(drifted) } } : undefined;
}

function resultOf({ id, olds }: RecordedEntry): Properties {
    return { ...(!isUnconfirmed(id) && { contentId: id }), ...inputsIn(entryDefinition.outputs.shape, olds) };
}
