/**
 * One decision about all earlier creates of a resource that have not ended. Each is judged by the law (law.ts), most of them after a search for their
 * objects. The user's answer for this run (userDecision.ts) may change the outcome.
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
import { type Act, actFor, searches } from "./law";
import { unfinishedCreates, unfinishedInState } from "./ledger";
import { waitForLateAcceptance } from "./post";
import type { Searched } from "./search";

/** An earlier create, and what the law says about it. All strays (see `findStrays`) together make one finding. */
interface Finding extends UnfinishedCreate {
    act: Act;
    /** The objects that the create has made, without those that the state or another resource has. */
    objects: Found[];
    /** Objects that other creates have made for this resource: see `Searched`. */
    kin: Found[];
    /** The reason why the search could not be completed. */
    searchError?: Error | undefined;
}

/**
 * Applies the law to all earlier creates. A refusal ends the create at once. Otherwise the create waits for objects that may still appear, and
 * searches once more.
 */
export async function decide(create: Create): Promise<Decision> {
    const { operation, deadline } = create.subject;
    const { unfinished, hasWaited } = await unfinishedCreates(create);
    for (let isLast = false; ; isLast = true) {
        const ofCreates = await Promise.all(unfinished.map((one) => judge(create, one)));
        const findings = [...ofCreates, ...(await findStrays(create, ofCreates))];
        const refused = refusedAmong(create, findings);
        const chosen = await chosenByUser(create, refused);
        // The search is repeated even if the user has chosen an object: a warning has to name each other object that appears.
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

/** Applies the law to one earlier create. It searches for the object only where the facts that are known without a search do not decide. */
async function judge(create: Create, unfinished: UnfinishedCreate): Promise<Finding> {
    const { subject, state } = create;
    const { id, nonce, inputsDigest, fingerprint } = unfinished;
    const { services, signal } = subject.operation;
    const reachable = fingerprint === undefined || services.trust.reaches(fingerprint);
    // `same` is known only after the search. Until then any value will do: it only decides between rules that search.
    const facts = { ...unfinished, recorded: state?.has({ id, nonce }) === true, reachable, same: true };
    const act = actFor(facts);
    if (!searches(act)) return { ...unfinished, act, objects: [], kin: [] };
    let searchError: Error | undefined;
    const { own, kin } = await create.search.findOf(unfinished).catch((error: unknown): Searched => {
        signal.throwIfAborted();
        // Any other failure, such as a 503, ends this create. It has sent no POST, so the next run starts as this one did.
        if (!(error instanceof LifecycleError || error instanceof IncompleteListError)) throw error;
        // The create is refused with this error, unless the user has decided (VIDEOGRAPH_UNRECORDED).
        searchError = error;
        return { own: [], kin: [] };
    });
    // The state may have the object under another marker: a killed adoption had noted the object's id, but had not sent its own marker.
    const objects = own.filter(({ id }) => !create.isManaged(id));
    const recorded = own.length > 0 && objects.length === 0;
    const isSame = ({ marker }: Found) => marker !== undefined && create.hasSameInputs(marker);
    const same = inputsDigest === undefined ? objects.every(isSame) : create.hasSameInputs({ inputsDigest, nonce });
    return { ...unfinished, act: actFor({ ...facts, recorded, same }), objects, kin, searchError };
}

/** The facts about strays, for the law: a stray may be this resource's object, and nothing proves that no state has had it. */
const stray = { nonce: "", startedAt: 0, sent: true, ours: true, neverRecorded: false };

/**
 * Finds strays: objects with this resource's marker that belong to no record and to no unfinished create. Objects that were deleted or released, or
 * that the user has left alone, do not count. A stray is left where an older state was put back, or where a machine was lost with the only journal
 * that knew of the object. Without this search the create would make a second object. Where the state could not be read, the first page of the list
 * is searched as well.
 */
async function findStrays(create: Create, ofCreates: readonly Finding[]): Promise<Finding[]> {
    const { subject, entry, state, listed } = create;
    const { library, services } = subject.operation;
    const isBlind = state === undefined && library === undefined && !isStateless(entry.urn);
    const ofList = isBlind ? await create.search.kinAmong(listed) : [];
    const all = [...ofCreates.flatMap(({ kin }) => kin), ...ofList, ...(library?.known.items ?? [])];
    const isExplained = ({ id, marker }: Found) =>
        create.isManaged(id) ||
        services.claims.wasDeleted(id, entry.urn) ||
        library?.left.has(comparableId(id)) ||
        (marker !== undefined && state?.isHandled(marker.nonce)) ||
        objectsAmong(ofCreates).some((one) => one.id === id);
    const objects = eachOnce(all).filter((one) => !isExplained(one));
    if (objects.length === 0) return [];
    return [{ ...stray, act: actFor({ ...stray, recorded: false, reachable: true, same: false }), objects, kin: [] }];
}

/** The findings that stop the create until the user decides about them. */
function refusedAmong({ subject, entry }: Create, findings: readonly Finding[]): Finding[] {
    const { userDecision } = subject.operation.services;
    // If earlier creates name several objects to adopt, none is adopted, and the user decides. Two creates can name one object, which counts once: the
    // create that made it, and a later one that was killed while it adopted it.
    const isOne = eachOnce(objectsAmong(findings, "adopt")).length <= 1;
    return findings.filter(({ act, adoptedNonce, objects, searchError }) => {
        if (searchError !== undefined || act === "refuse") return true;
        // A killed run was to adopt the object, but the user tells this run to leave it alone. So it is not adopted.
        const isLeft = ({ id }: Found) => adoptedNonce !== undefined && userDecision.leaves(id, entry.urn);
        const isDoubtful = act === "refuseIfFound" || (act === "adopt" && (!isOne || objects.some(isLeft)));
        return isDoubtful && objects.length > 0;
    });
}

/**
 * The object that the user tells this run to adopt: a refused one, or any other object with this resource's marker, even if no search has found it.
 * `undefined` where the user has answered, but has named no object. @throws {LifecycleError} the refusal, where something is refused and the user has
 * not answered.
 */
async function chosenByUser(create: Create, refused: readonly Finding[]): Promise<Found | undefined> {
    const { subject, entry } = create;
    const { userDecision } = subject.operation.services;
    const ids = refused.flatMap(idsOf);
    const open = new Set(ids.filter((id) => !userDecision.leaves(id, entry.urn)));
    // `all:<resource>` chooses an object only if it is the only one in question: a resource has one object.
    const isMeant = ({ id }: Found) =>
        userDecision.names(id) || (open.size === 1 && open.has(id) && userDecision.adoptsAll(entry.urn));
    const objects = objectsAmong(refused);
    const objectIds = objects.map(({ id }) => id);
    const shown = objects.find((one) => isMeant(one) && !create.isManaged(one.id));
    if (shown !== undefined) return shown;
    const read = (id: string) => userDecision.readOnce(entry.kind, id, () => create.search.readById(id));
    const named = (await Promise.all(userDecision.adoptedIds.map(read))).flat();
    const isOwn = ({ marker }: Found) => isSameOwner(marker, create.owner);
    const chosen = named.find((one) => !create.isManaged(one.id) && (ids.includes(one.id) || isOwn(one)));
    if (chosen !== undefined || open.size === 0) return chosen;
    throw new RefusedObject(refusal(create, refused, [...new Set(ids)]), objectIds, true);
}

/** The ids for a message. An object that no search has shown has no id: its marker stands for it. */
function idsOf({ objects, id, nonce, marker = nonce }: Finding): string[] {
    if (objects.length > 0) return objects.map((one) => one.id);
    return [id ?? `with the marker ${marker}`];
}

/**
 * Returns what this create does, by the law and by the user's answer. Where something is refused and `chosen` is `undefined`, the user leaves all
 * refused objects alone: without an answer, `chosenByUser` has thrown.
 */
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
    // A resource has one object. All other objects that were found are deleted or left alone, and a warning names those that are left alone.
    const others = eachOnce(objectsAmong(findings)).filter(({ id }) => id !== adopt?.id);
    const named = chosen === undefined ? refused.flatMap(idsOf) : [];
    // Only what the law names for deletion is deleted. Otherwise a new rule of the law would delete its objects by default.
    const superseded = objectsAmong(chosen === undefined ? findings : [], "delete").map(({ id }) => id);
    const isRemoved = ({ id }: Found) =>
        superseded.includes(id) && !named.includes(id) && !userDecision.leaves(id, entry.urn);
    const [remove, left] = [others.filter(isRemoved), others.filter((one) => !isRemoved(one))];
    const object = `${entry.kind} ${adopt?.id}`;
    if (chosen?.marker && !create.hasSameInputs(chosen.marker))
        warn(messages.adoptedAsItIs({ object, way: replacementOf(entry.urn) }));
    if (chosen !== undefined) info(messages.namedByUser({ object }));
    else if (adopt !== undefined) {
        // These credentials have shown an object of this stack, so their 404 for another object can be believed.
        trust.noteSeen(entry.fingerprint);
        info(messages.foundAgain({ object }));
    }
    const leftIds = [...new Set([...named, ...left.map(({ id }) => id)])];
    if (leftIds.length > 0) warn(messages.leftAlone({ objects: listOf(leftIds) }));
    const isEnded = ({ objects, writer }: Finding) =>
        // A create has not ended if its object may still appear, because the user chose another one, or if a living process works on it.
        (chosen === undefined || objects.length > 0) && !(writer && journal.isHeldByLivingProcess({ writer }));
    const forget = findings.filter(isEnded).flatMap(({ nonce }) => nonce || []);
    // Of some creates the state only has the first digits of the nonce, or none (""). A record of "" would stand for every create.
    const isForgotten = (start: string) => start !== "" && forget.some((nonce) => nonce.startsWith(start));
    const inState = unfinishedInState(create).map(({ nonce }) => nonce);
    const handled = new Nonces([...(state?.handled ?? []), ...inState.filter(isForgotten)]);
    // The engine deletes the replaced object next, but the service may show it for a while longer. Without its nonce in `handled`, the next create
    // would take it for a stray.
    const { mark, unconfirmed } = metaOf(claims.shownRecordOf(entry.urn)?.olds ?? {});
    const replaced = unconfirmed === undefined ? parseMarker(mark) : undefined;
    // The whole nonce is recorded: its first digits would stand for other objects that a library has made for the same key.
    for (const marker of [...left.map((one) => one.marker), replaced])
        if (marker !== undefined && !handled.has(marker.nonce)) handled.add(marker.nonce);
    return { adopt, remove, forget, handled: [...handled] };
}

/** The objects of all findings, or of the findings with this act. */
function objectsAmong(findings: readonly Finding[], act?: Act): Found[] {
    return findings.flatMap((one) => (act === undefined || one.act === act ? one.objects : []));
}

function eachOnce(objects: readonly Found[]): Found[] {
    return [...new Map(objects.map((one) => [one.id, one])).values()];
}

/** With more ids or entries, the command in the message would be too long for a line. */
const maxInCommand = 4;
const maxForgotten = 10;

function refusal(
    { entry: { kind, urn }, owner, state }: Create,
    refused: readonly Finding[],
    ids: readonly string[],
): Message {
    const objects = `${kind} ${listOf(ids)}`;
    // Only a journal entry has a writer, and only an entry can be forgotten by a command.
    const nonces = refused.flatMap(({ nonce, writer }) => (writer ? nonce : []));
    const canForget = nonces.length > 0 && nonces.length <= maxForgotten;
    const forget = canForget ? messages.forgetEntries({ entries: nonces.join(" ") }) : "";
    const [error] = refused.flatMap(({ searchError }) => searchError ?? []);
    if (error !== undefined) return messages.searchFailed({ object: kind.toLowerCase(), error: error.message, forget });
    const [first] = refused;
    if (first?.act === "refuse") return messages.refusedCredentials({ objects, forget });
    // A stack with a copy of this stack's state has the same lineage. Then only the names in the marker show that an object is the other stack's.
    const isNamedOtherwise = ({ marker }: Found) => marker !== undefined && !hasSameNames(marker, owner);
    const isForeign = !first?.ours || objectsAmong(refused).some(isNamedOtherwise);
    const knownText = isForeign ? messages.refusedForeign : messages.refusedLostMachine;
    const text = state === undefined ? messages.refusedUnread : knownText;
    const [id = ""] = ids;
    const leave = ids.length <= maxInCommand ? ids.map((one) => `-${one}`).join(",") : `-${resourceWord(urn)}`;
    return text({ objects, one: ids.length === 1 ? "it" : id, adopt: id, leave, forget });
}
