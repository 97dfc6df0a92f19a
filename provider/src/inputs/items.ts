/**
 * Inputs that need separate requests, such as the subtitles of a content: which items an update sends, which changes need a
 * replacement, and what is recorded while some are not sent yet. `lifecycle/progress.ts` sends them.
 */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../api/json";
import { type Definition, type Input, inputsOf } from "../definitions/definition";
import { LifecycleError, type Message, messages } from "../messages";
import { pathText } from "./path";
import { hasUnknown } from "./unknown";
import type { Properties } from "./values";

type Inputs = Definition["inputs"];

/** The two sides of a comparison. */
interface OldAndNew {
    olds: Properties;
    news: Properties;
}

/** An item of a list, or the value of a `whenReady` input. */
interface Item {
    value: unknown;
    /** Identifies it in its list; `undefined` if it is missing or unknown. */
    key: string | undefined;
    /** Such as `subtitle[1]`. */
    path: string;
}

/** An unknown list counts as one unknown item. */
function itemsOf(table: Inputs, name: string, { [name]: value }: Properties): Item[] {
    const { change, itemKey = "" } = table[name] ?? {};
    if (change === "whenReady") return value === undefined ? [] : [{ value, key: "", path: name }];
    const list: unknown[] = Array.isArray(value) ? value : hasUnknown(value) ? [value] : [];
    return list.map((item, index) => {
        const key = isObject(item) ? item[itemKey] : undefined;
        const isKnown = typeof key === "string" && !hasUnknown(key);
        return { value: item, key: isKnown ? key : undefined, path: pathText([name, index]) };
    });
}

interface ItemChanges {
    /** Declared items that are new or differ from the recorded ones. */
    due: Item[];
    /** Recorded items without a successor: only a new object can do without them. */
    removed: Item[];
    /** Due items without a key: nothing says which item they would replace. */
    unnamed: Item[];
}

export function itemChanges(table: Inputs, name: string, { olds, news }: OldAndNew): ItemChanges {
    const before = itemsOf(table, name, olds);
    const now = itemsOf(table, name, news);
    const ofKeyed = comparisonOf(table[name], news);
    // Items without a key cannot be sent again. Removing the version replaces nothing.
    const ofOthers = comparisonOf(table[name], { ...olds, ...news });
    const isSame = (old: Item, item: Item) => {
        const identity = item.key === undefined ? ofOthers : ofKeyed;
        return !hasUnknown(item.value) && isDeepStrictEqual(identity(old.value), identity(item.value));
    };
    const due = now.filter((item) => !before.some((old) => isSame(old, item)));
    // No request can remove it.
    if (table[name]?.change === "whenReady") return { due, removed: [], unnamed: [] };
    const isReplaced = ({ key }: Item) => key !== undefined && due.some((item) => item.key === key);
    const removed = before.filter((old) => !isReplaced(old) && !now.some((item) => isSame(old, item)));
    return { due, removed, unnamed: due.filter(({ value, key }) => !hasUnknown(value) && !key) };
}

/** An item that an update has to send. */
export interface DueItem {
    name: string;
    key: string;
    item: Properties;
    /** Whether it is sent once the object is ready. The others are part of the create's request. */
    isWhenReady: boolean;
    /** Such as `subtitle[1] (languageCode "de")`. */
    what: string;
}

/** The items to send. Throws where one has no key. */
export function dueItems(table: Inputs, olds: Properties, news: Properties): DueItem[] {
    return perItemInputs(table).flatMap(([name, { change, itemKey = "" }]) => {
        const { due, unnamed } = itemChanges(table, name, { olds, news });
        const [first] = unnamed;
        if (first !== undefined) throw new LifecycleError(messages.itemNeedsKey({ item: first.path, key: itemKey }));
        return due.flatMap(({ value, key, path }) => {
            if (key === undefined) return [];
            const what = isQuotable(key) ? `${path} (${itemKey} "${key}")` : path;
            return [{ name, key, item: { ...(value as Properties) }, isWhenReady: change === "whenReady", what }];
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
    for (const [name, { change }] of perItemInputs(table)) {
        const due = new Set(pending.filter((item) => item.name === name).map(({ key }) => key));
        if (due.size === 0) continue;
        const before = itemsOf(table, name, olds);
        const items = itemsOf(table, name, news).flatMap((item) =>
            due.has(item.key ?? "") ? before.filter(({ key }) => key === item.key) : [item],
        );
        const isAsBefore = change === "whenReady" || items.length === 0;
        inputs[name] = isAsBefore ? olds[name] : items.map(({ value }) => value);
    }
    return inputs;
}

/** The identity of the items in a create. */
export function identityOfItems(table: Inputs, name: string, { [name]: value, ...inputs }: Properties): unknown {
    return Array.isArray(value) ? value.map(comparisonOf(table[name], inputs)) : value;
}

/** Items with the key of an earlier one, which is `first`: it is unknown which of the two an object has. */
export function repeatedItems(table: Inputs, inputs: Properties) {
    return perItemInputs(table).flatMap(([name, { itemKey: key = "" }]) => {
        const items = itemsOf(table, name, inputs);
        return items.flatMap((item) => {
            const first = items.find((one) => one.key?.toLowerCase() === item.key?.toLowerCase()) ?? item;
            if (item.key === undefined || first === item) return [];
            return [{ input: name, key, item: `${item.path}.${key}`, first: first.path }];
        });
    });
}

/** Why a list makes a replacement necessary, for the preview; empty if it does not. */
export function removalNote(table: Inputs, name: string, sides: OldAndNew, object: string): Message | undefined {
    const { change, itemKey: key = "" } = table[name] ?? {};
    if (change !== "perItem") return undefined;
    const { removed, unnamed } = itemChanges(table, name, sides);
    const [item] = unnamed;
    if (removed.length === 0) return messages.itemWithoutKey({ item: item?.path ?? name, key, object });
    const values = removed.flatMap((old) => old.key ?? []).filter(isQuotable);
    const what = values.length > 0 ? `${key} "${values.join('", "')}"` : "an earlier item";
    const certainty = hasUnknown(sides.news[name]) ? " (as far as is known yet)" : "";
    return messages.itemRemoved({ input: name, removed: what + certainty, object });
}

/** Whether it is a short code. Anything else may be a secret. */
function isQuotable(key: string): boolean {
    return /^[\w-]{1,35}$/.test(key);
}

function perItemInputs(table: Inputs): [name: string, input: Input][] {
    return Object.entries(inputsOf(table, "perItem", "whenReady"));
}

/** What items are compared by. With a version, URLs count without query and user: these change when the same file is signed again. */
function comparisonOf(input: Input | undefined, inputs: Properties): (item: unknown) => unknown {
    const isVersioned = inputs[input?.versionedBy ?? ""] !== undefined;
    if (!isVersioned || input?.type.kind !== "list" || input.type.of.kind !== "object") return (item) => item;
    const { fields } = input.type.of;
    const bare = (field: string, value: unknown) => {
        const type = fields[field]?.type;
        return type?.kind === "string" && type.rule === "url" ? bareUrl(value) : value;
    };
    return (item) =>
        isObject(item)
            ? Object.fromEntries(Object.entries(item).map(([field, value]) => [field, bare(field, value)]))
            : item;
}

function bareUrl(value: unknown): unknown {
    const url = typeof value === "string" ? URL.parse(value) : null;
    return url === null ? value : `${url.origin}${url.pathname}`;
}
