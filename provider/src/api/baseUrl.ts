/** Checks the configured base URL of the service, and brings it into one form. */
import { LifecycleError, messages } from "../messages";

/** The base URL of the public service. */
export const defaultBaseUrl = "https://api.videograph.ai";

/**
 * Brings the base URL into one form: the host in lower case, without the default port, without a slash at the end, and without
 * `/video/services/api/v1`, which every request adds. Another path stays. Users' states have a fingerprint of this form, so it must not depend on how
 * the URL is written.
 *
 * @throws {LifecycleError} if the text is no `https:` URL (`http:` is allowed to this machine alone), or has a user, a query or a fragment. These may
 * be secrets, so the message does not quote the text.
 */
export function parseBaseUrl(text: string): string {
    const url = URL.parse(text.trim());
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
    // The text itself is searched for "?" and "#". At its end they leave `search` and `hash` empty, and each request would append its path to a query
    // or fragment.
    if (url === null || !isSafe || url.username !== "" || url.password !== "" || /[?#]/.test(text))
        throw new LifecycleError(messages.baseUrlInvalid({ example: defaultBaseUrl }));
    return url.origin + url.pathname.replace(/\/{1,1000}$/, "").replace(/\/video\/services\/api\/v1$/, "");
}

/** Whether the host is surely this machine. `hostname`: as the URL parser writes it, such as `[::1]`. */
export function isLoopback(hostname: string): boolean {
    return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
