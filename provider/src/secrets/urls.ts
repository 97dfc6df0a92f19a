/** URLs that are credentials: with a query, as presigned ones have, or with a user name. Each makes its input a secret. */

/** The names in signed URLs of S3, Google, Azure (`se`, `sr`, `sv`, `sp`, `st`) and CloudFront, and other names of credentials. */
const credentialNames = /sig|token|key|expir|polic|cred|auth|pass|secret|^x-|^s[erpvt]$/i;

/** Whether a URL in the value is a credential: presigned URLs open the file to anyone who has them. */
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

/** Whether an address, with or without a scheme, is a credential; what is no URL may be one. */
export function isSecretAddress(address: string): boolean {
    if (!/[?@]/.test(address)) return false;
    const url = URL.parse(address);
    return url === null || url.search + url.username + url.password !== "";
}

/** What the query of an address is: a signature where it has a name that signatures have. None where a user name is a credential already. */
export function queryIn(address: string): "none" | "plain" | "signature" {
    // A library has thousands of addresses.
    const url = address.includes("?") ? URL.parse(address) : null;
    if (url === null || url.username + url.password !== "") return "none";
    const names = [...url.searchParams.keys()];
    if (names.length === 0) return "none";
    return names.some((name) => credentialNames.test(name)) ? "signature" : "plain";
}

/** Whether the text has a part of a URL that is a credential, whoever it is. */
export function quotesCredential(text: string): boolean {
    const names = [...text.matchAll(/[?&]([^\s"'<>=&?]{1,100})=[^\s"'<>&]/g)];
    return userInfo.test(text) || names.some(([, name = ""]) => credentialNames.test(name));
}

/** `user:password@host`, with or without a scheme, and `user@host` with one. */
const userInfo =
    /:\/\/[^\s"'<>/?#]{1,300}@|(?:^|[\s"'<>(=,/])(?!mailto:)[^\s"'<>()=,/:@]{1,100}:[^\s"'<>/@]{1,200}@(?=[\w[])/i;

/** The text with nothing of its URLs but the host. */
export function withoutPaths(text: string): string {
    return text.replace(/(:\/\/)(?:[^\s"'<>/?#\\%]{0,300}@)?([^\s"'<>/?#@\\%]{1,300})[/?#][^\s"'<>]+/g, "$1$2[…]");
}

/** Whether the text has more of a URL than its host. */
export function quotesPath(text: string): boolean {
    return /:\/\/[^\s"'<>/?#]{1,300}[/?#][^\s"'<>]/.test(text);
}

/** A parameter this short may be a word of any message: it counts with the sign before it. */
const shortestParameter = 8;

/** Parameters whose values all signed URLs share: as secrets they would hide "Please use AWS4-HMAC-SHA256". */
const publicParameter = /^x-(?:amz|goog)-(?:algorithm|date|expires|signedheaders)=/i;

/**
 * The parts of a secret that tell something where they stand alone. Of a URL these are its path and each end of it, since a storage names
 * a file without its bucket, its user, its parameters and its fragment: the host and the names of the parameters are known to many.
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
    // Without a slash a short path may be a word.
    const all = [...paths.filter((one) => one.includes("/")), ...credentials, ...parameters, fragment];
    return all.filter((one) => one.length > 1);
}
