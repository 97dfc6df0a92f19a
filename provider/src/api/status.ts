/**
 * The meaning of a status. The contract names Pending, Preparing and Processing on the way to Ready or Failed, and others may exist. A status that
 * sounds like a failure counts as failed, one that sounds like a deletion as being deleted, and every other one as pending.
 */

export function isReady(status: string | undefined): boolean {
    return status?.toLowerCase() === "ready";
}

/** Whether an object has failed: its status is Failed, Rejected, Cancelled or the like. `DeleteFailed` is no failure: the object is there, as before. */
export function isFailed(status = ""): boolean {
    return /^(?!not?\b).*(?:fail|error|reject|cancel|abort)/i.test(status) && !/delet/i.test(status);
}

/** Whether an object is being deleted, or was deleted. With `DeleteFailed` it is there, as before. */
export function isBeingDeleted(status = ""): boolean {
    return /^delet(?!.*(?:fail|err))/i.test(status);
}

/** Whether waiting longer would not change the status. */
export function isFinal(status: string | undefined): boolean {
    return isReady(status) || isFailed(status) || isBeingDeleted(status);
}
