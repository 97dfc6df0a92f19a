/**
 * The meaning of a status. The contract names Pending, Preparing and Processing on the way to Ready or Failed, and others may exist. A status that
 * sounds like a failure counts as failed, one that sounds like a deletion as being deleted, and any other one as pending. In a state that somebody
 * has edited, the status may be no text: it counts as pending too.
 */

export function isReady(status: unknown): boolean {
    return textOf(status).toLowerCase() === "ready";
}

/**
 * Whether an object has failed: its status is Failed, Rejected, Cancelled or the like. `DeleteFailed` does not count: the object exists as before.
 */
export function isFailed(status: unknown): boolean {
    const text = textOf(status);
    return /^(?!not?\b).*(?:fail|error|reject|cancel|abort)/i.test(text) && !/delet/i.test(text);
}

/** Whether an object is being deleted, or was deleted. `DeleteFailed` does not count: the object exists as before. */
export function isBeingDeleted(status: unknown): boolean {
    return /^delet(?!.*(?:fail|err))/i.test(textOf(status));
}

/** Whether the status is final: Ready, a failure or a deletion. A longer wait would not change it. */
export function isFinal(status: unknown): boolean {
    return isReady(status) || isFailed(status) || isBeingDeleted(status);
}

function textOf(status: unknown): string {
    return typeof status === "string" ? status : "";
}
