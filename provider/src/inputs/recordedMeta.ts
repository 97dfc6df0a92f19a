/** `__meta`: the record in the outputs for this package alone. The CLI does not show properties whose names begin with `__`. */
import { isObject } from "../api/json";
import { parseMarker } from "../evidence/marker";
import type { UnfinishedCreate } from "../evidence/ownState";
import { LifecycleError, messages } from "../messages";
import type { Properties } from "./values";

export const stateVersion = 1;

/** The fingerprint of an object whose record has none. Two such objects may belong to two environments. */
export const noFingerprint = "";

export interface Meta {
    /** The version of the shape of `__meta`. */
    v: number;
    /** The fingerprint of the base URL and access token id with which the object was last seen. */
    fingerprint: string;
    /** The text of the object's marker; absent when the object was adopted and not marked since. */
    mark?: string | undefined;
    /** The nonce that an adopted object had before. It still has it where the PUT of the adoption failed. */
    adoptedNonce?: string | undefined;
    /** Whether an object with a marker was imported or adopted: the inputs of its create are not recorded. */
    imported?: boolean | undefined;
    /** Whether the resource only reads the object (`.get`): nothing is known of its create. */
    external?: boolean | undefined;
    /** The `handled` of `OwnState`. */
    handled?: readonly string[] | undefined;
    /** A create that ended in doubt: the digest of its title, and the time when it began, in ms since the epoch. */
    unconfirmed?: { titleDigest: string; startedAt: number } | undefined;
    /** The time when the object was created, in ms since the epoch; absent once a read or a list has shown the object. */
    unseenSince?: number | undefined;
    /** The time of the last own PUT, in ms since the epoch; absent once a later read has shown the object. */
    putAt?: number | undefined;
}

export function newMeta(fingerprint: string, markerText: string | undefined): Meta {
    return { v: stateVersion, fingerprint, ...(markerText !== undefined && { mark: markerText }) };
}

/** @throws {LifecycleError} where a newer version has written `__meta`. */
export function metaOf({ __meta }: Properties): Meta {
    const meta: Meta = { v: stateVersion, fingerprint: noFingerprint, ...(isObject(__meta) && __meta) };
    if (meta.v > stateVersion) throw new LifecycleError(messages.newerState({ version: meta.v }));
    return meta;
}

export function unconfirmedCreate({ mark, fingerprint, unconfirmed }: Meta): UnfinishedCreate | undefined {
    const marker = parseMarker(mark);
    if (marker === undefined || unconfirmed === undefined) return undefined;
    const { nonce, inputsDigest } = marker;
    const { titleDigest, startedAt: since } = unconfirmed;
    const known = { noncePrefix: nonce, inputsDigest, titleDigests: [titleDigest], since, fingerprint };
    return { ...known, sent: true, ours: true, neverRecorded: true };
}

/** Whether the object existed before its resource did. */
export function wasAdopted({ mark, imported }: Meta): boolean {
    return mark === undefined || imported === true;
}
