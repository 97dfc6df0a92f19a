/** Digests: they find an object without writing down what identifies it. */
import { createHash } from "node:crypto";

/** Digest of a title as titles are compared: a service may trim, collapse or normalize them. */
export function titleDigest(title: string): string {
    return digest(title.normalize("NFC").trim().replace(/\s+/g, " "));
}

export function digest(text: string): string {
    return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
