/** What may be sent to the engine: only JSON. Any other value would orphan the object that was just created. */

import { isSecretPack } from "../evidence/library";
import type { Properties } from "../lifecycle";
import { namesHolding } from "../session/secretValues";

/** A fresh, unfrozen copy without `undefined`; anything that JSON cannot express is left out. */
export function toState(properties: Properties): Properties {
    return JSON.parse(JSON.stringify(properties, (_key, value) => (typeof value === "bigint" ? Number(value) : value)));
}

/** The SDK's mark of a secret, in `Value` objects on the wire (`specialSigKey` and `specialSecretSig` of its `runtime/rpc`). */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/**
 * Outputs for the state. The secret one is marked as a secret, and so is every other value that holds its text: an ingest
 * address may well contain the stream key.
 * The constructor's `additionalSecretOutputs` alone is not enough: a resource that `pulumi import` put into the state does
 * not have it until the next `pulumi up`, and a refresh before that would record the secret in plain text.
 */
export function withSecret(properties: Properties, name: string): Properties {
    const outputs = toState(properties);
    const secret = namesHolding(outputs, name);
    for (const [key, value] of Object.entries(outputs)) if (isSecretPack(value)) secret.add(key);
    return Object.fromEntries(
        Object.entries(outputs).map(([key, value]) => [key, secret.has(key) ? { ...secretSignature, value } : value]),
    );
}
