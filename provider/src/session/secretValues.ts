/** Which values are secrets although nobody has marked them. Both faces use it, and programs do. */
import { decodings } from "../api/decode";
import type { Properties } from "../lifecycle";

export { holdsPresigned } from "../inputs/presigned";

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

/** The names of a livestream's properties that hold its key. Its id does not count, because nothing works without it. */
function secretsOf({ streamUUID: _, ...livestream }: Properties): Set<string> {
    return namesHolding(livestream, "streamKey");
}

/**
 * What a lookup found, with every value that holds a livestream's key marked as a secret. A list leaves these values out,
 * because the SDK treats all parts of a list alike.
 */
export function withSecrets(
    found: Properties,
    { type, list }: { type: string; list?: string },
    mark: (value: unknown) => unknown,
): Properties {
    if (type === "LivestreamItem" && list !== undefined) {
        return { [list]: (found[list] as Properties[]).map(withoutSecrets) };
    }
    if (type !== "LivestreamResult") return found;
    const secrets = secretsOf(found).add("streamKey");
    const all = Object.entries({ streamKey: undefined, ...found });
    return Object.fromEntries(all.map(([name, value]) => [name, secrets.has(name) ? mark(value) : value]));
}

function withoutSecrets(livestream: Properties): Properties {
    const secrets = secretsOf(livestream).add("streamKey");
    return Object.fromEntries(Object.entries(livestream).filter(([name]) => !secrets.has(name)));
}
