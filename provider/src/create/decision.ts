/**
 * One decision for all earlier creates of a resource: the object of each is searched for where the law says so, and the user's decision for
 * this run counts.
 */
import { comparableId, IncompleteListError } from "../api";
import { digestOfInputs } from "../evidence/digest";
import { resourceUrn } from "../evidence/library";
import type { Found, ServiceObject } from "../evidence/lists";
import { hasSameNames, isSameOwner, type Marker, parseMarker } from "../evidence/marker";
import { createOnlyInputs } from "../inputs/properties";
import { metaOf } from "../inputs/recordedMeta";
import { LifecycleError, listOf, type Message, messages, replacements } from "../messages";
import type { UnfinishedCreate } from "../operation/ownState";
import { RefusedObject, resourceWord } from "../operation/userDecision";
import { isStateless } from "../urn";
import type { Create } from "./create";
import { type Facts, type Rule, ruleFor, searches } from "./law";
import { unfinishedCreates } from "./ledger";
import { waitForLateAcceptance } from "./post";
import type { Searched } from "./search";

/** The rule for one earlier create, or for the strays of all. */
interface Finding<T> {
    rule: Rule;
    unfinished: UnfinishedCreate;
    /** The objects of the earlier create that nothing manages. */
    objects: Found<T>[];
    /** See `Searched`. */
    kin?: Found<T>[];
    /** The error of a search that could not show the objects. */
    searchError?: Error | undefined;
}

interface Decision<T> {
    /** The object to adopt; `undefined` when the create has to send its own. */
    adopt: Found<T> | undefined;
    remove: Found<T>[];
    /** The `noncePrefix` of each earlier create that no later create has to know. */
    forget: string[];
    /** The `noncePrefix` of each forgotten create that the state names, and of each that it records as handled: see `ResourceState`. */
    handled: string[];
}

/** The refusal of a create: the user may also leave the objects alone. */
export class RefusedCreate extends RefusedObject {}

/** Applies the law to all earlier creates. Refusals win; then the create waits for objects that may still appear, and searches once more. */
export async function decide<T extends ServiceObject>(create: Create<T>): Promise<Decision<T>> {
    const { unfinished, inState, hasWaited } = await unfinishedCreates(create);
    const { clock, journal } = create.subject.operation.services;
    let found = await findAll(create, unfinished);
    if (found.missing.length > 0) {
        const since = hasWaited ? clock.now() : Math.max(...found.missing.map(({ unfinished }) => unfinished.since));
        const why = "waiting until no earlier request can still be accepted";
        await waitForLateAcceptance(create.subject.operation, since, why, create.subject.deadline);
        found = await findAll(create, unfinished);
    }
    const { findings, refused, chosen } = found;
    /** `left`: the objects that the user has left alone, about which no later create asks again. */
    const forgettable = (decided: readonly Finding<T>[], left: readonly Found<T>[]) => {
        // Entries that a living process works on are kept.
        const isHeld = ({ entry }: UnfinishedCreate) => entry !== undefined && journal.isHeldByLivingProcess(entry);
        const forget = decided.flatMap(({ unfinished }) => (isHeld(unfinished) ? [] : unfinished.noncePrefix || []));
        // The state knows 8 digits of a nonce, an entry all 12.
        const isForgotten = (start: string) => forget.some((noncePrefix) => noncePrefix.startsWith(start));
        const ended = inState.filter(isForgotten);
        const isNamed = (nonce: string) => ended.some((start) => nonce.startsWith(start));
        // Whole nonces: all objects that a library has made for one key begin with the same digits.
        const explained = [...left.flatMap(({ marker }) => marker ?? []), ...replacedBy(create)].map(
            ({ nonce }) => nonce,
        );
        const handled = [...ended, ...explained.filter((nonce) => !isNamed(nonce))];
        return { forget, handled: [...(create.state?.handled ?? []), ...handled] };
    };
    if (chosen === undefined) {
        const left = refused.flatMap(({ objects }) => objects);
        return { ...adoptAndDelete(create, findings, refused), ...forgettable(findings, left) };
    }
    // The resource has one object: the others that were found are nobody's now, and the user has to know them.
    const left = findings.flatMap(({ objects }) => objects).filter(({ id }) => id !== chosen.id);
    warnOfLeft(create, new Set(left.map(({ id }) => id)));
    const withObjects = findings.filter(({ objects }) => objects.length > 0);
    return { adopt: chosen, remove: [], ...forgettable(withObjects, left) };
}

/** The marker of the object that the create replaces: its delete comes next, and the service may show it for a while longer. */
function replacedBy<T extends ServiceObject>({ subject, entry }: Create<T>): Marker[] {
    const { olds = {} } = subject.operation.services.claims.shownRecordOf(entry.urn) ?? {};
    const { mark, unconfirmed } = metaOf(olds);
    return unconfirmed === undefined ? [parseMarker(mark) ?? []].flat() : [];
}

/** The findings, those that the law refuses, and the object that the user has chosen. `missing`: those whose object may still appear. */
async function findAll<T extends ServiceObject>(create: Create<T>, unfinished: readonly UnfinishedCreate[]) {
    const ofCreates = await Promise.all(unfinished.map((one) => findingOf(create, one)));
    const findings = [...ofCreates, ...(await findStrays(create, ofCreates))];
    const refused = refusedAmong(create, findings);
    const chosen = await chosenByUser(create, refused);
    // The search is repeated even if the user has chosen an object: any other object has to be named.
    const missing = findings.filter(
        ({ rule, objects, searchError }) =>
            searches(rule) && objects.length === 0 && (chosen === undefined || searchError === undefined),
    );
    return { findings, refused, chosen, missing };
}

async function findingOf<T extends ServiceObject>(
    create: Create<T>,
    unfinished: UnfinishedCreate,
): Promise<Finding<T>> {
    const { id, noncePrefix, fingerprint, inputsDigest } = unfinished;
    const { trust } = create.subject.operation.services;
    const facts: Facts = {
        ...unfinished,
        recorded: create.state?.has({ id, nonce: noncePrefix }) === true,
        reachable: fingerprint === undefined || trust.reaches(fingerprint),
        // Unknown before the object is found. It decides only among rules that search.
        same: true,
    };
    const rule = ruleFor(facts);
    if (!searches(rule)) return { rule, unfinished, objects: [] };
    let { own, kin }: Searched<T> = { own: [], kin: [] };
    let searchError: Error | undefined;
    try {
        ({ own, kin } = await create.search.findOf(unfinished, create.owner));
    } catch (error) {
        create.subject.operation.signal.throwIfAborted();
        // An incomplete search leaves a doubt that the user may settle. Another failure, such as a 503, ends the create unchanged: nothing was sent.
        if (!(error instanceof LifecycleError || error instanceof IncompleteListError)) throw error;
        searchError = error;
    }
    // An object that was found by its id may be managed too: a killed adoption may have left an older marker on it.
    const objects = own.filter(({ id }) => !create.isManaged(id));
    const recorded = own.length > 0 && objects.length === 0;
    const isSame = ({ marker }: Found<T>) => marker !== undefined && hasSameInputs(create, marker);
    const same =
        inputsDigest === undefined
            ? objects.every(isSame)
            : hasSameInputs(create, { inputsDigest, nonce: noncePrefix });
    return { rule: ruleFor({ ...facts, recorded, same }), unfinished, objects, kin, searchError };
}

/** The witness of strays: none. */
const stray: UnfinishedCreate = {
    ...{ noncePrefix: "", titleDigests: [], since: 0 },
    ...{ sent: true, ours: true, neverRecorded: false },
};

/**
 * The objects that were made for this resource and that nothing explains: no record has them, no witness names their create, and they were neither
 * deleted nor left alone. A state that was put back lacks them, or what an update of a library lost with its machine. Where the own state cannot
 * be read, nothing is known, so the list is asked as well.
 */
async function findStrays<T extends ServiceObject>(
    create: Create<T>,
    ofCreates: readonly Finding<T>[],
): Promise<Finding<T>[]> {
    const { subject, entry, state, search, owner, listed } = create;
    const { library, services } = subject.operation;
    const isBlind = state === undefined && library === undefined && !isStateless(entry.urn);
    const ofList = isBlind ? await search.kinAmong(listed, entry.titleDigest, owner) : [];
    const all = [...ofCreates.flatMap(({ kin = [] }) => kin), ...ofList, ...((library?.kin ?? []) as Found<T>[])];
    const isExplained = ({ id, marker }: Found<T>) =>
        create.isManaged(id) ||
        services.claims.wasDeleted(id, entry.urn) ||
        library?.left.has(comparableId(id)) ||
        (marker !== undefined && state?.isHandled(marker.nonce)) ||
        ofCreates.some(({ objects }) => objects.some((one) => one.id === id));
    const objects = [...new Map(all.map((one) => [one.id, one])).values()].filter((one) => !isExplained(one));
    return objects.length === 0 ? [] : [{ rule: ruleFor(strayFacts), unfinished: stray, objects }];
}

const strayFacts: Facts = { ...stray, recorded: false, reachable: true, same: false };

/** `leftAlone`: the refused findings, whose objects the user has decided to leave alone. */
function adoptAndDelete<T extends ServiceObject>(
    create: Create<T>,
    findings: readonly Finding<T>[],
    leftAlone: readonly Finding<T>[],
): Pick<Decision<T>, "adopt" | "remove"> {
    const { entry } = create;
    const { operation } = create.subject;
    const { trust, userDecision } = operation.services;
    const objectsOf = (isMeant: (finding: Finding<T>) => boolean) =>
        findings.filter(isMeant).flatMap(({ objects }) => objects);
    const [adopt] = objectsOf((one) => one.rule.act === "adopt" && !leftAlone.includes(one));
    // The rule for another create of the same object may keep it.
    const kept = objectsOf(({ rule }) => rule.act !== "delete").map(({ id }) => id);
    const superseded = objectsOf(({ rule }) => rule.act === "delete").map((one) => [one.id, one] as const);
    const removable = [...new Map(superseded).values()].filter(({ id }) => !kept.includes(id));
    const isLeft = ({ id }: Found<T>) => userDecision.leaves(id, entry.urn);
    warnOfLeft(create, new Set(removable.filter(isLeft).map(({ id }) => id)));
    const remove = removable.filter((one) => !isLeft(one));
    if (adopt !== undefined) {
        // The object of an earlier create of this stack exists, so these credentials reach the stack's objects.
        trust.noteSeen(entry.fingerprint);
        operation.info(messages.foundAgain({ object: `${entry.kind} ${adopt.id}` }));
    }
    return { adopt, remove };
}

function refusedAmong<T extends ServiceObject>(
    { subject: { operation }, entry }: Create<T>,
    findings: readonly Finding<T>[],
): Finding<T>[] {
    // Only one object can be adopted. Two creates may have the same one: its own, and an adoption that was killed.
    const adoptable = findings.filter(({ rule }) => rule.act === "adopt").flatMap(({ objects }) => objects);
    const isOne = new Set(adoptable.map(({ id }) => id)).size <= 1;
    return findings.filter(({ rule: { act }, unfinished, objects, searchError }) => {
        if (searchError !== undefined || act === "refuse") return true;
        if (objects.length === 0) return false;
        // The user may have changed the decision since an adoption was killed.
        const isLeft = ({ id }: Found<T>) =>
            unfinished.adoptedNonce !== undefined && operation.services.userDecision.leaves(id, entry.urn);
        return act === "refuseIfFound" || (act === "adopt" && (!isOne || objects.some(isLeft)));
    });
}

/**
 * The object that the user names for this run: a refused one, or one whose marker says that this resource made it, although no witness names it
 * or the search could not show it. @throws {LifecycleError} the refusal that the user has not answered.
 */
async function chosenByUser<T extends ServiceObject>(
    create: Create<T>,
    refused: readonly Finding<T>[],
): Promise<Found<T> | undefined> {
    const { entry } = create;
    const { operation } = create.subject;
    const { userDecision } = operation.services;
    const ids = [...new Set(refused.flatMap(idsOf))];
    const objects = refused.flatMap((finding) => finding.objects);
    const open = ids.filter((id) => !userDecision.leaves(id, entry.urn));
    // With two of them, nobody has said which one is meant.
    const isMeant = ({ id }: Found<T>) =>
        userDecision.names(id) || (open.length === 1 && open[0] === id && userDecision.adoptsAll(entry.urn));
    const chosen = objects.find((one) => isMeant(one) && !create.isManaged(one.id)) ?? (await namedByUser(create, ids));
    if (chosen === undefined) {
        const found = objects.map(({ id }) => id);
        if (open.length > 0) throw new RefusedCreate(refusal(create, refused, ids), found);
        warnOfLeft(create, new Set(ids));
        return undefined;
    }
    const object = `${entry.kind} ${chosen.id}`;
    if (chosen.marker && !hasSameInputs(create, chosen.marker))
        operation.warn(messages.adoptedAsItIs({ object, way: replacementOf(entry.urn) }));
    operation.info(messages.namedByUser({ object }));
    return chosen;
}

function replacementOf(urn: string): string {
    if (resourceUrn(urn) !== urn) return replacements.ofEntry;
    const way = replacements.ofResource(urn);
    // A name that a shell would read is left to the user.
    return way.length > maxCommand || /['!]/.test(urn) ? replacements.ofResource("<urn>") : way;
}

/** An object that the user names by its id, which the findings do not show. */
async function namedByUser<T extends ServiceObject>(
    { subject, entry, owner, search, isManaged }: Create<T>,
    refused: readonly string[],
): Promise<Found<T> | undefined> {
    const { userDecision } = subject.operation.services;
    const isOwn = ({ marker }: Found<T>) => marker !== undefined && isSameOwner(marker, owner);
    const read = (id: string) => userDecision.readOnce(entry.kind, id, () => search.readById(id));
    const named = await Promise.all(userDecision.adoptedIds.map(read));
    return named.flat().find((one) => !isManaged(one.id) && (refused.includes(one.id) || isOwn(one)));
}

function warnOfLeft<T extends ServiceObject>({ subject }: Create<T>, ids: ReadonlySet<string>): void {
    if (ids.size > 0) subject.operation.warn(messages.leftAlone({ objects: listOf([...ids]) }));
}

/** A longer command is no line for people. */
const maxCommand = 200;
/** More of them would make a command too long for a line, or for a shell. */
const maxInCommand = 4;
const maxForgotten = 10;

function refusal<T extends ServiceObject>(
    { entry: { kind, urn }, owner, state }: Create<T>,
    refused: readonly Finding<T>[],
    ids: readonly string[],
): Message {
    const objects = `${kind} ${listOf(ids)}`;
    const nonces = refused.flatMap(({ unfinished: { entry } }) => entry?.nonce ?? []);
    const canForget = nonces.length > 0 && nonces.length <= maxForgotten;
    const forget = canForget ? messages.forgetEntries({ entries: nonces.join(" ") }) : "";
    const [error] = refused.flatMap(({ searchError }) => searchError ?? []);
    if (error !== undefined) return messages.searchFailed({ object: kind.toLowerCase(), error: error.message, forget });
    const [first] = refused;
    if (first?.rule.act === "refuse") return messages.refusedCredentials({ objects, forget });
    // A stack with a copy of this one's state has its lineage, and other names.
    const isNamedOtherwise = ({ marker }: Found<T>) => marker !== undefined && !hasSameNames(marker, owner);
    const isForeign = !first?.unfinished.ours || refused.some(({ objects }) => objects.some(isNamedOtherwise));
    const knownText = isForeign ? messages.refusedForeign : messages.refusedLostMachine;
    const text = state === undefined ? messages.refusedUnread : knownText;
    const [id = ""] = ids;
    const leave = ids.length <= maxInCommand ? ids.map((one) => `-${one}`).join(",") : `-${resourceWord(urn)}`;
    return text({ objects, one: ids.length === 1 ? "it" : id, adopt: id, leave, forget });
}

/** An object that was never seen is named by its marker: only `create` can leave it alone. */
function idsOf<T>({ objects, unfinished: { id, noncePrefix, entry } }: Finding<T>): string[] {
    if (objects.length > 0) return objects.map((one) => one.id);
    return [id ?? `with the marker ${entry?.marker ?? noncePrefix}`];
}

/** Whether the earlier create, as its entry or marker names it, had these create-only inputs. */
function hasSameInputs<T extends ServiceObject>(
    { subject: { resource, inputs } }: Create<T>,
    { inputsDigest, nonce }: { inputsDigest?: string; nonce: string },
): boolean {
    return inputsDigest === digestOfInputs(createOnlyInputs(resource.definition.inputs.shape, inputs), nonce);
}
