/**
 * What the outputs record in addition to what the user sees: `__meta`. The CLI does not show properties whose names begin so.
 */
import { isObject } from "../api/json";
import { parseMarker } from "../evidence/marker";
import type { UnfinishedCreate } from "../evidence/ownState";
import { LifecycleError, messages } from "../messages";
import type { Properties } from "./values";

/** The version written today. */
export const stateVersion = 1;

/** The fingerprint of an object whose record has none. Two such objects may belong to two environments. */
export const unknownCredentials = "";

/** The part of the outputs that the user does not see. */
export interface Meta {
    /** The version of the state's shape. */
    v: number;
    /** Of the base URL and access token id that the object was last seen with. */
    fingerprint: string;
    /** The object's marker; absent when it was adopted and not marked since. */
    mark?: string | undefined;
    /** Set where the object was imported although it has a marker: what it was created with is not recorded. */
    imported?: boolean | undefined;
    /** Set where the resource only reads the object (`.get`): nothing is known of its create. */
    external?: boolean | undefined;
    /** Set while the object exists but its outputs are not complete yet. */
    unfinished?: boolean | undefined;
    /** The earlier creates of the resource that its create has taken care of: see `OwnState`. */
    handled?: readonly string[] | undefined;
    /** Of a create that ended in doubt: the digest of its title, and when it began, in ms since the epoch. */
    unconfirmed?: { title: string; startedAt: number } | undefined;
    /** When it was created, in ms since the epoch; absent once a read or a list has shown the object. */
    unseen?: number | undefined;
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isFlag = (value: unknown) => typeof value === "boolean";

/** Whether a recorded value can be read. Others are left out. */
const isReadable: Record<string, (value: unknown) => boolean> = {
    ...{ v: isNumber, unseen: isNumber, fingerprint: isText, mark: isText },
    ...{ imported: isFlag, external: isFlag, unfinished: isFlag },
    handled: (value) => Array.isArray(value) && value.every(isText),
    unconfirmed: (value) => isObject(value) && isText(value.title) && isNumber(value.startedAt),
} satisfies { [name in keyof Required<Meta>]: (value: unknown) => boolean };

/** Of an object that was created or adopted just now. */
export function newMeta(fingerprint: string, mark: string | undefined): Meta {
    return { v: stateVersion, fingerprint, ...(mark !== undefined && { mark }) };
}

/** Those that were read: each is asked for many times. */
const known = new WeakMap<object, Meta>();

/** @throws {LifecycleError} where a newer version has written it. */
export function metaOf({ __meta }: Properties): Meta {
    const given = isObject(__meta) ? __meta : {};
    const meta = known.get(given) ?? readMeta(given);
    known.set(given, meta);
    if (meta.v > stateVersion) throw new LifecycleError(messages.newerState({ version: meta.v }));
    return meta;
}

function readMeta(given: Properties): Meta {
    const read = Object.entries(given).filter(([name, value]) => isReadable[name]?.(value));
    return { v: stateVersion, fingerprint: unknownCredentials, ...Object.fromEntries(read) };
}

/** Of a resource whose create ended in doubt: an unconfirmed row. */
export function unconfirmedCreate({ mark, fingerprint, unconfirmed }: Meta): UnfinishedCreate | undefined {
    const marker = parseMarker(mark);
    if (marker === undefined || unconfirmed === undefined) return undefined;
    const { nonce, inputs } = marker;
    const { title, startedAt: since } = unconfirmed;
    return { nonce, inputs, titles: [title], since, fingerprint, sent: true, ours: true, neverRecorded: true };
}

/** Whether the object existed before its resource did. */
export function wasAdopted({ mark, imported }: Meta): boolean {
    return mark === undefined || imported === true;
}
