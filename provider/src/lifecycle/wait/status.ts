/** What a status means. Others than those of the contract may exist, so only the ends of the road are named. */

export function isReady(status: string | undefined): boolean {
    return status?.toLowerCase() === "ready";
}

export function isFailed(status: string | undefined): boolean {
    return status?.toLowerCase() === "failed";
}

/** The object is on its way out, or out. */
export function isLeaving(status: string | undefined): boolean {
    return /^delet/i.test(status ?? "");
}

/** Whoever waits for a content need wait no longer. */
export function isFinal(status: string | undefined): boolean {
    return isReady(status) || isFailed(status) || isLeaving(status);
}
