/** URLs that are credentials: with a query, as presigned ones have, or with a user name. Each makes its input a secret. */
import { somePart, visitTexts } from "./values";

/** Whether a URL in the value is a credential: presigned URLs open the file to anyone who has them. */
export function holdsSecretUrl(value: unknown): boolean {
    return somePart(value, (part, name) =>
        name === "url" && typeof part === "string" ? hasSecretPart(part) : holdsSecretUrl(part),
    );
}

export interface Query {
    path: PropertyKey[];
    /** Whether the query has a name that signatures have. */
    isSignature: boolean;
}

/** The queries of URLs, each of which makes its input a secret, also one such as `?v=2`. */
export function queriesIn(value: unknown): Query[] {
    const found: Query[] = [];
    // Most values have none.
    if (!holdsSecretUrl(value)) return found;
    visitTexts(value, (text, path, isKey) => {
        const names = !isKey && path.at(-1) === "url" ? namesInQuery(text) : [];
        const isSignature = names.some((name) => credentialNames.test(name));
        if (names.length > 0) found.push({ path: [...path], isSignature });
    });
    return found;
}

/** The names in signed URLs of S3, Google, Azure (`se`, `sr`, `sv`, `sp`, `st`) and CloudFront, and other names of credentials. */
const credentialNames = /sig|token|key|expir|polic|cred|auth|pass|secret|^x-|^s[erpvt]$/i;

/** The names in the query; none where the address has a user name, which is a credential already. */
function namesInQuery(address: string): string[] {
    // A library has thousands of addresses.
    const url = address.includes("?") ? URL.parse(address) : null;
    return url === null || url.username + url.password !== "" ? [] : [...url.searchParams.keys()];
}

export function isSecretUrl(text: string): boolean {
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && hasSecretPart(text);
}

function hasSecretPart(address: string): boolean {
    if (!/[?@]/.test(address)) return false;
    const url = URL.parse(address);
    return url === null || url.search + url.username + url.password !== "";
}
