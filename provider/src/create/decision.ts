/** One decision for all earlier creates of a resource: what follows from the findings, and from what the user says for this run. */
import { type Deadline, isSameId } from "../api";
import type { Listed } from "../evidence/lists";
import { LifecycleError, type Message, messages } from "../messages";
import type { Operation } from "../operation/operation";
import type { Create } from "./create";
import { type Finding, hasSameInputs } from "./findings";
import type { UnfinishedCreate } from "./ledger";
import { type Found, theOnly } from "./search";

export interface Decision<T> {
    /** The object to adopt; `undefined` when the create has to send its own. */
    adopt: Found<T> | undefined;
    remove: Found<T>[];
    /** The creates that need no more care. */
    close: UnfinishedCreate[];
}

/** Refusals win; then what has to be deleted, what can be adopted, and what may still appear: then the create waits. */
export async function decide<T extends Listed>(
    create: Create<T>,
    findings: readonly Finding<T>[],
    waited: boolean,
): Promise<Decision<T> | { wait: Deadline }> {
    const { trust, userDecision } = create.operation.services;
    const all = findings.map(({ unfinished }) => unfinished);
    const found = findings.flatMap((one) => one.adoptable ?? []);
    // Only one object can be adopted. Two creates may have it: its own, and an adoption that was killed.
    const isOne = new Set(found.map(({ id }) => id)).size <= 1;
    // The user may have changed the decision since an adoption was killed.
    const isLeft = ({ unfinished: { adoptedNonce }, adoptable }: Finding<T>) =>
        adoptedNonce !== undefined && adoptable !== undefined && userDecision.leaves(adoptable.id);
    const refused = findings.filter((one) => (one.adoptable === undefined ? isRefused(one) : !isOne || isLeft(one)));
    const chosen = refused.length > 0 ? await chosenByUser(create, refused) : undefined;
    if (chosen !== undefined) {
        create.operation.info(messages.namedByUser({ object: `${create.entry.kind} ${chosen.id}` }));
        // The resource has one object: the others that were found are nobody's now, and the user has to know them.
        const others = findings.filter(({ objects }) => objects.some(({ id }) => id !== chosen.id));
        const ids = others.flatMap(({ objects }) => objects.map(({ id }) => id)).filter((id) => id !== chosen.id);
        if (ids.length > 0) create.operation.warn(messages.leftAlone({ objects: [...new Set(ids)].join(", ") }));
        return { adopt: chosen, remove: [], close: [...others.map((one) => one.unfinished), ...ofObject(all, chosen)] };
    }
    // What the user leaves alone is decided; the others are not concerned.
    const adopt = findings.flatMap((one) => (refused.includes(one) ? [] : (one.adoptable ?? [])))[0];
    const late = findings.flatMap((one) => one.mayAppearUntil ?? []).sort((a, b) => b.at - a.at);
    if (!waited && adopt === undefined && late[0] !== undefined) return { wait: late[0] };
    // Another create of the same object may say otherwise.
    const kept = [...found, ...refused.flatMap(({ objects }) => objects)].map(({ id }) => id);
    const superseded = findings.filter(({ rule }) => rule.act === "delete").flatMap(({ objects }) => objects);
    const remove = superseded.filter(
        ({ id }, index) =>
            !kept.includes(id) && !userDecision.leaves(id) && superseded.findIndex((one) => one.id === id) === index,
    );
    if (adopt === undefined) return { adopt, remove, close: all };
    // The object of an earlier create of this stack exists, so these credentials reach the stack's objects.
    trust.noteSeen(create.entry.fingerprint);
    create.operation.info(messages.foundAgain({ object: `${create.entry.kind} ${adopt.id}` }));
    const ended = findings.filter((one) => one.rule.act === "close" || refused.includes(one));
    const closed = ended.map(({ unfinished }) => unfinished);
    return { adopt, remove, close: [...closed, ...ofObject(all, adopt)] };
}

function isRefused<T>({ rule: { act }, objects, searchError }: Finding<T>): boolean {
    return (
        searchError !== undefined ||
        act === "refuse" ||
        (act === "refuseIfFound" && objects.length > 0) ||
        (act === "adopt" && objects.length > 1)
    );
}

/** The creates of an object that is adopted under a new entry. */
function ofObject<T>(all: readonly UnfinishedCreate[], { id, marker }: Found<T>): UnfinishedCreate[] {
    return all.filter((one) => marker?.nonce.startsWith(one.nonce) || (one.id !== undefined && isSameId(one.id, id)));
}

/** The user's decision for this run; throws the refusal if there is none. */
async function chosenByUser<T extends Listed>(
    { operation, entry, identity, search, state }: Create<T>,
    refused: readonly Finding<T>[],
): Promise<Found<T> | undefined> {
    const { claims, userDecision } = operation.services;
    const { urn } = operation;
    const ids = [...new Set(refused.flatMap(idsOf))];
    const isDoubted = refused.some(({ searchError }) => searchError !== undefined);
    if (userDecision.leavesAll || (!isDoubted && ids.every((id) => userDecision.leaves(id)))) {
        operation.warn(messages.leftAlone({ objects: ids.join(", ") }));
        return undefined;
    }
    // The user may know what the search could not show, for this resource and for others.
    const named = isDoubted ? userDecision.adoptedIds : ids.filter((id) => userDecision.mayAdopt(id));
    const objects = (await Promise.all(named.map((id) => search.readById(id)))).flat();
    const isFree = ({ id, marker }: Found<T>) => {
        const manager = claims.ownerOf(id, urn);
        const isOther = (manager !== undefined && manager !== urn) || state?.has({ id });
        return !isOther && (marker === undefined || marker.resource === entry.resource);
    };
    const chosen = theOnly(objects.filter(isFree));
    if (chosen === undefined) throw new LifecycleError(refusal(entry.kind, refused, ids));
    // From here on no other resource of this run can adopt it.
    claims.claim(chosen.id, urn);
    warnOfOtherInputs(operation, entry.kind, chosen, identity);
    return chosen;
}

/** The user adopts an object that an earlier create of this resource has made, perhaps with other create-only inputs. */
export function warnOfOtherInputs({ warn }: Operation, kind: string, found: Found<unknown>, identity: unknown): void {
    const { id, marker } = found;
    if (marker !== undefined && !hasSameInputs(marker, identity))
        warn(messages.adoptedAsItIs({ object: `${kind} ${id}` }));
}

function refusal<T>(kind: string, refused: readonly Finding<T>[], ids: readonly string[]): Message {
    const objects = `${kind} ${ids.join(", ")}`;
    const nonces = refused.flatMap(({ unfinished: { entry } }) => entry?.nonce ?? []);
    const forget = nonces.length === 0 ? "" : messages.forgetEntries({ entries: nonces.join(" ") });
    const [error] = refused.flatMap(({ searchError }) => searchError ?? []);
    if (error !== undefined) return messages.searchFailed({ object: kind.toLowerCase(), error: error.message, forget });
    const [first] = refused.map(({ rule }) => rule.name);
    if (first === "credentials") return messages.refusedCredentials({ objects, forget });
    return refusedObjects(kind, ids, first === "undecided" || first === "resumed" ? "ours" : "foreign", forget);
}

/** `ours`: surely of this stack's state, but perhaps released since, or made with other inputs. */
export function refusedObjects(kind: string, ids: readonly string[], whose: "ours" | "foreign", forget = ""): Message {
    const text = whose === "ours" ? messages.refusedLostMachine : messages.refusedForeign;
    const [adopt, leave] = [ids.join(","), ids.map((id) => `-${id}`).join(",")];
    return text({ objects: `${kind} ${ids.join(", ")}`, adopt, leave, forget });
}

/** An object that was never seen is named by its marker. */
function idsOf<T>({ objects, unfinished: { id, nonce, entry } }: Finding<T>): string[] {
    if (objects.length > 0) return objects.map((one) => one.id);
    return [id ?? `with the marker ${entry?.marker ?? nonce}`];
}
