/** The `Retry-After` header: how long the service asks clients to wait. */
import { maxRetryAfterMs } from "./limits";

/**
 * In ms from now, at most 120 s; undefined when the header is absent, negative or unreadable.
 *
 * A date is measured against the answer's own `Date` header, so that a wrong clock on either side has no effect.
 */
export function parseRetryAfter(headers: Record<string, string | undefined>, now: number): number | undefined {
    const text = headers["retry-after"]?.trim();
    if (text === undefined) return undefined;
    if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs);
    const until = parseHttpDate(text);
    if (until === undefined) return undefined;
    return Math.min(Math.max(until - (parseHttpDate(headers.date) ?? now), 0), maxRetryAfterMs);
}

/** An HTTP date such as `Tue, 29 Oct 2024 16:56:32 GMT`, in ms since the epoch. `Date.parse` alone takes almost anything. */
export function parseHttpDate(text: string | undefined): number | undefined {
    if (text === undefined || !/^[A-Z][a-z]{2,8}, .*\d{2}:\d{2}:\d{2} GMT$/.test(text.trim())) return undefined;
    const time = Date.parse(text);
    return Number.isNaN(time) ? undefined : time;
}
