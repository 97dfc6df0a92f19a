/**
 * A library in the state: one resource with many objects, its entries. Each entry gets a URN, which the engine does not know. So its marker and its
 * journal entry look like those of a Content of its own.
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

/** For an entry, the URN of its library, with the type `ContentLibrary` in place of the plugin's or dynamic one. Any other URN stays as it is. */
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
/** A list of JSON objects, checked in the same way. */
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

/** The objects of a library, also those that are still to be deleted. @throws {LifecycleError} where the record is broken: as an empty one, it would make all again. */
export function recordedEntriesOf({ __meta }: Record<string, unknown>): EntryRecord[] {
    return isObject(__meta) ? unpackRecorded(entryRecords, __meta.entries, "__meta.entries") : [];
}

/** A list that was packed; empty where nothing was recorded. @throws {LifecycleError} where the text is broken */
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
