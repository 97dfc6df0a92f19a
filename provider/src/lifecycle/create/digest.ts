/** Digests: they find an object without writing down what identifies it. */
import { createHash } from "node:crypto";

/** Digest of a title as titles are compared: a service may trim, collapse or normalize them. */
export function titleDigest(title: string): string {
    return digest(title.normalize("NFC").trim().replace(/\s+/g, " "));
}

/** Digest of plain JSON. The order of keys does not matter: each face, and each way over the wire, has its own. */
export function valueDigest(value: unknown): string {
    return digest(JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part)));
}

export function digest(text: string): string {
    return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function sorted(object: object): object {
    return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isObject(value: unknown): value is object {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
