/**
 * What the state records of a library. `contents` or `results` have the outputs for the program, by key. All other parts are for this package. They
 * are packed, because the engine writes the whole state at every step. `__meta.entries` has ids and markers. They are never secret, because later
 * runs look for them in an exported state. `__entries` has the inputs. They are a secret only if one of them may be: otherwise a preview without the
 * key of the stack can read them.
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

/** An entry's object, with the outputs that a Content has. */
export interface RecordedEntry extends RecordedObject {
    key: string;
}

export interface Library {
    entries: Map<string, RecordedEntry>;
    /** Replaced objects whose delete has failed, or is still to come. */
    pendingDeletes: Set<RecordedEntry>;
    /** The nonces of creates about which a run has decided, or the first 8 digits of each: no later run searches for their objects. */
    handled: string[];
    /** The ids of objects that this library has deleted or released, in the form of `comparableId`. */
    left: Set<string>;
    /**
     * A time in ms since the epoch, by the service's clock. The library has recorded all its videos that were created before: a video that a later
     * run has made and not recorded is newer. 0 if no such time is known, `undefined` for a library that no state has yet.
     */
    newest: number | undefined;
}

/** How many ids in `left`, and how many nonces in `handled`, are recorded: the newest. Otherwise the state would grow with every update. */
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

/** The error for a place in the state that somebody has changed. */
function broken(...path: PropertyKey[]): LifecycleError {
    return new LifecycleError(messages.brokenRecord({ property: pathText(path) }));
}

/** The outputs to record. `isText`: the program declares a catalogue, which is a text, and gets the outputs as a text. */
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
 * The inputs with the changes that somebody has made on the service since `before`. The engine shows these changes as drift, and `ignoreChanges`
 * keeps them. `undefined` without such changes, and for a catalogue: the engine could only show that its whole text has changed.
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
