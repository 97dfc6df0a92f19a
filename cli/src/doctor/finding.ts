/** The result of a check: one line, with the next step if something is wrong. */
export interface Finding {
    readonly check: string;
    readonly status: "ok" | "warning" | "error" | "skipped";
    readonly text: string;
}

/** A finding of each status, for a check of this name. */
export function findingsOf(check: string) {
    const finding =
        (status: Finding["status"]) =>
        (text: string): Finding => ({ check, status, text });
    return { ok: finding("ok"), warning: finding("warning"), error: finding("error"), skipped: finding("skipped") };
}
