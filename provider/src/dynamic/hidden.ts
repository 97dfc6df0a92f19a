/**
 * The hidden inputs of a dynamic resource, which the constructor adds because the engine keeps these things to itself, and
 * the outputs that keep them: a read and a delete see nothing else. Code behind the adapter does not know them.
 */

import * as z from "zod";
import { plainDigest } from "../evidence/digest";
import { parseDuration } from "../inputs/duration";
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

const timeout = z
    .string()
    .refine((text) => parseDuration(text) !== undefined, 'a duration such as "90s" or "1h30m"')
    .optional();
const customTimeouts = z.object({ create: timeout, update: timeout, delete: timeout }).optional();
const schema = z.object({ customTimeouts });

/** Problems of the `customTimeouts` resource option. */
export function timeoutProblems({ __timeouts }: Properties): Message[] {
    return problemsOf(schema, { customTimeouts: __timeouts });
}

/** The `customTimeouts` resource option, in ms. */
export function timeoutsOf({ __timeouts }: Properties): Timeouts {
    const texts = customTimeouts.catch(undefined).parse(__timeouts) ?? {};
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseDuration(text ?? "")]));
}
