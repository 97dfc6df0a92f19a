/** What the law says of each earlier create of a resource, once its object was searched for. */
import { type Deadline, IncompleteListError } from "../api";
import { inputsDigest } from "../evidence/digest";
import type { Listed } from "../evidence/lists";
import type { Marker } from "../evidence/marker";
import type { OwnState } from "../evidence/ownState";
import { LifecycleError } from "../messages";
import type { Operation } from "../operation/operation";
import type { Create } from "./create";
import { type Facts, type Rule, ruleFor, searches } from "./law";
import type { UnfinishedCreate } from "./ledger";
import { type Found, theOnly } from "./search";

/** The result of one rule. */
export interface Finding<T> {
    rule: Rule;
    unfinished: UnfinishedCreate;
    /** Those that nothing manages. */
    objects: Found<T>[];
    /** The object that the create may adopt. */
    adoptable?: Found<T> | undefined;
    /** Until when an object that was not found may still appear. */
    mayAppearUntil?: Deadline | undefined;
    /** Why the search could not show it. */
    searchError?: Error | undefined;
}

export async function findingOf<T extends Listed>(
    create: Create<T>,
    unfinished: UnfinishedCreate,
): Promise<Finding<T>> {
    const { operation, identity, state } = create;
    const { entry, fingerprint, inputs, nonce, silentFrom, sent, ours, neverRecorded, adoptedNonce } = unfinished;
    const facts: Facts = {
        ...{ sent, ours, neverRecorded, isAdoption: adoptedNonce !== undefined },
        recorded: entry !== undefined && state?.has(entry) === true,
        reachable: fingerprint === undefined || operation.services.trust.reaches(fingerprint),
        same: inputs === undefined || hasSameInputs({ inputs, nonce }, identity),
    };
    const expected = ruleFor(facts);
    if (!searches(expected)) return { rule: expected, unfinished, objects: [] };
    const { found, searchError } = await search(create, unfinished);
    // Also one that was found by its id: a killed adoption may have left an older marker on it.
    const objects = found.filter(({ id }) => !isManaged(id, operation, state));
    facts.recorded = found.length > 0 && objects.length === 0;
    if (inputs === undefined)
        facts.same = objects.every(({ marker }) => marker !== undefined && hasSameInputs(marker, identity));
    // The search may have changed what is known.
    const rule = ruleFor(facts);
    // One reading has shown all that the pending creates of a library have made.
    const isShown = state?.created !== undefined && isPendingAlone(unfinished);
    return {
        ...{ rule, unfinished, objects, searchError },
        adoptable: rule.act === "adopt" ? theOnly(objects) : undefined,
        mayAppearUntil: searches(rule) && objects.length === 0 && !isShown ? silentFrom : undefined,
    };
}

/** Only a pending operation names it. */
function isPendingAlone({ inputs }: UnfinishedCreate): boolean {
    return inputs === undefined;
}

/** A list that cannot be read completely, or an object that cannot be read, does not fail the search: it leaves a doubt. */
async function search<T extends Listed>(
    { operation: { signal }, search, state }: Create<T>,
    unfinished: UnfinishedCreate,
): Promise<{ found: Found<T>[]; searchError?: Error }> {
    const shown = state?.created as readonly T[] | undefined;
    try {
        if (shown === undefined || !isPendingAlone(unfinished)) return { found: await search.findOf(unfinished) };
        const isIt = ({ marker }: Found<T>) => marker?.nonce.startsWith(unfinished.nonce);
        return { found: shown.map((object) => search.found(object)).filter(isIt) };
    } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LifecycleError || error instanceof IncompleteListError)
            return { found: [], searchError: error };
        throw error;
    }
}

/** The state has the object, or another resource of this run does. */
export function isManaged(id: string, { services, urn }: Operation, state: OwnState | undefined): boolean {
    const manager = services.claims.ownerOf(id, urn);
    return state?.has({ id }) === true || (manager !== undefined && manager !== urn);
}

/** Whether an entry or a marker is of a create with these create-only inputs. */
export function hasSameInputs({ inputs, nonce }: Pick<Marker, "inputs" | "nonce">, identity: unknown): boolean {
    return inputs === inputsDigest(identity, nonce);
}
