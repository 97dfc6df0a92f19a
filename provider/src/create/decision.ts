/**
 * One decision for all earlier creates of a resource, in two passes: what needs no search is settled first; then the objects of the others are
 * searched for, and the law is asked. The user's decision for this run counts.
 */
import { comparableId, IncompleteListError } from "../api";
import type { Found } from "../evidence/lists";
import { hasSameNames, isSameOwner, Nonces, parseMarker } from "../evidence/marker";
import { metaOf } from "../inputs/recordedMeta";
import { LifecycleError, listOf, type Message, messages } from "../messages";
import type { UnfinishedCreate } from "../operation/ownState";
import { RefusedObject, replacementOf, resourceWord } from "../operation/userDecision";
import { isStateless } from "../urn";
import type { Create, Decision } from "./create";
import { type Act, actFor, type CreateFacts, searches } from "./law";
import { unfinishedCreates, unfinishedInState } from "./ledger";
import { waitForLateAcceptance } from "./post";
import type { Searched } from "./search";

/** An earlier create, or the strays of all, and what the law says about it. */
interface Finding extends UnfinishedCreate, CreateFacts {
    act: Act;
    /** The objects that it has made, and that nothing manages. */
    objects: Found[];
    /** See `Searched`. */
    kin: Found[];
    /** The error of a search that could not show the objects. */
    searchError?: Error | undefined;
}

/** Applies the law to all earlier creates. Refusals win; then the create waits for objects that may still appear, and searches once more. */
export async function decide(create: Create): Promise<Decision> {
    const { operation, deadline } = create.subject;
    const { unfinished, hasWaited } = await unfinishedCreates(create);
    const settled = unfinished.map((one) => settle(create, one));
    for (let isLast = false; ; isLast = true) {
        const ofCreates = await Promise.all(settled.map((one) => (searches(one.act) ? search(create, one) : one)));
        const findings = [...ofCreates, ...(await findStrays(create, ofCreates))];
        const refused = refusedAmong(create, findings);
        const chosen = await chosenByUser(create, refused);
        // The search is repeated even if the user has chosen an object: any other object has to be named.
        const missing = findings.filter(
            ({ act, objects, searchError }) =>
                searches(act) && objects.length === 0 && (chosen === undefined || searchError === undefined),
        );
        if (isLast || missing.length === 0) return outcomeOf(create, findings, refused, chosen);
        const since = hasWaited ? operation.services.clock.now() : Math.max(...missing.map((one) => one.startedAt));
        const why = "waiting until no earlier request can still be accepted";
        await waitForLateAcceptance(operation, since, why, deadline);
    }
}

/** The first pass: whether the object is recorded, nothing was sent, or these credentials do not reach it. Other rules need a search. */
function settle({ subject, state }: Create, unfinished: UnfinishedCreate): Finding {
    const { id, nonce, fingerprint } = unfinished;
    const recorded = state?.has({ id, nonce }) === true;
    const reachable = fingerprint === undefined || subject.operation.services.trust.reaches(fingerprint);
    // Whether the inputs are the same decides only among rules that search.
    const facts = { ...unfinished, recorded, reachable, same: true };
    return { ...facts, act: actFor(facts), objects: [], kin: [] };
}

/** The second pass. An incomplete search leaves a doubt that the user may settle. */
async function search(create: Create, settled: Finding): Promise<Finding> {
    const { inputsDigest, nonce } = settled;
    let searchError: Error | undefined;
    const { own, kin } = await create.search.findOf(settled).catch((error: unknown): Searched => {
        create.subject.operation.signal.throwIfAborted();
        // Another failure, such as a 503, ends the create unchanged: nothing was sent.
        if (!(error instanceof LifecycleError || error instanceof IncompleteListError)) throw error;
        searchError = error;
        return { own: [], kin: [] };
    });
    // An object that was found by its id may be managed too: a killed adoption may have left an older marker on it.
    const objects = own.filter(({ id }) => !create.isManaged(id));
    const recorded = own.length > 0 && objects.length === 0;
    const isSame = ({ marker }: Found) => marker !== undefined && create.hasSameInputs(marker);
    const same = inputsDigest === undefined ? objects.every(isSame) : create.hasSameInputs({ inputsDigest, nonce });
    return { ...settled, act: actFor({ ...settled, recorded, same }), objects, kin, searchError };
}

/** The witness of strays: none. */
const stray = {
    ...{ nonce: "", startedAt: 0, kin: [] },
    ...{ sent: true, ours: true, neverRecorded: false, recorded: false, reachable: true, same: false },
};

/**
 * The objects that were made for this resource and that nothing explains: no record has them, no witness names their create, and they were neither
 * deleted nor left alone. A state that was put back lacks them, or what an update of a library lost with its machine. Where the own state cannot
 * be read, nothing is known, so the list is asked as well.
 */
async function findStrays(create: Create, ofCreates: readonly Finding[]): Promise<Finding[]> {
    const { subject, entry, state, listed } = create;
    const { library, services } = subject.operation;
    const isBlind = state === undefined && library === undefined && !isStateless(entry.urn);
    const ofList = isBlind ? await create.search.kinAmong(listed) : [];
    const all = [...ofCreates.flatMap(({ kin }) => kin), ...ofList, ...(library?.known.objects ?? [])];
    const isExplained = ({ id, marker }: Found) =>
        create.isManaged(id) ||
        services.claims.wasDeleted(id, entry.urn) ||
        library?.left.has(comparableId(id)) ||
        (marker !== undefined && state?.isHandled(marker.nonce)) ||
        objectsAmong(ofCreates).some((one) => one.id === id);
    const objects = eachOnce(all).filter((one) => !isExplained(one));
    return objects.length === 0 ? [] : [{ ...stray, act: actFor(stray), objects }];
}

/** The findings about which the user has to decide. */
function refusedAmong({ subject, entry }: Create, findings: readonly Finding[]): Finding[] {
    const { userDecision } = subject.operation.services;
    // Only one object can be adopted. Two creates may have the same one: its own, and an adoption that was killed.
    const isOne = eachOnce(objectsAmong(findings, "adopt")).length <= 1;
    return findings.filter(({ act, adoptedNonce, objects, searchError }) => {
        if (searchError !== undefined || act === "refuse") return true;
        // The user may have changed the decision since an adoption was killed.
        const isLeft = ({ id }: Found) => adoptedNonce !== undefined && userDecision.leaves(id, entry.urn);
        const isDoubtful = act === "refuseIfFound" || (act === "adopt" && (!isOne || objects.some(isLeft)));
        return isDoubtful && objects.length > 0;
    });
}

/**
 * The object that the user names for this run: a refused one, or one whose marker says that this resource made it, although no witness names it
 * or the search could not show it. @throws {LifecycleError} the refusal that the user has not answered.
 */
async function chosenByUser(create: Create, refused: readonly Finding[]): Promise<Found | undefined> {
    const { subject, entry } = create;
    const { userDecision } = subject.operation.services;
    const ids = refused.flatMap(idsOf);
    const open = new Set(ids.filter((id) => !userDecision.leaves(id, entry.urn)));
    // With two of them, nobody has said which one is meant.
    const isMeant = ({ id }: Found) =>
        userDecision.names(id) || (open.size === 1 && open.has(id) && userDecision.adoptsAll(entry.urn));
    const objects = objectsAmong(refused);
    const shown = objects.find((one) => isMeant(one) && !create.isManaged(one.id));
    if (shown !== undefined) return shown;
    const read = (id: string) => userDecision.readOnce(entry.kind, id, () => create.search.readById(id));
    const named = (await Promise.all(userDecision.adoptedIds.map(read))).flat();
    const isOwn = ({ marker }: Found) => marker !== undefined && isSameOwner(marker, create.owner);
    const chosen = named.find((one) => !create.isManaged(one.id) && (ids.includes(one.id) || isOwn(one)));
    if (chosen !== undefined || open.size === 0) return chosen;
    const message = refusal(create, refused, [...new Set(ids)]);
    throw new RefusedObject(
        message,
        objects.map(({ id }) => id),
        true,
    );
}

/** An object that was never seen is named by its marker: only `create` can leave it alone. */
function idsOf({ objects, id, nonce, marker = nonce }: Finding): string[] {
    if (objects.length > 0) return objects.map((one) => one.id);
    return [id ?? `with the marker ${marker}`];
}

/** What follows of the law and of the user's word, and the lines that say so. Without `chosen` the user leaves all that was refused alone. */
function outcomeOf(
    create: Create,
    findings: readonly Finding[],
    refused: readonly Finding[],
    chosen: Found | undefined,
): Decision {
    const { subject, entry, state } = create;
    const { services, info, warn } = subject.operation;
    const { claims, journal, trust, userDecision } = services;
    const accepted = findings.filter((one) => !refused.includes(one));
    const adopt = chosen ?? objectsAmong(accepted, "adopt")[0];
    // The resource has one object: what else was found is nobody's now, and the user has to know it.
    const others = eachOnce(objectsAmong(findings)).filter(({ id }) => id !== adopt?.id);
    const named = chosen === undefined ? refused.flatMap(idsOf) : [];
    // Only the law deletes, and only where no other rule speaks of the same object.
    const superseded = objectsAmong(chosen === undefined ? findings : [], "delete").map(({ id }) => id);
    const isRemoved = ({ id }: Found) =>
        superseded.includes(id) && !named.includes(id) && !userDecision.leaves(id, entry.urn);
    const [remove, left] = [others.filter(isRemoved), others.filter((one) => !isRemoved(one))];
    const object = `${entry.kind} ${adopt?.id}`;
    if (chosen?.marker && !create.hasSameInputs(chosen.marker))
        warn(messages.adoptedAsItIs({ object, way: replacementOf(entry.urn) }));
    if (chosen !== undefined) info(messages.namedByUser({ object }));
    else if (adopt !== undefined) {
        // The object of an earlier create of this stack exists, so these credentials reach the stack's objects.
        trust.noteSeen(entry.fingerprint);
        info(messages.foundAgain({ object }));
    }
    const leftIds = [...new Set([...named, ...left.map(({ id }) => id)])];
    if (leftIds.length > 0) warn(messages.leftAlone({ objects: listOf(leftIds) }));
    const isEnded = ({ objects, writer }: Finding) =>
        // Where the user has chosen, an object that was not found may still appear. Entries that a living process works on are kept.
        (chosen === undefined || objects.length > 0) && !(writer && journal.isHeldByLivingProcess({ writer }));
    const forget = findings.filter(isEnded).flatMap(({ nonce }) => nonce || []);
    // The state may name a create by the first digits of its nonce. "" would stand for every create.
    const isForgotten = (start: string) => start !== "" && forget.some((nonce) => nonce.startsWith(start));
    const inState = unfinishedInState(create).map(({ nonce }) => nonce);
    const handled = new Nonces([...(state?.handled ?? []), ...inState.filter(isForgotten)]);
    // The delete of the object that the create replaces comes next, and the service may show it for a while longer.
    const { mark, unconfirmed } = metaOf(claims.shownRecordOf(entry.urn)?.olds ?? {});
    const replaced = unconfirmed === undefined ? parseMarker(mark) : undefined;
    // Whole nonces: all objects that a library has made for one key begin with the same digits.
    for (const marker of [...left.map((one) => one.marker), replaced])
        if (marker !== undefined && !handled.has(marker.nonce)) handled.add(marker.nonce);
    return { adopt, remove, forget, handled: [...handled] };
}

/** The objects of all findings, or of those with this act. */
function objectsAmong(findings: readonly Finding[], act?: Act): Found[] {
    return findings.flatMap((one) => (act === undefined || one.act === act ? one.objects : []));
}

function eachOnce(objects: readonly Found[]): Found[] {
    return [...new Map(objects.map((one) => [one.id, one])).values()];
}

/** More of them would make a command too long for a line, or for a shell. */
const maxInCommand = 4;
const maxForgotten = 10;

function refusal(
    { entry: { kind, urn }, owner, state }: Create,
    refused: readonly Finding[],
    ids: readonly string[],
): Message {
    const objects = `${kind} ${listOf(ids)}`;
    // Creates that the state alone names have no entry, and so no writer.
    const nonces = refused.flatMap(({ nonce, writer }) => (writer ? nonce : []));
    const canForget = nonces.length > 0 && nonces.length <= maxForgotten;
    const forget = canForget ? messages.forgetEntries({ entries: nonces.join(" ") }) : "";
    const [error] = refused.flatMap(({ searchError }) => searchError ?? []);
    if (error !== undefined) return messages.searchFailed({ object: kind.toLowerCase(), error: error.message, forget });
    const [first] = refused;
    if (first?.act === "refuse") return messages.refusedCredentials({ objects, forget });
    // A stack with a copy of this one's state has its lineage, and other names.
    const isNamedOtherwise = ({ marker }: Found) => marker !== undefined && !hasSameNames(marker, owner);
    const isForeign = !first?.ours || objectsAmong(refused).some(isNamedOtherwise);
    const knownText = isForeign ? messages.refusedForeign : messages.refusedLostMachine;
    const text = state === undefined ? messages.refusedUnread : knownText;
    const [id = ""] = ids;
    const leave = ids.length <= maxInCommand ? ids.map((one) => `-${one}`).join(",") : `-${resourceWord(urn)}`;
    return text({ objects, one: ids.length === 1 ? "it" : id, adopt: id, leave, forget });
}
