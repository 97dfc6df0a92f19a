/** The values that are secrets although the program does not mark them, and their marks. Used by both faces and by programs. */

import { isObject } from "../api/json";
import { type Definition, secretOutputs } from "../definitions/definition";
import { catalogueLines, unpack } from "../evidence/library";
import { mapParts, type Properties, somePart } from "../inputs/values";
import { holds } from "../secrets/redactor";
import { holdsSecretUrl } from "../secrets/urls";
import { mayBeSecret } from "./known";

/** Objects with this key are the engine's wrappers, such as secrets (`SigKey` in the SDK's `resource` package). */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export function secret(value: unknown): Properties {
    return { [signatureKey]: secretSignature, value };
}

/**
 * The properties with the secret ones marked. `additionalSecretOutputs` is not enough: a resource that `pulumi import` put into the state
 * has it only after the next `pulumi up`, and a refresh before that would record the secret in plain text.
 */
export function withSecretsMarked(properties: Properties, definition: Definition | undefined): Properties {
    const all = mapParts(properties, (value, name) =>
        holdsSecretUrlText(name, value) ? secret(value) : withPresignedMarked(value),
    );
    const hasKey = definition !== undefined && secretOutputs(definition).length > 0;
    const holders = hasKey ? keyNames(properties) : new Set();
    return markedWhere(all, (name) => holders.has(name));
}

export function markedWhere(
    properties: Properties,
    isMarked: (name: string) => boolean,
    mark: (value: unknown) => unknown = secret,
): Properties {
    return mapParts(properties, (value, name) => (isMarked(name) && !isSecret(value) ? mark(value) : value));
}

/** Marks each value that holds a secret in a property of the same name, as the engine does for providers that accept no secrets. */
export function markedAsGiven(properties: Properties, given: readonly Properties[]): Properties {
    if (!given.some(holdsSecret)) return properties;
    return mapParts(properties, (value, name) => {
        // The record of a library contains all its inputs.
        const namesakes = name === "__entries" ? given : given.map((one) => one[name]);
        if (isPlainObject(value) && namesakes.every((one) => one === undefined || isPlainObject(one)))
            return markedAsGiven(value, namesakes.filter(isPlainObject));
        return !isSecret(value) && namesakes.some(holdsSecret) ? secret(value) : value;
    });
}

/** The names of the properties that hold a secret in `marked`, and none in `recorded`. */
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
    // A secret without a value is an input that is not set.
    if (isSecret(value)) return ((value as Properties).value ?? undefined) !== undefined;
    return somePart(value, holdsSecret);
}

/** The texts that are marked as secrets. In a library's text and record, which mark none of their parts, each part may be a secret. */
export function* secretTexts(value: unknown, name = "", isMarked = false): Generator<string> {
    if (!isMarked && !holdsSecret(value)) return;
    if (isSecret(value)) yield* secretTexts((value as Properties).value, name, true);
    else if (typeof value === "string") {
        if (!isMarked) return;
        yield value;
        if (name === "catalogue") yield* secretTexts(catalogueLines(value), "", true);
        if (name === "__entries")
            for (const text of secretTexts(unpack(value), "", true)) if (mayBeSecret(text)) yield text;
    } else if (typeof value === "object" && value !== null)
        for (const [key, item] of Object.entries(value)) yield* secretTexts(item, key, isMarked);
}

/** Whether the value is a library's text that holds a presigned URL: all of the text is a secret then. */
function holdsSecretUrlText(name: string, value: unknown): boolean {
    if (name === "__entries") return holdsSecretUrl(unpack(value, /"url":"(?:[^"\\]|\\.)*[?@]/));
    return name === "catalogue" && holdsSecretUrl(catalogueLines(value));
}

/** A list with a presigned URL is a secret as a whole, and so is an object that has one. */
function withPresignedMarked(value: unknown): unknown {
    if (Array.isArray(value)) return holdsSecretUrl(value) ? secret(value) : value;
    if (!isObject(value)) return value;
    return holdsSecretUrl({ url: value.url }) ? secret(value) : mapParts(value, withPresignedMarked);
}

/** The names of a livestream's properties that hold its key, or may. Its id does not count: nothing works without it. */
function keyNames({ streamUUID: _, ...livestream }: Properties): Set<string> {
    const { streamKey } = livestream;
    // Where the key is not shown, an ingest URL may have it all the same.
    if (typeof streamKey !== "string") return new Set(["streamKey", "rtmpUrl", "rtmpsUrl"]);
    const isHolder = (name: string) => !name.startsWith("__") && holds(livestream[name], streamKey);
    return new Set(["streamKey", ...Object.keys(livestream).filter(isHolder)]);
}

/** A lookup's result with a livestream's key as a secret. In a list the key is left out, because the SDK treats all parts of a list alike. */
export function withSecrets(
    found: Properties,
    { type, list }: { type: string; list?: string },
    mark: (value: unknown) => unknown,
): Properties {
    if (type === "LivestreamResult") {
        const secrets = keyNames(found);
        return markedWhere({ streamKey: undefined, ...found }, (name) => secrets.has(name), mark);
    }
    if (type !== "LivestreamItem" || list === undefined) return found;
    const withoutKey = (livestream: Properties) => {
        const secrets = keyNames(livestream);
        return Object.fromEntries(Object.entries(livestream).filter(([name]) => !secrets.has(name)));
    };
    return { [list]: (found[list] as Properties[]).map(withoutKey) };
}
