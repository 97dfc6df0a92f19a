/** What a check found: one line that says how things are and, if something is wrong, what to do next. */
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
