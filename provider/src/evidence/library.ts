/**
 * A library in the state: one resource with many objects, its entries. Each entry gets a URN, which the engine does not know. With it, the marker and
 * the journal entry of an entry look like those of a single Content.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod/mini";
import { isObject, parseJson } from "../api/json";
import { LifecycleError, messages } from "../messages";
import { parseUrn } from "../urn";

export const libraryKind = "ContentLibrary";

/** The URN of an entry. It is the same for a library of the plugin and a dynamic one, so a stack may move from one to the other. */
export function entryUrn(library: string, key: string): string {
    const { stack, project, types, name } = parseUrn(library) ?? { stack: "", project: "", types: "", name: library };
    const parents = types.split("$").slice(0, -1);
    return `urn:pulumi:${stack}::${project}::${[...parents, libraryKind, "Content"].join("$")}::${name}/${key}`;
}

/**
 * Turns the URN of an entry into that of its library, and returns any other URN as it is. The result has the type `ContentLibrary` in place of the
 * plugin's or the dynamic type.
 */
export function resourceUrn(urn: string): string {
    const { stack, project, types = "", name } = parseUrn(urn) ?? {};
    const isEntry = /(^|\$)ContentLibrary\$Content$/.test(types);
    if (name === undefined || !isEntry) return urn;
    // A library's name may have slashes, a key has none.
    return `urn:pulumi:${stack}::${project}::${types.slice(0, -"$Content".length)}::${name.slice(0, name.lastIndexOf("/"))}`;
}

/** The path of an entry, for messages. */
export function entryPath(key: string): string {
    return `contents[${JSON.stringify(key)}]`;
}

/** An entry, as it is recorded in `__meta.entries`. */
type EntryRecord = [key: string, id: string, meta: Record<string, unknown>];
/** One check for the whole list: with a schema for each of thousands of entries, every operation on a library would be slower. */
const entryRecords = z.custom<EntryRecord[]>((all) => Array.isArray(all) && all.every(isEntryRecord));
/** A list of JSON objects. One check for the whole list is faster than a schema for each object. */
export const objects = z.custom<Record<string, unknown>[]>((all) => Array.isArray(all) && all.every(isObject));

function isEntryRecord(one: unknown): boolean {
    return Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "string" && isObject(one[2]);
}

export function pack(value: unknown): string {
    return deflateRawSync(JSON.stringify(value)).toString("base64");
}

/** The value that `pack` has packed; `undefined` for any other text. `like`: a pattern that its JSON has to match. */
export function unpack(text: unknown, like = /^/): unknown {
    if (typeof text !== "string") return undefined;
    try {
        const json = inflateRawSync(Buffer.from(text, "base64")).toString();
        return like.test(json) ? JSON.parse(json) : undefined;
    } catch {
        return undefined;
    }
}

/**
 * The objects of a library, also those that are still to be deleted. @throws {LifecycleError} where the record is broken: if it counted as empty, the
 * library would make all its objects again.
 */
export function recordedEntriesOf({ __meta }: Record<string, unknown>): EntryRecord[] {
    return isObject(__meta) ? unpackRecorded(entryRecords, __meta.entries, "__meta.entries") : [];
}

/** Unpacks a recorded list; empty where nothing was recorded. @throws {LifecycleError} where the text is broken, with the name of the `property` */
export function unpackRecorded<Item>(schema: z.ZodMiniType<Item[]>, text: unknown, property: string): Item[] {
    if (text === undefined) return [];
    const { data } = z.safeParse(schema, unpack(text));
    if (data === undefined) throw new LifecycleError(messages.brokenRecord({ property }));
    return data;
}

/** The keys and entries of a `catalogue`, line by line. `null`: a blank line; `undefined`: a line that is no JSON object with a key. */
export function catalogueLines(text: unknown): ([key: string, entry: Record<string, unknown>] | undefined | null)[] {
    if (typeof text !== "string") return [];
    return text.split("\n").map((line) => {
        if (line.trim() === "") return null;
        const json = parseJson(line);
        const { key, ...entry }: Record<string, unknown> = isObject(json) ? json : {};
        return typeof key === "string" ? [key, entry] : undefined;
    });
}
