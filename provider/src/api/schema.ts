/**
 * The service's objects as the rest of the package sees them, and their readers, which absorb disagreements and gaps
 * (docs/internals/contract.md). An optional field of the wrong type counts as absent: reading a content should not fail
 * because of its thumbnail.
 */
import { contentDefinition } from "../definitions/content";
import {
    type Definition,
    type Input,
    type ObjectOf,
    type Output,
    returnedFields,
    type Type,
} from "../definitions/definition";
import { livestreamDefinition } from "../definitions/livestream";
import { isObject } from "./json";
import type { SigningKey } from "./signingKey";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Fields with a second name. */
const secondNames: Readonly<Record<string, string>> = {
    createdOn: "createdAt",
    rtmpUrl: "ingestUrl",
    thumbnailUrl: "thumbnails",
};

/** UUIDs may be written in either case, so answers may differ in it. Ids of another shape are compared as they are. */
export function isSameId(a: string, b: string): boolean {
    return a === b || comparableId(a) === comparableId(b);
}

/** The form of an id that is compared. */
export function comparableId(id: string): string {
    const plain = id.trim();
    return uuid.test(plain) ? plain.toLowerCase() : plain;
}

/**
 * The id in the state for an object that may or may not exist, because its create ended in doubt. No request
 * has such an id.
 */
export function unconfirmedId(nonce: string): string {
    return `unconfirmed-${nonce}`;
}

/** The nonce in an unconfirmed id; `undefined` for any other id. */
export function unconfirmedNonce(id: string): string | undefined {
    return /^unconfirmed-([0-9a-f]{12})$/.exec(id)?.[1];
}

export function isUnconfirmed(id: string): boolean {
    return unconfirmedNonce(id) !== undefined;
}

/** Reads a value of an answer; `undefined` where the value has an unexpected form. */
export type Read<T> = (value: unknown) => T | undefined;

/** An opaque identifier. Texts with a special meaning in a URL's path are not identifiers. */
const id: Read<string> = (value) => {
    const text = words(value);
    return text === "" || text === "." || text === ".." ? undefined : text;
};

/** Text. A number is text as well: a stream key may be six digits. */
const words: Read<string> = (value) =>
    typeof value === "string" ? value : Number.isFinite(value) ? String(value) : undefined;

const numeric: Read<number> = (value) =>
    Number.isFinite(typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value)
        ? Number(value)
        : undefined;

/**
 * Milliseconds since the epoch. The service did not exist before 2001, so an earlier time is a zero, or not a time, or in another
 * unit: a search that believed it would skip a new object that seems to be old.
 */
const moment: Read<number> = (value) =>
    typeof value === "number" && value >= Date.UTC(2001, 0, 1) && value <= 8.64e15 ? value : undefined;

/** A map, or pairs, of which the last of each key counts. A pair without a key is ignored. */
const metadata: Read<Record<string, string>> = (value) => {
    if (typeof value !== "object" || value === null) return undefined;
    const pairs = Array.isArray(value) ? value : Object.entries(value).map(([key, one]) => ({ key, value: one }));
    const texts = new Map<string, string>();
    for (const pair of pairs) {
        const { key, value: one }: Record<string, unknown> = isObject(pair) ? pair : {};
        const name = words(key);
        const text = isObject(one) || Array.isArray(one) ? JSON.stringify(one) : String(one ?? "");
        if (name !== undefined) texts.set(name, text);
    }
    return Object.fromEntries(texts);
};

/** The readers of fields whose type does not say enough. */
const special: Readonly<Record<string, Read<unknown>>> = {
    status: (value) => words(value)?.trim().slice(0, 64),
    /** One address, or the first of a list. */
    thumbnailUrl: (value) => words(Array.isArray(value) ? value[0] : value),
    createdOn: moment,
};

export const readContent = readerFor<typeof contentDefinition>(contentDefinition);
export const readLivestream = readerFor<typeof livestreamDefinition>(livestreamDefinition);

/** The reader of an object with all fields that the service returns by its definition. */
function readerFor<D extends Definition>(definition: D): Read<ObjectOf<D>> {
    const fields = Object.entries(returnedFields(definition)).map(([name, field]) => [
        name,
        special[name] ?? fieldReader(field),
    ]);
    return reader<ObjectOf<D>>(definition.idName, Object.fromEntries(fields));
}

function fieldReader(field: Input | Output): Read<unknown> {
    const read = valueReader(field.type);
    const empty = "empty" in field ? field.empty : undefined;
    // For an input that a PUT changes, null means that it was emptied; for any other field, that it is absent.
    return (value) => (value === null ? empty : read(value));
}

/** The reader of a value that is one of these. The case of a returned value has no meaning. */
function anyCase(values: readonly string[]): Read<string> {
    const known = new Map(values.map((one) => [one.toLowerCase(), one]));
    return (value) => {
        const text = words(value);
        return text && (known.get(text.toLowerCase()) ?? text);
    };
}

function valueReader(type: Type): Read<unknown> {
    switch (type.kind) {
        case "string":
            return type.oneOf === undefined ? words : anyCase(type.oneOf);
        case "boolean":
            return (value) => (typeof value === "boolean" ? value : undefined);
        case "number":
        case "integer":
            return numeric;
        case "list": {
            const read = valueReader(type.of);
            return (value) => {
                const items = Array.isArray(value) ? value.map(read) : [undefined];
                return items.includes(undefined) ? undefined : items;
            };
        }
        case "map":
            return metadata;
        // The service returns no value of these types.
        case "numberOrString":
        case "object":
            return () => undefined;
    }
}

/** The reason why an object failed, redacted, as far as the service gives one: see `readObject`. */
type Searched = { reason?: string };

export type ContentObject = ObjectOf<typeof contentDefinition> & Searched;
export type LivestreamObject = ObjectOf<typeof livestreamDefinition> & Searched;

/** The reader of a signing key. The contract promises all six fields; one that is missing anyway becomes 0 or "". */
export const readSigningKey = reader<SigningKey>("signingKeyId", {
    id: (value) => numeric(value) ?? 0,
    productTypeId: (value) => numeric(value) ?? 0,
    environmentId: (value) => numeric(value) ?? 0,
    createdBy: (value) => words(value) ?? "",
    createdOn: (value) => moment(value) ?? 0,
});

/**
 * The reader of an object that has its id, and the known fields, by our names. The service spells one field in several ways
 * (`playback_policy`, `playbackPolicy`), so fields are looked up without regard to underscores and case. Of several spellings the first with
 * a value counts.
 */
function reader<T extends object>(idName: string, fields: Readonly<Record<string, Read<unknown>>>): Read<T> {
    const names = [idName, ...Object.keys(fields)];
    const reads = [id, ...Object.values(fields)];
    /** The place of a field by its name, and by its second name. */
    const places = new Map<string, number>();
    for (const [index, name] of names.entries()) {
        places.set(fold(secondNames[name] ?? name), names.length + index);
        places.set(fold(name), index);
    }
    return (value) => {
        if (!isObject(value)) return undefined;
        const given = new Array<unknown>(2 * names.length);
        for (const spelling in value) {
            const place = places.get(fold(spelling));
            if (place !== undefined) given[place] ??= value[spelling];
        }
        const object: Record<string, unknown> = {};
        names.forEach((name, index) => {
            const first = given[index];
            // An empty first spelling counts only where the second has nothing.
            const its = reads[index]?.(first || given[names.length + index] || first);
            if (its !== undefined) object[name] = its;
        });
        return object[idName] === undefined ? undefined : (object as T);
    };
}

function fold(name: string): string {
    return name.replaceAll("_", "").toLowerCase();
}

/** Whether a status says failure, such as Failed, Errored, Rejected or Cancelled. */
export function isFailureStatus(status: string | undefined): boolean {
    return /^(?!not?\b).*(?:fail|error|reject|cancel|abort)/i.test(status ?? "");
}

/** Whether an object is being deleted, or was deleted. An object whose deletion failed is there. */
export function isBeingDeleted(status: string | undefined): boolean {
    return /^delet(?!.*(?:fail|err))/i.test(status ?? "");
}
