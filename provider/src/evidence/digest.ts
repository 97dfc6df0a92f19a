/** Digests, which compare and find values that must not be recorded. */
import { createHmac, hash } from "node:crypto";
import { isObject } from "../api/json";

/** Digest of a title as titles are compared: a service may trim, collapse or normalize them. */
export function titleDigest(title: string): string {
    return digest(title.normalize("NFC").trim().replace(/\s+/g, " "));
}

/**
 * Digest of the inputs that only a create can set. The nonce is its key, which keeps secrets and presigned URLs from being compared
 * elsewhere. The order of their keys does not matter: each face, and each way over the wire, has its own.
 */
export function inputsDigest(identity: unknown, nonce: string): string {
    return createHmac("sha256", nonce).update(canonical(identity)).digest("hex").slice(0, 8);
}

/** Digest of the inputs of a library that contain no secret. */
export function plainDigest({ catalogue, defaults }: { catalogue?: unknown; defaults?: unknown }): string {
    return digest(canonical({ catalogue, defaults }));
}

export function digest(text: string, digits = 16): string {
    return hash("sha256", text, "hex").slice(0, digits);
}

function canonical(value: unknown): string {
    return JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part));
}

function sorted(object: object): object {
    return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
