/** How both faces convert the values that the engine records. */
import type { Properties } from "../lifecycle";

/**
 * A fresh, unfrozen copy as JSON without `undefined`. Values that JSON does not have are left out: the engine could not carry it, and
 * what was just created would be orphaned.
 */
export function toState(properties: Properties): Properties {
    return JSON.parse(JSON.stringify(properties, (_key, value) => (typeof value === "bigint" ? Number(value) : value)));
}

/** Without what a dynamic resource records for itself. The native types are given it too: they are aliases of the dynamic ones. */
export function declared({ __provider, __urn, __timeouts, __get, __attempt, ...rest }: Properties): Properties {
    return rest;
}

/** The hidden input of the engine's attempt (`Attempt`): the recorded one, as long as there is an object. */
export function attemptIn({ __attempt }: Properties): string | undefined {
    return typeof __attempt === "string" ? __attempt : undefined;
}
