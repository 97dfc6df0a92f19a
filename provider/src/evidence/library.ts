/**
 * A library in the state: one resource that manages many objects. Each object has a place in the library's outputs, and a URN of its own, which
 * the engine does not know, so that its marker, its journal entry and its record are those of any other object.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod/mini";
import { isObject, parseJson } from "../api/json";
import { LifecycleError, messages } from "../messages";
import { parseUrn } from "../urn";

export const libraryKind = "ContentLibrary";

/** The URN of an entry, the same in both faces. */
export function entryUrn(library: string, key: string): string {
    const { stack, project, types, name } = parseUrn(library) ?? { stack: "", project: "", types: "", name: library };
    const parents = types.split("$").slice(0, -1);
    return `urn:pulumi:${stack}::${project}::${[...parents, libraryKind, "Content"].join("$")}::${name}/${key}`;
}

/** The URN of an entry's library, but for the type, which has no face; any other URN as it is. */
export function resourceUrn(urn: string): string {
    const { stack, project, types = "", name } = parseUrn(urn) ?? {};
    const isEntry = /(^|\$)ContentLibrary\$Content$/.test(types);
    if (name === undefined || !isEntry) return urn;
    // No key has a slash.
    return `urn:pulumi:${stack}::${project}::${types.slice(0, -"$Content".length)}::${name.slice(0, name.lastIndexOf("/"))}`;
}

/** The path of an entry, for messages. */
export function entryPath(key: string): string {
    return `contents[${JSON.stringify(key)}]`;
}

/** An object, as `__meta.entries` has it. */
type EntryRecord = [key: string, id: string, meta: Record<string, unknown>];
/** With one check for all: every operation on a library reads thousands. */
const entryRecords = z.custom<EntryRecord[]>((all) => Array.isArray(all) && all.every(isEntryRecord));
/** A list of objects, checked in the same way. */
export const objects = z.custom<Record<string, unknown>[]>((all) => Array.isArray(all) && all.every(isObject));

function isEntryRecord(one: unknown): boolean {
    return Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "string" && isObject(one[2]);
}

export function pack(value: unknown): string {
    return deflateRawSync(JSON.stringify(value)).toString("base64");
}

/** The value that was packed; `undefined` for any other text, and for JSON that does not match `like`. */
export function unpack(text: unknown, like = /^/): unknown {
    if (typeof text !== "string") return undefined;
    try {
        const json = inflateRawSync(Buffer.from(text, "base64")).toString();
        return like.test(json) ? JSON.parse(json) : undefined;
    } catch {
        return undefined;
    }
}

/** The objects of a library, also those that wait for their deletion. @throws {LifecycleError} where nobody can read them: they would be created again. */
export function recordedEntriesOf({ __meta }: Record<string, unknown>): EntryRecord[] {
    return isObject(__meta) ? unpackRecorded(entryRecords, __meta.entries, "__meta.entries") : [];
}

/** A list that was packed; empty where there is none. @throws {LifecycleError} where it is not as it was packed */
export function unpackRecorded<Item>(schema: z.ZodMiniType<Item[]>, text: unknown, property: string): Item[] {
    if (text === undefined) return [];
    const { data } = z.safeParse(schema, unpack(text));
    if (data === undefined) throw new LifecycleError(messages.brokenRecord({ property }));
    return data;
}

/** The keys and entries of a `catalogue`, line by line: `null` for a blank line, `undefined` for one that is not an object with a key. */
export function catalogueLines(text: unknown): ([key: string, entry: Record<string, unknown>] | undefined | null)[] {
    if (typeof text !== "string") return [];
    return text.split("\n").map((line) => {
        if (line.trim() === "") return null;
        const { key, ...entry } = (parseJson(line) ?? {}) as Record<string, unknown>;
        return typeof key === "string" ? [key, entry] : undefined;
    });
}
