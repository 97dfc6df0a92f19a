/** Conversions of the values that the engine records, for both faces. */
import type { Random } from "../api";
import { newNonce } from "../evidence/marker";
import { hasUnknown, type Properties } from "../inputs/values";

/** An unfrozen copy as JSON. Values that JSON cannot have are left out: the engine would refuse the answer, and lose a new object. */
export function toState(properties: Properties): Properties {
    return JSON.parse(JSON.stringify(properties));
}

/**
 * The properties without hidden inputs, which the program's classes add: the dynamic face's implementation, URN, time limits, whether the resource
 * only reads, and a library's digest without secrets; for both faces the attempt and the organization. Native types get all of them, because
 * dynamic resources are their aliases.
 */
export function withoutHidden(properties: Properties): Properties {
    const { __provider, __urn, __timeouts, __get, __attempt, __organization, __plain, ...rest } = properties;
    return rest;
}

/** The run that calls a create: the fingerprint of its credentials, where they are known, and the port of its engine. */
interface Run {
    fingerprint: string | undefined;
    port: string | undefined;
}

/**
 * The hidden input that identifies a create in the state, with its run. It is random, because a saved plan can be run twice. `given`: the program's
 * attempt, unknown in a preview. A program in another language gives none, and no call says whether it is a preview: `seed` is the engine's, which
 * a saved plan keeps.
 */
export function newAttempt(
    given: unknown,
    seed: string | undefined,
    random: Random,
    { fingerprint, port }: Run,
): unknown {
    if (hasUnknown(given)) return given;
    if (given !== undefined) return [newNonce(random), fingerprint, port].join("-");
    // The port is left out: a program in another language has one face.
    return seed && [seed, fingerprint].join("-");
}

export function attemptIn({ __attempt }: Properties): string | undefined {
    return typeof __attempt === "string" ? __attempt : undefined;
}

export function runOf(attempt: string | undefined): Run {
    const [, fingerprint, port] = attempt?.split("-") ?? [];
    return { fingerprint: fingerprint || undefined, port: port || undefined };
}
