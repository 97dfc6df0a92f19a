/** `__meta`: what this package records in the outputs for itself. The CLI hides properties whose names begin with `__`. */
import * as z from "zod/mini";
import { isObject } from "../api/json";
import { LifecycleError, messages } from "../messages";
import { type Properties, pathText } from "./values";

export const stateVersion = 1;

/** Stands for the fingerprint where a record has none. Two objects without a fingerprint may still be of two environments. */
export const noFingerprint = "";

export const recordedMeta = z.object({
    /** The version of this record's form. */
    v: z.optional(z.number()),
    /**
     * The fingerprint of the base URL and the access token id that have last reached the object. With a different fingerprint, a 404 proves nothing.
     */
    fingerprint: z.optional(z.string()),
    /** The text of the object's marker; absent for an adopted object that no PUT has marked yet. */
    mark: z.optional(z.string()),
    /** The nonce of the marker that an adopted object had before. Where the PUT of the adoption has failed, the object still has that marker. */
    adoptedNonce: z.optional(z.string()),
    /**
     * Set where an imported or adopted object has a `mark`; without `mark`, an object counts as adopted anyway. The inputs of the create that has
     * made the object are not recorded.
     */
    imported: z.optional(z.boolean()),
    /** Whether the resource only reads the object (`.get`). Then `mark` is the marker of the resource that manages the object. */
    external: z.optional(z.boolean()),
    /**
     * The nonces of earlier creates of this resource about which a run has decided: nobody has to search for their objects any more
     * (`operation/ownState.ts`).
     */
    handled: z.optional(z.readonly(z.array(z.string()))),
    /** Set after a create in doubt, whose object may or may not exist: the digest of its title, and when it began, in ms since the epoch. */
    unconfirmed: z.optional(z.object({ titleDigest: z.string(), startedAt: z.number() })),
    /**
     * When the object was created, in ms since the epoch. It is removed once a read or a list has shown the object: until then, a 404 proves nothing.
     */
    unseenSince: z.optional(z.number()),
    /**
     * When this package sent its last PUT, in ms since the epoch. It is removed once a later read has shown the object: soon after a PUT, a read may
     * show old values.
     */
    putAt: z.optional(z.number()),
    /** What a library records of all its objects: `resources/contentLibrary/record.ts`. `entries` and `left` are packed. */
    newest: z.optional(z.number()),
    entries: z.optional(z.string()),
    left: z.optional(z.string()),
});

/** The records that `metaOf` has checked. An operation reads each record several times, and checks it once. */
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
