/**
 * The meaning of a status. The contract names Pending, Preparing and Processing on the way to Ready or Failed; others may
 * exist: one that says failure is a target too, and every other status is pending.
 */

export function isReady(status: string | undefined): boolean {
    return status?.toLowerCase() === "ready";
}

/** Whether the content has failed. A failed deletion does not count: then the object is there. */
export function isFailed(status: string | undefined): boolean {
    return isFailureStatus(status) && !/delet/i.test(status ?? "");
}

/** Whether the status is a target of a wait for a content. */
export function isSettled(status: string | undefined): boolean {
    return isReady(status) || isFailed(status);
}

/** Whether further waiting is useless. */
export function isFinal(status: string | undefined): boolean {
    return isSettled(status) || isBeingDeleted(status);
}

/** Whether a status says failure, such as Failed, Errored, Rejected or Cancelled. */
export function isFailureStatus(status: string | undefined): boolean {
    return /^(?!not?\b).*(?:fail|error|reject|cancel|abort)/i.test(status ?? "");
}

/** Whether an object is being deleted, or was deleted. An object whose deletion failed is there. */
export function isBeingDeleted(status: string | undefined): boolean {
    return /^delet(?!.*(?:fail|err))/i.test(status ?? "");
}
