/**
 * The hidden inputs of a dynamic resource, which the constructor adds because the engine keeps these things to itself, and
 * the outputs that keep them: a read and a delete see nothing else. Nothing behind the adapter knows them.
 */

import * as z from "zod";
import type { Properties, Timeouts } from "../lifecycle";
import { ownerInMarker } from "../lifecycle/create/marker";
import { metaOf } from "../lifecycle/state/recordedMeta";
import { problemsOf } from "../lifecycle/state/validate";
import { parseDuration } from "../lifecycle/wait/duration";
import type { Message } from "../messages";
import { type ResourceKind, typeOf } from "../typeTokens";
import { wholeUrn } from "../urn";

/** The URN of a resource as far as dynamic state holds it. */
export interface Known {
    /** The URN, for its marker and its journal entry. */
    urn: string | undefined;
    /** The URN of its row, which may be a guess. */
    shownUrn: string | undefined;
}

/** The properties without the hidden ones. */
export function declared({ __provider, __urn, __timeouts, __get, ...rest }: Properties): Properties {
    return rest;
}

/** The inputs as they are recorded, and the stack's organization, which the program puts before the URN. */
export function withoutOrganization(news: Properties): { organization: string | undefined; inputs: Properties } {
    const [, organization, urn] = /^([^/:]+)\/(.*)/s.exec(typeof news.__urn === "string" ? news.__urn : "") ?? [];
    return { organization, inputs: organization === undefined ? news : { ...news, __urn: urn } };
}

/** What outputs keep of the hidden inputs. */
export function kept({ __urn, __timeouts }: Properties): Properties {
    return { ...(__urn !== undefined && { __urn }), ...(__timeouts !== undefined && { __timeouts }) };
}

/** What the inputs that a refresh records have of them: as the program would give them. */
export function refreshed(olds: Properties): Properties {
    const { __urn, ...rest } = kept(olds);
    const urn = __urn === true ? urnInMarker(metaOf(olds).marker) : __urn;
    return { ...rest, ...(urn !== undefined && { __urn: urn }) };
}

/**
 * Older versions recorded `true` where the marker holds the URN. Since then the resource may have been moved, and another one
 * may have its name: a guess is good enough for a row, and for nothing else.
 */
export function urnOf(properties: Properties, kind: ResourceKind): Known {
    const { __urn } = properties;
    const text = __urn === true ? urnInMarker(metaOf(properties).marker) : __urn;
    const shownUrn = typeof text === "string" && text !== "" ? wholeUrn(text, typeOf(kind)) : undefined;
    return { urn: __urn === true ? undefined : shownUrn, shownUrn };
}

/** The short form of the URN that a resource without a parent has by its marker. */
function urnInMarker(marker: string | undefined): string | undefined {
    const [, project, stack, name] = /([^/]*)\/([^/]*)\/(.*)/s.exec(ownerInMarker(marker) ?? "") ?? [];
    return name === undefined ? undefined : `${stack}::${project}::::${name}`;
}

const timeout = z
    .string()
    .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as "90s" or "1h30m"')
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
