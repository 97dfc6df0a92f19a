/** Property values, as the engine hands them over: their types, values that a preview does not know yet, and walks over their parts. */
import { isObject } from "../api/json";
import type { Message } from "../messages";

/**
 * Whether the value is a text in the place of a secret: `[secret]` of the engine, or `[hidden]` in a copy of the state without secrets
 * (examples/gitops).
 */
export function isMask(value: unknown): boolean {
    return value === "[secret]" || value === "[hidden]";
}

/** Property values as the engine keeps them: JSON. */
export type Properties = Record<string, unknown>;

/** The time limits of operations, in ms. */
export type Timeouts = Partial<Record<"create" | "update" | "delete", number | undefined>>;

export interface Checked {
    inputs: Properties;
    /** Each problem names the property's path and the way out, and never a value. */
    problems: Message[];
    /**
     * Whether the problems are about a JSON text, whose names are the same in every language. In all other problems, a Python program reads
     * `wait_for_ready`.
     */
    verbatim?: boolean;
    /** Lines on the resource's row that ask nobody to act. */
    notes?: Message[];
    /** Lines on the resource's row that somebody should read. */
    warnings?: Message[];
    /** The objects that a library adopts, and the keys of their entries. */
    adopts?: readonly [id: string, key: string][];
}

/** An object as the state has it. */
export interface RecordedObject {
    id: string;
    /** The recorded outputs. */
    olds: Properties;
    /** The inputs of the last run, even if they were not sent; `undefined` where they are not known. */
    oldInputs?: Properties | undefined;
}

/** An existing object and the inputs that the program declares now. */
export interface Change extends RecordedObject {
    news: Properties;
}

export interface CheckContext {
    /** The default for `Livestream.region`. */
    region?: string | undefined;
    /** The properties of an object with that id, if this run has seen it. */
    propertiesOf?: ((id: string, isLivestream?: boolean) => Properties | undefined) | undefined;
}

/**
 * What an update has to do. `because`: the inputs that differ, or the output `status` if the object is not in the state that the program asks for.
 * For a library, `keys`: the contents that change, where a preview knows them all; `ending`: the contents whose URL ends, because they are replaced.
 */
export type Difference =
    | { kind: "none" }
    | { kind: "update" | "replace"; because: string[]; keys?: ReadonlySet<string>; ending?: readonly string[] };

/** The text in one Unicode form. "é" is one character or two, and the service may answer with the other form than the program has sent. */
export function textForm(text: string): string {
    return text.normalize("NFC");
}

/** The value without properties that are null, at any depth. Programs write `null` for "not set". */
export function withoutNulls(value: unknown): unknown {
    const all = mapParts(value, withoutNulls);
    if (!isObject(all) || !somePart(all, (part) => part === null)) return all;
    return Object.fromEntries(Object.entries(all).filter(([, item]) => item !== null));
}

/** Calls `visit` for every text in the value, and for every key of an object, with its path. A key has the path of its object. */
export function visitTexts(
    value: unknown,
    visit: (text: string, path: readonly PropertyKey[], isKey: boolean) => void,
    path: PropertyKey[] = [],
): void {
    if (typeof value === "string") visit(value, path, false);
    if (typeof value !== "object" || value === null) return;
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
        if (!isList) visit(key, path, true);
        path.push(isList ? Number(key) : key);
        visitTexts(item, visit, path);
        path.pop();
    }
}

/** The value with its parts changed. It is copied only where a part has changed: a library has a hundred thousand parts. */
export function mapParts<T>(value: T, change: (part: unknown, name: string) => unknown): T {
    if (typeof value !== "object" || value === null) return value;
    // `for … in` would make a text of each index of a list: a library has a hundred thousand.
    if (Array.isArray(value)) {
        const all = value.map((part, index) => change(part, String(index)));
        return all.every((part, index) => part === value[index]) ? value : (all as T);
    }
    let changed: T | undefined;
    for (const name in value) {
        const part = value[name];
        const now = change(part, name) as typeof part;
        if (now === part) continue;
        changed ??= { ...value };
        changed[name] = now;
    }
    return changed ?? value;
}

export function somePart(value: unknown, isSuch: (part: unknown, name: string) => boolean): boolean {
    if (typeof value !== "object" || value === null) return false;
    if (Array.isArray(value)) return value.some((part, index) => isSuch(part, String(index)));
    for (const name in value) if (isSuch(value[name as keyof typeof value], name)) return true;
    return false;
}

/** The engine's text in the place of a value that a preview does not know yet. This package uses it for values of every type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine has a placeholder for each type: a text, a boolean, a number, a list and an object. */
const engineUnknowns = new Set<unknown>([
    unknownValue,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

export function normalizeUnknowns(value: unknown): unknown {
    if (typeof value === "string") return value.length === 36 && engineUnknowns.has(value) ? unknownValue : value;
    return mapParts(value, normalizeUnknowns);
}

export function hasUnknown(value: unknown): boolean {
    return value === unknownValue || somePart(value, hasUnknown);
}

/**
 * Whether the engine can read a property path that has this key. The engine writes an empty key as `metadata.`, and reads a backslash before the
 * closing quote as an escape. A path that it cannot read fails every plan for the resource (`ParsePropertyPath` of pulumi/pulumi).
 */
export function isReadableKey(key: string): boolean {
    return key !== "" && !key.endsWith("\\");
}

export function hasReadableKeys(value: unknown): boolean {
    return !somePart(value, (part, key) => !isReadableKey(key) || !hasReadableKeys(part));
}

/** The path of a property for messages, as a program writes it: `content[0].url`. */
export function pathText(path: readonly PropertyKey[]): string {
    return path
        .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
        .join("");
}
