/**
 * Lists whose items have separate requests, such as the subtitles of a content: which items an update sends, what only a
 * replacement can do, and what is recorded while some are not sent yet. `lifecycle/progress.ts` sends them.
 */
import { isDeepStrictEqual } from "node:util";
import { type Definition, type Input, inputsOf } from "../definitions/definition";
import { LifecycleError, type Message, messages } from "../messages";
import { hasUnknown } from "./unknown";
import { pathText } from "./validate";
import type { Properties } from "./values";

type Inputs = Definition["inputs"];

/** The two sides of a comparison. */
interface Sides {
    olds: Properties;
    news: Properties;
}

interface ItemChanges {
    /** Declared items that are new or differ from the recorded ones. */
    fresh: unknown[];
    /** Recorded items without a successor: only a new object can do without them. */
    removed: unknown[];
    /** Fresh items without a key: nothing says which item they would replace. */
    unnamed: unknown[];
}

export function itemChanges(table: Inputs, name: string, sides: Sides): ItemChanges {
    const property = table[name];
    const before = listOf(sides.olds[name]);
    const now = listOf(sides.news[name]);
    const isSame = sameness(property, sides.news);
    const fresh = now.filter((item) => !before.some((old) => isSame(old, item)));
    // What a request has set stays on the service, whatever the program says.
    if (property?.change === "whenReady") return { fresh, removed: [], unnamed: [] };
    const successors = new Set(fresh.map((item) => keyOf(property, item)));
    const removed = before.filter((old) => {
        const key = keyOf(property, old);
        return !now.some((item) => isSame(old, item)) && (key === undefined || !successors.has(key));
    });
    return { fresh, removed, unnamed: fresh.filter((item) => !hasUnknown(item) && !keyOf(property, item)) };
}

/** An item that an update has to send. */
export interface DueItem {
    name: string;
    key: string;
    item: Properties;
    /** Whether it has to wait until the object is as requested; a create's own request has the others. */
    isWhenReady: boolean;
    /** Such as `subtitle[1] (languageCode "de")`. */
    what: string;
}

/** The items to send. Throws where one has no key. */
export function dueItems(table: Inputs, olds: Properties, news: Properties): DueItem[] {
    return perItemInputs(table).flatMap((name) => {
        const property = table[name];
        const { fresh, unnamed } = itemChanges(table, name, { olds, news });
        const all = listOf(news[name]);
        if (unnamed.length > 0) {
            const item = pathText([name, all.indexOf(unnamed[0])]);
            throw new LifecycleError(messages.itemNeedsKey({ item, key: property?.itemKey ?? "" }));
        }
        return all.flatMap((item, index) => {
            const key = keyOf(property, item);
            if (key === undefined || !fresh.includes(item)) return [];
            const named = isQuotable(key) ? ` (${property?.itemKey} "${key}")` : "";
            const isWhenReady = property?.change === "whenReady";
            const what = isWhenReady ? name : pathText([name, index]) + named;
            return [{ name, key, item: { ...(item as Properties) }, isWhenReady, what }];
        });
    });
}

/** The inputs as the object has them while `pending` items are not sent: recorded items in their place, or none. */
export function withoutPending(
    table: Inputs,
    olds: Properties,
    news: Properties,
    pending: readonly DueItem[],
): Properties {
    const inputs = { ...news };
    for (const name of perItemInputs(table)) {
        const due = new Set(pending.filter((item) => item.name === name).map(({ key }) => key));
        if (due.size === 0) continue;
        if (table[name]?.change === "whenReady") {
            inputs[name] = olds[name];
            continue;
        }
        const before = listOf(olds[name]);
        const items = listOf(news[name]).flatMap((item) => {
            const key = keyOf(table[name], item) ?? "";
            return due.has(key) ? before.filter((old) => keyOf(table[name], old) === key) : [item];
        });
        inputs[name] = items.length === 0 ? olds[name] : items;
    }
    return inputs;
}

/** The identity of the items in a create: their URLs without the query where another input says which version they are. */
export function identityOfItems(table: Inputs, name: string, inputs: Properties): unknown {
    const { versionedBy } = table[name] ?? {};
    const isVersioned = versionedBy !== undefined && inputs[versionedBy] !== undefined;
    const value = inputs[name];
    return isVersioned && Array.isArray(value) ? value.map((item) => withoutQueries(table[name], item)) : value;
}

/** Items with the key of an earlier one, which is `first`: it is unknown which of the two an object has. */
export function repeatedItems(table: Inputs, inputs: Properties) {
    return perItemInputs(table).flatMap((name) => {
        const keys = listOf(inputs[name]).map((item) => keyOf(table[name], item)?.toLowerCase());
        return keys.flatMap((value, index) => {
            const first = keys.indexOf(value);
            if (value === undefined || first === index) return [];
            const key = table[name]?.itemKey ?? "";
            return [{ input: name, key, item: pathText([name, index, key]), first: pathText([name, first]) }];
        });
    });
}

/** Why a list makes a replacement necessary, for the preview; empty if it does not. */
export function removalNote(table: Inputs, name: string, sides: Sides, object: string): Message | undefined {
    const property = table[name];
    if (property?.change !== "perItem") return undefined;
    const { itemKey: key = "" } = property;
    const { removed, unnamed } = itemChanges(table, name, sides);
    if (removed.length === 0) {
        const item = pathText([name, listOf(sides.news[name]).indexOf(unnamed[0])]);
        return messages.itemWithoutKey({ item, key, object });
    }
    const values = removed.flatMap((item) => keyOf(property, item) ?? []).filter(isQuotable);
    const what = values.length > 0 ? `${key} "${values.join('", "')}"` : "an earlier item";
    const certainty = hasUnknown(sides.news[name]) ? " (as far as is known yet)" : "";
    return messages.itemRemoved({ input: name, removed: what + certainty, object });
}

/** A short code and nothing else that a program may have put there. */
function isQuotable(key: string): boolean {
    return /^[\w-]{1,35}$/.test(key);
}

function perItemInputs(table: Inputs): string[] {
    return Object.keys(inputsOf(table, "perItem", "whenReady"));
}

function keyOf(property: Input | undefined, item: unknown): string | undefined {
    if (typeof item !== "object" || item === null) return undefined;
    if (property?.change === "whenReady") return "";
    const key = (item as Properties)[property?.itemKey ?? ""];
    return typeof key === "string" && !hasUnknown(key) ? key : undefined;
}

/** A list that is not known yet is one item that is not known, and an object is one item. */
function listOf(value: unknown): unknown[] {
    if (Array.isArray(value)) return value;
    return hasUnknown(value) || (typeof value === "object" && value !== null) ? [value] : [];
}

function sameness(property: Input | undefined, news: Properties) {
    const isVersioned = news[property?.versionedBy ?? ""] !== undefined;
    const identity = (item: unknown) => (isVersioned ? withoutQueries(property, item) : item);
    return (old: unknown, item: unknown): boolean =>
        !hasUnknown(item) && isDeepStrictEqual(identity(old), identity(item));
}

/** An item whose URLs have no query and no user: what changes when the same file is signed again. */
function withoutQueries(property: Input | undefined, item: unknown): unknown {
    if (property?.type.kind !== "list" || property.type.of.kind !== "object") return item;
    if (typeof item !== "object" || item === null) return item;
    const { fields } = property.type.of;
    const bare = Object.entries(item).map(([field, value]) => {
        const type = fields[field]?.type;
        return [field, type?.kind === "string" && type.rule === "url" ? bareUrl(value) : value];
    });
    return Object.fromEntries(bare);
}

function bareUrl(value: unknown): unknown {
    const url = typeof value === "string" ? URL.parse(value) : null;
    return url === null ? value : `${url.origin}${url.pathname}`;
}
