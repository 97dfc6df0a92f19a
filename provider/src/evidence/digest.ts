/** Digests: they compare values that must not be written down, such as a secret title. */
import { hash } from "node:crypto";
import { isObject } from "../api/json";

/**
 * Digest of a title. A service may keep a title in another form: trimmed, escaped for HTML, in lower case, or cut. All forms have the same digest. A
 * search finds its candidates by this digest; their markers decide.
 */
export function digestOfTitle(title: string): string {
    const text = title
        .normalize("NFKC")
        .replace(/&#?\w+;/g, "")
        .toLowerCase();
    return digest(text.replace(/[^\p{L}\p{N}]/gu, "").slice(0, 64));
}

/**
 * Digest of the inputs that only a create can set. The nonce goes in as a key: so nobody can tell from two markers whether two secrets are the same.
 * The order of the inputs' keys does not matter, because it differs between the plugin and dynamic resources.
 */
export function digestOfInputs(createOnlyInputs: unknown, nonce: string): string {
    return digest(`${nonce} ${canonical(createOnlyInputs)}`, 8);
}

/** Digest of the inputs of a library that contain no secret. */
export function plainDigest({ catalogue, defaults }: { catalogue?: unknown; defaults?: unknown }): string {
    return digest(canonical({ catalogue, defaults }));
}

export function digest(text: string, digits = 16): string {
    return hash("sha256", text, "hex").slice(0, digits);
}

function canonical(value: unknown): string {
    const sorted = (part: object) => Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
    return JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part));
}
