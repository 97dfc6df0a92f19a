/** Which values are secrets although nobody has marked them. Both faces use it, and programs do. */
import { decodings } from "../api/decode";
import type { Properties } from "../lifecycle";

/**
 * The names of the secret output and of all others that hold its text, plain or encoded: an ingest URL may well contain the
 * stream key.
 */
export function namesHolding(outputs: Properties, name: string): Set<string> {
    const secret = outputs[name];
    if (typeof secret !== "string" || secret === "") return new Set();
    const [plain] = decodings(secret);
    const holds = (value: unknown) =>
        decodings(JSON.stringify(value ?? null)).some(({ text }) => text.includes(plain?.text ?? secret));
    const holders = Object.keys(outputs).filter(
        (key) => key === name || (!key.startsWith("__") && holds(outputs[key])),
    );
    return new Set(holders);
}

/** Whether a URL in the value is a credential: presigned URLs open the file to whoever has them. */
export function holdsPresigned(value: unknown): boolean {
    if (typeof value === "object" && value !== null) {
        return Object.entries(value).some(([key, item]) =>
            key === "url" && typeof item === "string" ? isPresigned(item) : holdsPresigned(item),
        );
    }
    return false;
}

function isPresigned(address: string): boolean {
    if (!URL.canParse(address)) return /[?@]/.test(address);
    const url = new URL(address);
    return url.search !== "" || url.username !== "" || url.password !== "";
}
