/**
 * The hidden inputs of a dynamic resource, which the constructor adds because the engine keeps these things to itself, and
 * the outputs that keep them: a read and a delete see nothing else. Code behind the adapter does not know them.
 */
import { plainDigest } from "../evidence/digest";
import { parseDuration } from "../inputs/duration";
import type { Properties, Timeouts } from "../lifecycle";

/** The part of the hidden inputs that outputs keep. */
export function keptHiddenInputs({ __urn, __timeouts, __attempt, __plain }: Properties): Properties {
    return { __urn, __timeouts, __attempt, __plain };
}

/** Whether the inputs of a library are those that the program knows to hold no secret. */
export function isKnownPlain({ __plain, ...inputs }: Properties): boolean {
    return __plain === plainDigest(inputs);
}

export function urnOf({ __urn }: Properties): string | undefined {
    return typeof __urn === "string" && __urn !== "" ? __urn : undefined;
}

/** The `customTimeouts` resource option, in ms. */
export function timeoutsOf({ __timeouts }: Properties): Timeouts {
    const texts = Object.entries((__timeouts as Record<string, string> | undefined) ?? {});
    return Object.fromEntries(texts.map(([name, text]) => [name, parseDuration(text)]));
}
