/** Declared inputs, recorded ones and their difference, as values; some are not known yet. */
import { isObject } from "../api/json";
import type { Message } from "../messages";

/** What stands for a secret: the engine's word in what it prints, and that of a copy of the state without secrets (examples/gitops). */
const masks: readonly unknown[] = ["[secret]", "[hidden]"];

export function isMask(value: unknown): boolean {
    return masks.includes(value);
}

/** Property values as the engine keeps them: only JSON. */
export type Properties = Record<string, unknown>;

/** The time limits of operations, in ms. */
export interface Timeouts {
    create?: number | undefined;
    update?: number | undefined;
    delete?: number | undefined;
}

export interface Checked {
    inputs: Properties;
    /** Every problem, each naming the property's path and the way out, never a value. */
    problems: Message[];
    /** Whether messages show names as in TypeScript: the names of a JSON text are the same in every language. */
    verbatim?: boolean;
    /** Lines for the resource's row that need no action. */
    notes?: Message[];
    /** Lines for the resource's row that should be read. */
    warnings?: Message[];
    /** The objects that a library adopts, and their keys. */
    adopts?: readonly [id: string, key: string][];
}

/** An object as the state has it. */
export interface RecordedObject {
    id: string;
    /** The recorded outputs. */
    olds: Properties;
    /** The inputs of the last run, sent or not, where they are known. */
    oldInputs?: Properties | undefined;
}

/** An existing object and the inputs that the program declares now. */
export interface Change extends RecordedObject {
    news: Properties;
}

export interface CheckContext {
    /** The default for `Livestream.region`. */
    region?: string | undefined;
    /** The properties of a content, or of a livestream, as far as this run has seen it. */
    propertiesOf?: ((id: string, isLivestream?: boolean) => Properties | undefined) | undefined;
}

/**
 * The work of an update. `because`: the inputs that differ, or the output `status` where the object is not as requested.
 * `keys`: the contents of a library that change, where a preview knows them all; `ending`: those whose URL ends by a replacement.
 */
export type Difference =
    | { kind: "none" }
    | { kind: "update" | "replace"; because: string[]; keys?: ReadonlySet<string>; ending?: readonly string[] };

/** The text in the one Unicode form that is compared: "é" is one character or two, and a service may answer with the other. */
export function textForm(text: string): string {
    return text.normalize("NFC");
}

/** The value without properties that are null, at any depth: programs write `null` for "not set". */
export function withoutNulls(value: unknown): unknown {
    const all = mapParts(value, withoutNulls);
    if (!isObject(all) || !somePart(all, (part) => part === null)) return all;
    return Object.fromEntries(Object.entries(all).filter(([, item]) => item !== null));
}

/** Calls `visit` for every text in the value, and for every key of an object, with the path to it; a key has the path of its object. */
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

/** The value with its parts changed; a copy only where a part has changed: a library has a hundred thousand parts. */
export function mapParts<T>(value: T, change: (part: unknown, name: string) => unknown): T {
    if (typeof value !== "object" || value === null) return value;
    let changed: T | undefined;
    for (const name in value) {
        const part = value[name];
        const now = change(part, name) as typeof part;
        if (now === part) continue;
        changed ??= (Array.isArray(value) ? [...value] : { ...value }) as T & {};
        changed[name] = now;
    }
    return changed ?? value;
}

export function somePart(value: unknown, isSuch: (part: unknown, name: string) => boolean): boolean {
    if (typeof value !== "object" || value === null) return false;
    for (const name in value) if (isSuch(value[name as keyof typeof value], name)) return true;
    return false;
}

/** The placeholder for any value that a preview does not know yet, of whatever type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's own unknown values: of a text, a boolean, a number, a list and an object. */
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
 * Whether the engine can parse a path that it has written with this key: an empty key becomes `metadata.`, and the quote after a backslash
 * looks escaped. Otherwise every plan for the resource fails (`ParsePropertyPath` of pulumi/pulumi).
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
