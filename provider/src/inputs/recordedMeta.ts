/** `__meta`: the record in the outputs for this package alone. The CLI does not show properties whose names begin with `__`. */
import * as z from "zod/mini";
import { isObject } from "../api/json";
import { LifecycleError, messages } from "../messages";
import { type Properties, pathText } from "./values";

export const stateVersion = 1;

/** The fingerprint of an object whose record has none. Two such objects may belong to two environments. */
export const noFingerprint = "";

export const recordedMeta = z.object({
    /** The version of the shape of `__meta`. */
    v: z.optional(z.number()),
    /** The fingerprint of the base URL and access token id with which the object was last seen. */
    fingerprint: z.optional(z.string()),
    /** The text of the object's marker; absent when the object was adopted and not marked since. */
    mark: z.optional(z.string()),
    /** The nonce that an adopted object had before. It still has it where the PUT of the adoption failed. */
    adoptedNonce: z.optional(z.string()),
    /** Whether an object with a marker was imported or adopted: the inputs of its create are not recorded. */
    imported: z.optional(z.boolean()),
    /** Whether the resource only reads the object (`.get`): nothing is known of its create. */
    external: z.optional(z.boolean()),
    /** The `handled` of `ResourceState`: `operation/ownState.ts`. */
    handled: z.optional(z.readonly(z.array(z.string()))),
    /** A create that ended in doubt: the digest of its title, and the time when it began, in ms since the epoch. */
    unconfirmed: z.optional(z.object({ titleDigest: z.string(), startedAt: z.number() })),
    /** The time when the object was created, in ms since the epoch; absent once a read or a list has shown the object. */
    unseenSince: z.optional(z.number()),
    /** The time of the last own PUT, in ms since the epoch; absent once a later read has shown the object. */
    putAt: z.optional(z.number()),
    /** What a library records of all its objects: `resources/contentLibrary/record.ts`. `entries` and `left` are packed. */
    newest: z.optional(z.number()),
    entries: z.optional(z.string()),
    left: z.optional(z.string()),
});

/** The records that were checked: each is asked for several times. */
const checked = new WeakSet<object>();

export type Meta = z.infer<typeof recordedMeta> & { v: number; fingerprint: string };

export function newMeta(fingerprint: string, markerText: string | undefined): Meta {
    return { v: stateVersion, fingerprint, ...(markerText !== undefined && { mark: markerText }) };
}

/** @throws {LifecycleError} where a newer version has written `__meta`, or somebody has changed it. */
export function metaOf({ __meta }: Properties): Meta {
    const found = __meta ?? {};
    if (!isObject(found)) refuseRecord([]);
    if (typeof found.v === "number" && found.v > stateVersion)
        throw new LifecycleError(messages.newerState({ version: found.v }));
    const { error } = checked.has(found) ? {} : z.safeParse(recordedMeta, found);
    if (error !== undefined) refuseRecord(error.issues[0]?.path ?? []);
    checked.add(found);
    return { v: stateVersion, fingerprint: noFingerprint, ...(found as z.infer<typeof recordedMeta>) } as Meta;
}

function refuseRecord(path: readonly PropertyKey[]): never {
    throw new LifecycleError(messages.brokenRecord({ property: pathText(["__meta", ...path]) }));
}

/** Whether the object existed before its resource did. */
export function wasAdopted({ mark, imported }: Meta): boolean {
    return mark === undefined || imported === true;
}
