/**
 * The marker that every create leaves in the object's `metadata`: who made it, and a random part that belongs to one logical
 * create. It is how an object is found again whose create was never answered; the service knows no idempotency key.
 */
import type { Random } from "../../api";
import { parseUrn } from "../../urn";

/** The metadata key of the marker. Programs cannot use it. */
export const markerKey = "managed_by";

const markerPattern = /^pulumi:(.+):[0-9a-f]{12}$/s;

/** `pulumi:<project>/<stack>/<name>:<12 random hex>` */
export function newMarker(urn: string | undefined, random: Random): string {
    const digits = Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16)).join("");
    return `pulumi:${owner(urn)}:${digits}`;
}

/** The same marker under the name that the resource has now: its stack may have been renamed, or it was moved. */
export function renamedMarker(marker: string, urn: string | undefined): string {
    return urn === undefined ? marker : `pulumi:${owner(urn)}:${randomPart(marker)}`;
}

/** Whether two markers are of one create, whatever its resource was called at the time. */
export function isSameMarker(a: string | undefined, b: string | undefined): boolean {
    return a !== undefined && b !== undefined && randomPart(a) === randomPart(b);
}

/** The 12 hex digits that belong to one create. */
export function randomPart(marker: string): string {
    return marker.slice(-12);
}

/** The `<project>/<stack>/<name>` part of a marker; `undefined` for any other text. */
export function ownerInMarker(marker: string | undefined): string | undefined {
    return marker === undefined ? undefined : markerPattern.exec(marker)?.[1];
}

/** The marker in an object's metadata. */
export function markerIn(metadata: Record<string, string> | undefined): string | undefined {
    const value = metadata?.[markerKey];
    return ownerInMarker(value) === undefined ? undefined : value;
}

/** The object as a program sees it: its metadata without the marker. */
export function visible<T extends { metadata?: Record<string, string> | undefined }>(object: T): T {
    if (object.metadata === undefined || markerIn(object.metadata) === undefined) return object;
    const { [markerKey]: _, ...metadata } = object.metadata;
    return { ...object, metadata };
}

/** `<project>/<stack>/<name>` of a resource's URN. */
export function owner(urn: string | undefined): string {
    const { project, stack, name } = parseUrn(urn) ?? {};
    return `${project || "unknown"}/${stack || "unknown"}/${name || "unknown"}`;
}
