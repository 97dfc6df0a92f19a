/**
 * The meaning of a status. The contract names Pending, Preparing and Processing on the way to Ready or Failed. Others may exist: one that says
 * failure counts as Failed, one that says deletion as being deleted, and every other as pending.
 */

export function isReady(status: string | undefined): boolean {
    return status?.toLowerCase() === "ready";
}

/** Whether an object has failed: its status is Failed, Errored, Rejected, Cancelled or the like. After a failed deletion the object is as it was. */
export function isFailed(status = ""): boolean {
    return /^(?!not?\b).*(?:fail|error|reject|cancel|abort)/i.test(status) && !/delet/i.test(status);
}

/** Whether an object is being deleted, or was deleted. After a failed deletion the object is as it was. */
export function isBeingDeleted(status = ""): boolean {
    return /^delet(?!.*(?:fail|err))/i.test(status);
}

/** Whether a status is the last one that a wait can see. */
export function isFinal(status: string | undefined): boolean {
    return isReady(status) || isFailed(status) || isBeingDeleted(status);
}
