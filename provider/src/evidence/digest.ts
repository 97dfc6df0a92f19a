/** Digests, which compare and find values that must not be recorded. */
import { createHash, createHmac } from "node:crypto";
import { isObject } from "../api/json";

/** Digest of a title as titles are compared: a service may trim, collapse or normalize them. */
export function titleDigest(title: string): string {
    return digest(title.normalize("NFC").trim().replace(/\s+/g, " "));
}

/**
 * Digest of plain JSON under a key that is different for each create: equal values of two creates have different digests. The
 * order of keys does not matter: each face, and each way over the wire, has its own.
 */
export function keyedDigest(value: unknown, key: string): string {
    const text = JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part));
    return createHmac("sha256", key).update(text).digest("hex").slice(0, 8);
}

export function digest(text: string, digits = 16): string {
    return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

function sorted(object: object): object {
    return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
