/**
 * The hidden inputs of a dynamic resource, which the constructor adds because the engine keeps these things to itself, and
 * the outputs that keep them: a read and a delete see nothing else. Code behind the adapter does not know them.
 */

import type { Field } from "../definitions/definition";
import { plainDigest } from "../evidence/digest";
import { durationPattern, parseDuration } from "../inputs/duration";
import { problemsOf } from "../inputs/validate";
import type { Properties, Timeouts } from "../lifecycle";
import type { Message } from "../messages";

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

const expected = 'a duration such as "90s" or "1h30m"';
const timeout: Field = { type: { kind: "string", form: { pattern: durationPattern, expected } } };
const fields = { create: timeout, update: timeout, delete: timeout };
const customTimeouts: Field = { type: { kind: "object", name: "CustomTimeouts", fields } };

/** Problems of the `customTimeouts` resource option. */
export function timeoutProblems({ __timeouts }: Properties): Message[] {
    return problemsOf({ customTimeouts }, { customTimeouts: __timeouts });
}

/** The `customTimeouts` resource option, in ms. */
export function timeoutsOf({ __timeouts }: Properties): Timeouts {
    const texts = (__timeouts ?? {}) as Record<string, string>;
    return Object.fromEntries(Object.keys(fields).map((name) => [name, parseDuration(texts[name] ?? "")]));
}
