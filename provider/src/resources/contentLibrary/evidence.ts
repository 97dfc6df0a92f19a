/**
 * The objects that earlier operations of a library may have created, read once for all its entries: from the stack's state and the service's
 * list. The create of each entry then asks the one law about them, as the create of any other object does.
 */
import {
    ApiError,
    AuthenticationError,
    type ContentObject,
    comparableId,
    type Deadline,
    earlierClockMarginMs,
} from "../../api";
import { isBeingDeleted } from "../../api/status";
import { waitForLateAcceptance } from "../../create/post";
import { readFound } from "../../create/search";
import { digestOfTitle } from "../../evidence/digest";
import { entryUrn, libraryKind } from "../../evidence/library";
import type { Found, Reading, Waiter } from "../../evidence/lists";
import {
    digestOfResource,
    isSameStackOwner,
    type Marker,
    namesIn,
    noncePrefixOf,
    ownerOf,
    prefixOf,
    readMarker,
} from "../../evidence/marker";
import { metaOf } from "../../inputs/recordedMeta";
import type { Properties } from "../../inputs/values";
import { LifecycleError, type Message, messages } from "../../messages";
import type { Operation, Services } from "../../operation/operation";
import type { ResourceState, UnfinishedCreate } from "../../operation/ownState";
import type { Library } from "./record";

export interface Evidence {
    /** The stack's own state; `undefined` where it could not be read. */
    state: ResourceState | undefined;
    /** The creates of the library that never ended. */
    pending: readonly UnfinishedCreate[];
    /** The objects that were made for entries of this library and that nothing explains, by the resource in their marker. */
    made: ReadonlyMap<string, Found[]>;
    /** The ids of objects whose owner is unknown, because they cannot be read, by the digest of their title. */
    unreadable: ReadonlyMap<string, string>;
    /** The ids of objects that have left the library. */
    left: ReadonlySet<string>;
    /** The reason why some objects may be missing from the list. */
    problem?: Message | undefined;
}

/** `keys`: those of the entries that the operation creates. */
export async function readEvidence(
    operation: Operation,
    library: Library,
    keys: readonly string[],
    deadline: Deadline,
): Promise<Evidence> {
    const { urn, services, signal, progress } = operation;
    const waiter = { signal, progress, deadline };
    const state = await services.ownState.of(urn, libraryKind, operation);
    const pending = state?.unfinished ?? [];
    const why = "waiting until no request of an earlier run can still be accepted";
    if (pending.length > 0) await waitForLateAcceptance(operation, 0, why, deadline);
    const reading = await readList(services, waiter, library, state);
    const unreadable = new Map<string, string>();
    const left = new Set([...library.left].map(comparableId));
    if (reading === undefined) return { state, pending, made: new Map(), unreadable, left };
    const resources = new Set(keys.map((key) => digestOfResource(entryUrn(urn, key), "Content")));
    const isMeant = isOfLibrary(urn, resources, state);
    const isExplained = explainedBy(library);
    // What a list does not show, each object does: also one whose title has changed since.
    const read = reading.items.map(async (item) => {
        const marker = readMarker(item.metadata);
        if (isExplained(item.contentId, marker) || (marker !== undefined && !isMeant(marker))) return [];
        if (isBeingDeleted(item.status)) return [];
        const [found] = await readFound(services.api.contents, item.contentId, waiter).catch(unlessRefused);
        if (found === undefined) unreadable.set(digestOfTitle(item.title ?? ""), item.contentId);
        return found?.marker && isMeant(found.marker) && !isExplained(found.id, found.marker) ? [found] : [];
    });
    const made = Map.groupBy((await Promise.all(read)).flat(), ({ marker }) => marker?.resourceDigest ?? "");
    if (pending.length === 0 && reading.problem !== undefined) operation.warn(reading.problem);
    return { state, pending, made, unreadable, left, problem: reading.problem };
}

/** The list, as far back as it may show an object of this library; `undefined` for a new library that nothing says was begun before. */
async function readList(
    { api, lists }: Services,
    waiter: Waiter,
    { newest }: Library,
    state: ResourceState | undefined,
): Promise<Reading<ContentObject> | undefined> {
    const [list] = api.contents.lists;
    const [pending] = state?.unfinished ?? [];
    if (pending !== undefined) return lists.read(list, { since: pending.since - earlierClockMarginMs }, waiter);
    // A lost update leaves no trace in the state, but what it has made is newer than all that the service had shown before.
    if (newest !== undefined) return lists.read(list, { createdOn: newest }, waiter);
    return state === undefined ? { items: [...(await lists.firstPage(list, waiter, { again: true }))] } : undefined;
}

/** One object that cannot be read is no reason to create nothing: the entry with its title says so. */
function unlessRefused(error: unknown): [] {
    if (error instanceof ApiError && !(error instanceof AuthenticationError)) return [];
    throw error;
}

/** Whether a marker is that of an entry: of one of these resources, or of another one that has the library's name before its key. */
function isOfLibrary(urn: string, resources: ReadonlySet<string>, state: ResourceState | undefined) {
    const own = ownerOf(urn, libraryKind, state?.birth);
    const start = `${namesIn(urn).name}/`;
    return (marker: Marker) =>
        (resources.has(marker.resourceDigest) || marker.name.startsWith(start)) && isSameStackOwner(marker, own);
}

/** Whether the library's record explains an object: it has the object, it has deleted or released it, or the user has left it alone. */
function explainedBy({ entries, pendingDeletes, left, handled }: Library) {
    const recorded = [...entries.values(), ...pendingDeletes];
    const ids = new Set([...recorded.map(({ id }) => id), ...left].map(comparableId));
    const nonces = new Set([...handled, ...recorded.flatMap(({ olds }) => metaOf(olds).handled ?? [])]);
    return (id: string, marker: Marker | undefined) =>
        ids.has(comparableId(id)) ||
        (marker !== undefined && (nonces.has(marker.nonce) || nonces.has(prefixOf(marker.nonce))));
}

const nothingKnown = { creates: [], known: { objects: [], isFinal: false } };

/** What the create of an entry has to know of the library's earlier operations. */
export function knownOf(
    { pending, made, unreadable, left, problem }: Evidence,
    { urn, services }: Operation,
    { title }: Properties,
): NonNullable<Operation["library"]> {
    // Most operations find nothing.
    if (pending.length + made.size + unreadable.size === 0) return { ...nothingKnown, left };
    const resource = digestOfResource(urn, "Content");
    const objects = made.get(resource) ?? [];
    const doubtful = unreadable.size > 0 ? unreadable.get(digestOfTitle(String(title))) : undefined;
    const unread = doubtful === undefined ? undefined : messages.listedUnreadable({ object: `Content ${doubtful}` });
    const isOpen = doubtful !== undefined && !services.userDecision.leaves(doubtful, urn);
    if (unread && isOpen && pending.length === 0 && objects.length === 0) throw new LifecycleError(unread);
    const known = { objects, problem: problem ?? unread, isFinal: false };
    const prefixFor = ({ attempt }: UnfinishedCreate) => (attempt ? noncePrefixOf(attempt, resource) : "");
    const creates = pending.map((one) => ({ ...one, noncePrefix: prefixFor(one), known: { ...known, isFinal: true } }));
    return { creates, known, left };
}

/**
 * Whether an object was made for a key that the operation does not create. If it counted as looked for, the operation that declares the key again
 * would read the list no further back than now, and create a second one.
 */
export function hasOthers({ made }: Evidence, urn: string, keys: readonly string[]): boolean {
    const resources = keys.map((key) => digestOfResource(entryUrn(urn, key), "Content"));
    return made.size > resources.filter((resource) => made.has(resource)).length;
}
