/** `__meta`: what this package records in the outputs for itself. The CLI hides properties whose names begin with `__`. */
import * as z from "zod/mini";
import { isObject } from "../api/json";
import { LifecycleError, messages } from "../messages";
import { type Properties, pathText } from "./values";

export const stateVersion = 1;

/** The fingerprint where a record has none. Two objects with it may still be of two environments. */
export const noFingerprint = "";

export const recordedMeta = z.object({
    /** The version of this record's form. */
    v: z.optional(z.number()),
    /** The fingerprint of the base URL and the access token id that have last reached the object. Under another one, a 404 proves nothing. */
    fingerprint: z.optional(z.string()),
    /** The text of the object's marker; absent for an adopted object that no PUT has marked yet. */
    mark: z.optional(z.string()),
    /** The nonce of the marker that an adopted object had before. Where the PUT of the adoption has failed, the object still has that marker. */
    adoptedNonce: z.optional(z.string()),
    /** Whether the object was imported or adopted, and has a marker all the same. The inputs of its create are not recorded. */
    imported: z.optional(z.boolean()),
    /** Whether the resource only reads the object (`.get`). Then the marker is that of the object's owner. */
    external: z.optional(z.boolean()),
    /** Earlier creates of this resource that nobody has to search for any more: `handled` in `operation/ownState.ts`. */
    handled: z.optional(z.readonly(z.array(z.string()))),
    /** Of a create that ended in doubt, whose object may or may not exist: the digest of its title, and when it began, in ms since the epoch. */
    unconfirmed: z.optional(z.object({ titleDigest: z.string(), startedAt: z.number() })),
    /** When the object was created, in ms since the epoch, until a read or a list has shown it. Before that, a 404 proves nothing. */
    unseenSince: z.optional(z.number()),
    /** When this package has sent its last PUT, in ms since the epoch, until a later read has shown the object. Soon after a PUT, a read may show old values. */
    putAt: z.optional(z.number()),
    /** What a library records of all its objects: `resources/contentLibrary/record.ts`. `entries` and `left` are packed. */
    newest: z.optional(z.number()),
    entries: z.optional(z.string()),
    left: z.optional(z.string()),
});

/** The records that have passed the check. An operation reads each several times. */
const checked = new WeakSet<object>();

export type Meta = z.infer<typeof recordedMeta> & { v: number; fingerprint: string };

export function newMeta(fingerprint: string, markerText: string | undefined): Meta {
    return { v: stateVersion, fingerprint, ...(markerText !== undefined && { mark: markerText }) };
}

/** The record in the outputs. @throws {LifecycleError} where a newer version has written it, or somebody has changed it by hand */
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

/** Whether the resource has taken over an existing object, and not created it. */
export function wasAdopted({ mark, imported }: Meta): boolean {
    return mark === undefined || imported === true;
}
