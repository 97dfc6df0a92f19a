/** How both faces convert the values that the engine records. */
import type { Random } from "../api";
import { newNonce } from "../evidence/marker";
import { hasUnknown, unknownValue } from "../inputs/unknown";
import type { Properties } from "../lifecycle";

/** An unfrozen copy as JSON. Values that JSON cannot have are left out: the engine would refuse the answer, and lose a new object. */
export function toState(properties: Properties): Properties {
    return JSON.parse(JSON.stringify(properties, (_key, value) => (typeof value === "bigint" ? Number(value) : value)));
}

/** Without hidden inputs. Native types get those of dynamic resources too, because they are aliases of these. */
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
 * The hidden input that identifies a create in the state (`Attempt`), with the fingerprint of the credentials, and the port of the run's
 * engine. Random, because a saved plan can be run twice. `given`: the program's, unknown in a preview.
 */
export function newAttempt(given: unknown, random: Random, { fingerprint, port }: Run): unknown {
    if (given === undefined || hasUnknown(given)) return given;
    return [newNonce(random), fingerprint, port].join("-");
}

interface Run {
    fingerprint: string | undefined;
    port: string | undefined;
}

export function attemptIn({ __attempt }: Properties): string | undefined {
    return typeof __attempt === "string" ? __attempt : undefined;
}

/**
 * The same of a program in another language, from the engine's seed, which a saved plan keeps. Without credentials it is a preview: unknown, so
 * that the plan takes any.
 */
export function seededAttempt(seed: string | undefined, { fingerprint, port }: Run): string | undefined {
    return seed && (fingerprint === undefined ? unknownValue : [seed, fingerprint, port].join("-"));
}

/** Of the credentials with which the create was called. */
export function fingerprintIn(inputs: Properties): string | undefined {
    return attemptIn(inputs)?.split("-")[1] || undefined;
}

/** Of the engine of the run that called it. */
export function portIn(attempt: string | undefined): string | undefined {
    return attempt?.split("-")[2] || undefined;
}
