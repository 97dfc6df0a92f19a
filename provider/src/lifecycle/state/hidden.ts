/** The properties that are ours alone: hidden inputs from the constructor, and what the outputs remember. */
import * as z from "zod";
import type { Properties } from "../resource";
import { durationText, parseDuration } from "../wait/duration";

/**
 * Names of hidden properties begin so: the CLI leaves them out of the properties that it lists. Not out of the names in
 * `[diff: +description,tags-__timeouts]`, where they stand as soon as something else changes as well.
 */
const hidden = /^__/;

/** A timeout of the `customTimeouts` resource option. */
const timeout = z
    .string()
    .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as "90s" or "1h30m"')
    .optional();

/** The hidden inputs, part of every resource's schema. */
export const hiddenInputs = {
    __provider: z.unknown().optional(),
    /** The resource's URN, for its row, its mark and its journal entry. */
    __urn: z.unknown().optional(),
    /** The `customTimeouts` option of the resource, which the engine keeps to itself. */
    __timeouts: z.object({ create: timeout, update: timeout, delete: timeout }).optional(),
};

/** What the outputs remember beside what the user sees. */
export interface Meta {
    /** The version of the state's shape. */
    v: number;
    /** The fingerprint of base address and access token id that the object was last seen with. */
    env: string;
    /** The mark of its create; absent when it was taken over. */
    mark?: string | undefined;
    /** Set while the object exists but its outputs are not complete yet. */
    unfinished?: boolean | undefined;
    /** When it was created, in ms since the epoch, as long as nothing but the answer to the create has shown it. */
    unseen?: number | undefined;
}

/** The version written today. Older ones are read for ever. */
export const stateVersion = 1;

const metaSchema = z.object({
    v: z.number().catch(stateVersion),
    env: z.string().catch(""),
    mark: z.string().optional().catch(undefined),
    unfinished: z.boolean().optional().catch(undefined),
    unseen: z.number().optional().catch(undefined),
});

export function metaOf(outputs: Properties): Meta {
    return metaSchema.parse(outputs.__meta ?? {});
}

/** The hidden inputs that outputs keep, because a delete sees nothing else. */
export function hiddenIn(inputs: Properties): Properties {
    const { __urn, __timeouts } = inputs;
    return { ...(__urn !== undefined && { __urn }), ...(__timeouts !== undefined && { __timeouts }) };
}

/** How long an operation may take, in ms. */
export function timeoutOf(
    properties: Properties,
    operation: "create" | "update" | "delete",
    byDefault: number,
): number {
    const timeouts = hiddenInputs.__timeouts.catch(undefined).parse(properties.__timeouts);
    return parseDuration(timeouts?.[operation] ?? "") ?? byDefault;
}

/** What to tell when an operation took too long. */
export function timedOut(operation: "create" | "update" | "delete", limit: number): string {
    return `not done within ${durationText(limit)} (customTimeouts.${operation})`;
}

export function isHidden(name: string): boolean {
    return hidden.test(name);
}
