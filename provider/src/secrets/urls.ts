/** URLs that are credentials: they have a query, as presigned URLs do, or a user name. An input with such a URL is a secret. */

/** Matches the parameters of signed URLs of S3, Google, Azure (`se`, `sr`, `sv`, `sp`, `st`) and CloudFront, and other names of credentials. */
const credentialNames = /sig|token|key|expir|polic|cred|auth|pass|secret|^x-|^s[erpvt]$/i;

/** Whether a property `url` in the value is a credential: a presigned URL opens the file to anyone who has it. */
export function holdsSecretUrl(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    for (const name in value) {
        const part: unknown = value[name as keyof typeof value];
        if (typeof part === "string" ? name === "url" && isSecretAddress(part) : holdsSecretUrl(part)) return true;
    }
    return false;
}

export function isSecretUrl(text: string): boolean {
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && isSecretAddress(text);
}

/**
 * Whether an address, with or without a scheme, is a credential: it has a query or a user name. A text with "?" or "@" that is no URL counts too,
 * because it may be a mistyped URL.
 */
export function isSecretAddress(address: string): boolean {
    if (!/[?@]/.test(address)) return false;
    const url = URL.parse(address);
    return url === null || url.search + url.username + url.password !== "";
}

/**
 * Whether an address has a query, and whether the names of its parameters are those of a signature. An address with a user name counts as one without
 * a query.
 */
export function queryIn(address: string): "none" | "plain" | "signature" {
    // Only an address with "?" is parsed: a library has thousands of addresses, and parsing takes time.
    const url = address.includes("?") ? URL.parse(address) : null;
    if (url === null || url.username + url.password !== "") return "none";
    const names = [...url.searchParams.keys()];
    if (names.length === 0) return "none";
    return names.some((name) => credentialNames.test(name)) ? "signature" : "plain";
}

/**
 * Whether the text has something like a credential: a user name before a host, or a parameter with a name such as `token`. The form of the text
 * tells it, so credentials that this process has never seen are found too.
 */
export function quotesCredential(text: string): boolean {
    const names = [...text.matchAll(/[?&]([^\s"'<>=&?]{1,100})=[^\s"'<>&]/g)];
    return userInfo.test(text) || names.some(([, name = ""]) => credentialNames.test(name));
}

/** Matches `user:password@host`, with or without a scheme, and `user@host` after a scheme. */
const userInfo =
    /:\/\/[^\s"'<>/?#]{1,300}@|(?:^|[\s"'<>(=,/])(?!mailto:)[^\s"'<>()=,/:@]{1,100}:[^\s"'<>/@]{1,200}@(?=[\w[])/i;

/** The text with each URL cut down to its host. */
export function withoutPaths(text: string): string {
    return text.replace(/(:\/\/)(?:[^\s"'<>/?#\\%]{0,300}@)?([^\s"'<>/?#@\\%]{1,300})[/?#][^\s"'<>]+/g, "$1$2[…]");
}

/**
 * Whether the text has a URL with something after its host. `withoutPaths` misses a path behind a percent sign or a backslash, as in `host%2Fpath`.
 */
export function quotesPath(text: string): boolean {
    return /:\/\/[^\s"'<>/?#]{1,300}[/?#][^\s"'<>]/.test(text);
}

/** A value shorter than this counts with the "=" before it. Without the "=", the parameter `v=2` would hide every "2". */
const shortestParameter = 8;

/** Parameters whose values are no secrets. Otherwise each signed URL would hide a sentence such as "Please use AWS4-HMAC-SHA256". */
const publicParameter = /^x-(?:amz|goog)-(?:algorithm|date|expires|signedheaders)=/i;

/**
 * The parts of a secret that must not be shown even alone. Of a URL these are the path and each end of it, because a storage names a file without its
 * bucket; the user name and the password; the values of parameters; and the fragment. The host and the names of parameters are no secrets.
 */
export function tellingParts(secret: string): string[] {
    const url = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#]*)@)?[^/?#]*([^?#]*)\??([^#]*)#?(.*)$/is.exec(secret.trim());
    if (url === null) return [secret.trim()];
    const [, user = "", path = "", query = "", fragment = ""] = url;
    const paths = path.split("/").map((_, index, steps) => steps.slice(index).join("/"));
    const parameters = query.split("&").map((parameter) => {
        if (publicParameter.test(parameter)) return "";
        const value = parameter.slice(parameter.indexOf("=") + 1);
        return value.length < shortestParameter ? `=${value}` : value;
    });
    const credentials = user.split(":").filter((one) => one.length >= shortestParameter);
    // Only paths with a slash count. A file name alone may be a common word, and would hide every message with that word.
    const all = [...paths.filter((one) => one.includes("/")), ...credentials, ...parameters, fragment];
    return all.filter((one) => one.length > 1);
}
