/** Marks values as secrets for the engine: presigned URLs and stream keys, which no program marks, and values that were marked when they arrived. */

import { isObject } from "../api/json";
import { type Definition, secretOutputs } from "../definitions/definition";
import { catalogueLines, unpack } from "../evidence/library";
import { mapParts, type Properties, somePart } from "../inputs/values";
import { holds } from "../secrets/redactor";
import { holdsSecretUrl } from "../secrets/urls";
import { mayBeSecret } from "./known";

/** The engine wraps a secret into an object with this key (`SigKey` in the SDK's `resource` package). */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export function secret(value: unknown): Properties {
    return { [signatureKey]: secretSignature, value };
}

/**
 * The properties with presigned URLs and stream keys marked as secrets. The option `additionalSecretOutputs` is not enough: an imported resource has it
 * only after the next `pulumi up`, and a refresh before that would record the stream key in plain text.
 */
export function withSecretsMarked(properties: Properties, definition: Definition | undefined): Properties {
    const all = mapParts(properties, withPresignedMarked);
    const hasKey = definition !== undefined && secretOutputs(definition).length > 0;
    return hasKey ? markedWhere(all, keyHoldersIn(properties)) : all;
}

export function markedWhere(
    properties: Properties,
    isMarked: (name: string) => boolean,
    mark: (value: unknown) => unknown = secret,
): Properties {
    return mapParts(properties, (value, name) => (isMarked(name) && !isSecret(value) ? mark(value) : value));
}

/**
 * Marks each property that was a secret in `given`, or that contained one there. The lifecycles work on plain values: without the marks, the secrets
 * would be recorded in plain text.
 */
export function markedAsGiven(properties: Properties, given: readonly Properties[]): Properties {
    if (!given.some(holdsSecret)) return properties;
    return mapParts(properties, (value, name) => {
        // The text `__entries` records all inputs of a library, so any secret among them makes it a secret.
        const namesakes = name === "__entries" ? given : given.map((one) => one[name]);
        if (isPlainObject(value) && namesakes.every((one) => one === undefined || isPlainObject(one)))
            return markedAsGiven(value, namesakes.filter(isPlainObject));
        return !isSecret(value) && namesakes.some(holdsSecret) ? secret(value) : value;
    });
}

/** The names of the properties that are recorded in plain text, and are secrets now. */
export function revealedIn(recorded: Properties, marked: Properties): string[] {
    return Object.keys(marked).filter((name) => holdsSecret(marked[name]) && !holdsSecret(recorded[name]));
}

function isPlainObject(value: unknown): value is Properties {
    return isObject(value) && !isSecret(value);
}

function isSecret(value: unknown): boolean {
    return isObject(value) && value[signatureKey] === secretSignature;
}

function holdsSecret(value: unknown): boolean {
    // The engine also marks inputs that are not set. These hold no secret.
    if (isSecret(value)) return ((value as Properties).value ?? undefined) !== undefined;
    return somePart(value, holdsSecret);
}

/** The texts that are marked as secrets. A library packs all its inputs into one text: if that text is marked, each text in it may be a secret. */
export function* secretTexts(value: unknown, name = "", isMarked = false): Generator<string> {
    if (!isMarked && !holdsSecret(value)) return;
    if (isSecret(value)) yield* secretTexts((value as Properties).value, name, true);
    else if (typeof value === "string") {
        yield value;
        for (const text of secretTexts(partsOfText(name, value), "", true))
            if (name === "catalogue" || mayBeSecret(text)) yield text;
    } else if (typeof value === "object" && value !== null)
        for (const [key, item] of Object.entries(value)) yield* secretTexts(item, key, isMarked);
}

/** The values that a library has packed into one text; `undefined` for any other value, and for a record whose JSON does not match `like`. */
function partsOfText(name: string, value: unknown, like?: RegExp): unknown {
    if (name === "__entries") return unpack(value, like);
    return name === "catalogue" ? catalogueLines(value) : undefined;
}

const addressWithQuery = /"url":"(?:[^"\\]|\\.)*[?@]/;

/**
 * Marks as a secret: a list or a library's text that contains a presigned URL, and an object whose `url` is one. In other objects, marks the parts.
 */
function withPresignedMarked(value: unknown, name: string): unknown {
    if (isObject(value))
        return holdsSecretUrl({ url: value.url }) ? secret(value) : mapParts(value, withPresignedMarked);
    const parts = Array.isArray(value) ? value : partsOfText(name, value, addressWithQuery);
    return holdsSecretUrl(parts) ? secret(value) : value;
}

/**
 * Returns a function that tells whether a property of a livestream holds its stream key. The id never counts as one: requests and messages need it.
 */
function keyHoldersIn({ streamUUID: _, ...livestream }: Properties): (name: string) => boolean {
    const { streamKey } = livestream;
    // If the service does not return the key, the ingest URLs may still contain it, so they count as secrets.
    if (typeof streamKey !== "string") return (name) => ["streamKey", "rtmpUrl", "rtmpsUrl"].includes(name);
    return (name) => name === "streamKey" || (!name.startsWith("__") && holds(livestream[name], streamKey));
}

/**
 * Returns the result of a lookup, with the stream key marked as a secret. In a list of livestreams the keys are left out: one secret would make the
 * whole list a secret.
 */
export function withSecrets(
    found: Properties,
    { type, list }: { type: string; list?: string },
    mark: (value: unknown) => unknown,
): Properties {
    if (type === "LivestreamResult") return markedWhere({ streamKey: undefined, ...found }, keyHoldersIn(found), mark);
    if (type !== "LivestreamItem" || list === undefined) return found;
    const withoutKey = (livestream: Properties) => {
        const isSecret = keyHoldersIn(livestream);
        return Object.fromEntries(Object.entries(livestream).filter(([name]) => !isSecret(name)));
    };
    return { [list]: (found[list] as Properties[]).map(withoutKey) };
}
