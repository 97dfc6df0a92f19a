import { visitTexts } from "./values";

/** Whether a URL in the value is a credential: presigned URLs open the file to anyone who has them. */
export function holdsPresigned(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    if (Array.isArray(value)) return value.some(holdsPresigned);
    for (const key in value) {
        const item: unknown = value[key as keyof typeof value];
        if (key === "url" && typeof item === "string" ? isPresigned(item) : holdsPresigned(item)) return true;
    }
    return false;
}

/** The paths of URLs whose query makes their input a secret, although no name in it is one that signatures have, as in `?v=2`. */
export function ordinaryQueries(value: unknown): PropertyKey[][] {
    const found: PropertyKey[][] = [];
    // Most have none.
    if (!holdsPresigned(value)) return found;
    visitTexts(value, (text, path, isKey) => {
        if (!isKey && path.at(-1) === "url" && isOrdinary(text)) found.push([...path]);
    });
    return found;
}

/** The names in signed URLs of S3, Google, Azure and CloudFront, and what else names a credential. */
const credentialNames = /sig|token|key|expir|polic|cred|auth|pass|secret|^x-|^s[erpvt]$/i;

function isOrdinary(address: string): boolean {
    // A library has thousands of addresses.
    const url = address.includes("?") ? URL.parse(address) : null;
    if (url === null || url.search === "" || url.username + url.password !== "") return false;
    return ![...url.searchParams.keys()].some((name) => credentialNames.test(name));
}

/** Whether the text is such an address. */
export function isPresignedUrl(text: string): boolean {
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && isPresigned(text);
}

function isPresigned(address: string): boolean {
    if (!/[?@]/.test(address)) return false;
    const url = URL.parse(address);
    return url === null || url.search + url.username + url.password !== "";
}
