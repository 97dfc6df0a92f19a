/**
 * A library in its outputs. The program's outputs are there by key; the package's own data is packed, because the engine
 * writes the whole state again at every step: `__meta.entries` has the ids and markers, never secret, because every run searches for them in
 * its own state; `__entries` the inputs that the objects have, a secret where an address in them is one.
 */
import { type PackedEntry, pack, packedEntries, unpack } from "../../evidence/library";
import { holdsPresigned } from "../../inputs/presigned";
import { inputsIn } from "../../inputs/properties";
import { metaOf, recordedMeta, stateVersion } from "../../inputs/recordedMeta";
import type { Properties } from "../../inputs/values";
import { entryDefinition } from "./definition";

/** One object: its id, and outputs as those of a Content. */
export interface Recorded {
    id: string;
    olds: Properties;
}

export interface Library {
    entries: Map<string, Recorded>;
    /** Objects that were replaced and could not be deleted yet. */
    leaving: (Recorded & { key: string })[];
    /** The marker of the operation that last created something. */
    marker: string | undefined;
    /** When the library was last recorded by an operation that creates, in ms since the epoch. */
    at: number | undefined;
}

export function libraryIn(outputs: Properties): Library {
    const meta = metaOf(outputs);
    const { at } = (outputs.__meta ?? {}) as Properties;
    const results = resultsIn(outputs);
    const inputs = (unpack(outputs.__entries) ?? []) as Properties[];
    const library: Library = {
        entries: new Map(),
        leaving: [],
        marker: meta.marker,
        at: typeof at === "number" ? at : undefined,
    };
    for (const [index, [key, id, __meta]] of packedEntries(outputs).entries()) {
        const { leaving, ...own } = __meta;
        const { contentId: _, ...computed } = results[key] ?? {};
        const olds = { ...inputs[index], ...(leaving !== true && computed), __meta: own };
        if (leaving === true) library.leaving.push({ key, id, olds });
        else library.entries.set(key, { id, olds });
    }
    return library;
}

function resultsIn({ contents, results }: Properties): Record<string, Properties> {
    return (typeof results === "string" ? JSON.parse(results) : (contents ?? {})) as Record<string, Properties>;
}

/** `inputs` of the library: the outputs have the form that the program has chosen. */
export function recorded({ entries, leaving, marker, at }: Library, inputs: Properties): Properties {
    const all = [
        ...[...entries].map(([key, one]) => ({ key, ...one, isLeaving: false })),
        ...leaving.map((one) => ({ ...one, isLeaving: true })),
    ];
    const packed = all.map(({ key, id, olds, isLeaving }): PackedEntry => {
        const meta = recordedMeta(metaOf(olds));
        return [key, id, isLeaving ? { ...meta, leaving: true } : meta];
    });
    const applied = all.map(({ olds }) => inputsIn(entryDefinition.inputs, olds));
    const results = Object.fromEntries([...entries].map(([key, { id, olds }]) => [key, resultOf(id, olds)]));
    return {
        ...(typeof inputs.catalogue === "string" ? { results: JSON.stringify(results) } : { contents: results }),
        __entries: pack(applied, holdsPresigned(applied)),
        __meta: { v: stateVersion, ...(marker !== undefined && { mark: marker }), at, entries: pack(packed) },
    };
}

function resultOf(id: string, olds: Properties): Properties {
    const computed = Object.keys(entryDefinition.outputs).map((name) => [name, olds[name]]);
    return { contentId: id, ...Object.fromEntries(computed) };
}
