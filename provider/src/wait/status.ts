/**
 * What a status means. The contract names Pending, Preparing and Processing on the way to Ready or Failed; others may
 * exist: one that says failure is a target too, and every other status is pending.
 */
import { isBeingDeleted, isFailureStatus } from "../api/schema";

export { isBeingDeleted };

export function isReady(status: string | undefined): boolean {
    return status?.toLowerCase() === "ready";
}

/** Not of a deletion that failed: then the object is there. */
export function isFailed(status: string | undefined): boolean {
    return isFailureStatus(status) && !/delet/i.test(status ?? "");
}

/** The targets of a wait for a content. */
export function isSettled(status: string | undefined): boolean {
    return isReady(status) || isFailed(status);
}

/** No further waiting is needed. */
export function isFinal(status: string | undefined): boolean {
    return isSettled(status) || isBeingDeleted(status);
}
