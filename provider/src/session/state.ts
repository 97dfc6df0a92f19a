/** How both faces convert the values that the engine records. */
import type { Random } from "../api";
import { newNonce } from "../evidence/marker";
import { hasUnknown } from "../inputs/unknown";
import type { Properties } from "../lifecycle";

/**
 * A fresh, unfrozen copy as JSON without `undefined`. Values that JSON does not have are left out: the engine could not carry it, and
 * what was just created would be orphaned.
 */
export function toState(properties: Properties): Properties {
    return JSON.parse(JSON.stringify(properties, (_key, value) => (typeof value === "bigint" ? Number(value) : value)));
}

/** Without what a dynamic resource records for itself. The native types are given it too: they are aliases of the dynamic ones. */
export function withoutHidden({
    __provider,
    __urn,
    __timeouts,
    __get,
    __attempt,
    __organization,
    __plain,
    ...rest
}: Properties): Properties {
    return rest;
}

/**
 * Of a new object: the hidden input by which the state identifies its create (`Attempt`), with the fingerprint of the credentials.
 * `given` is the program's, unknown in a preview. Random, because a saved plan can be run twice, and `ignoreChanges: ["*"]` gives a replacement what is recorded.
 */
export function newAttempt(given: unknown, random: Random, fingerprint: string | undefined): unknown {
    if (given === undefined || hasUnknown(given)) return given;
    return [newNonce(random), fingerprint].filter((part) => part !== undefined).join("-");
}

export function attemptIn({ __attempt }: Properties): string | undefined {
    return typeof __attempt === "string" ? __attempt : undefined;
}

/** Of the credentials with which the create was called. */
export function fingerprintIn(inputs: Properties): string | undefined {
    return attemptIn(inputs)?.split("-")[1];
}
