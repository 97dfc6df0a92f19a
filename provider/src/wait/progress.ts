/**
 * The status on a resource's row, where the engine shows the time: at every change, and otherwise less and less often, because a CI log keeps each
 * line. The row of many contents: `resources/many.ts`.
 */
import type { Clock } from "../api";
import type { Row } from "../messages";

export function statusProgress(row: Row, clock: Clock): (status: string) => void {
    const start = clock.monotonic();
    let last: string | undefined;
    let next = 0;
    return (status) => {
        const elapsed = clock.monotonic() - start;
        if (status === last && elapsed < next) return;
        last = status;
        next = elapsed + Math.min(Math.max(elapsed, 5_000), 30_000);
        row.progress(status);
    };
}
