/** The service's base URL: the check of a configured one, and its normal form. */
import { LifecycleError, messages } from "../messages";

/** The base URL of the public service. */
export const defaultBaseUrl = "https://api.videograph.ai";

/**
 * Checks and normalises a base URL: lower-case host, no default port, no trailing slash, without the path that all
 * requests have (`/video/services/api/v1`); another path prefix is kept.
 *
 * @throws {LifecycleError} when it is not a URL, not `https:` (`http:` is allowed only to this machine), or carries
 * a user, a query or a fragment. The message never quotes it, because these may be secrets.
 */
export function parseBaseUrl(text: string): string {
    const url = URL.parse(text.trim());
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
    // A bare "?" or "#" leaves search and hash empty but stays in the address.
    if (url === null || !isSafe || url.username !== "" || url.password !== "" || /[?#]/.test(text))
        throw new LifecycleError(messages.baseUrlInvalid({ example: defaultBaseUrl }));
    return url.origin + url.pathname.replace(/\/{1,1000}$/, "").replace(/\/video\/services\/api\/v1$/, "");
}

/** Whether a host, as the URL parser writes it, can only be this machine. */
export function isLoopback(hostname: string): boolean {
    return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
