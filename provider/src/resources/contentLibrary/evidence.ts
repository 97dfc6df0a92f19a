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
    Nonces,
    namesIn,
    noncePrefixOf,
    ownerOf,
    readMarker,
} from "../../evidence/marker";
import { metaOf } from "../../inputs/recordedMeta";
import { LifecycleError, type Message, messages } from "../../messages";
import type { Operation, Services } from "../../operation/operation";
import type { UnfinishedCreate } from "../../operation/ownState";
import type { Library } from "./record";

export interface Evidence {
    /** The creates of the library that never ended; `undefined` where the stack's state could not be read. */
    pending: readonly UnfinishedCreate[] | undefined;
    /**
     * The objects that were made for entries of this library, and that nothing explains, by the resource in their marker. Each create takes its own
     * objects away: the rest was made for keys that the operation does not create.
     */
    made: Map<string, Found[]>;
    /** The ids of objects whose owner is unknown, because they cannot be read, by the digest of their title. */
    unreadable: ReadonlyMap<string, string>;
    /** The reason why the list may lack some objects. */
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
    const pending = state?.unfinished;
    const why = "waiting until no request of an earlier run can still be accepted";
    if (pending?.length) await waitForLateAcceptance(operation, 0, why, deadline);
    const { items, problem } = await readList(services, waiter, library, pending);
    if (!pending?.length && problem !== undefined) operation.warn(problem);
    const unreadable = new Map<string, string>();
    // A new library has thousands of keys, and nothing to compare them with.
    if (items.length === 0) return { pending, made: new Map(), unreadable, problem };
    const recorded = [...library.entries.values(), ...library.pendingDeletes];
    const ids = new Set([...recorded.map(({ id }) => comparableId(id)), ...library.left]);
    const handled = new Nonces([...library.handled, ...recorded.flatMap(({ olds }) => metaOf(olds).handled ?? [])]);
    const resources = new Set(keys.map((key) => digestOfResource(entryUrn(urn, key), "Content")));
    const owner = ownerOf(urn, libraryKind, state?.birth);
    const start = `${namesIn(urn).name}/`;
    // A marker shows the library's name before the key, but a long name is cut.
    const isOfLibrary = ({ resourceDigest, name }: Marker) => resources.has(resourceDigest) || name.startsWith(start);
    const isOpen = (marker: Marker) =>
        isOfLibrary(marker) && isSameStackOwner(marker, owner) && !handled.has(marker.nonce);
    // What a list does not show, each object does: also one whose title has changed since.
    const read = items.map(async ({ contentId: id, title = "", status, metadata }) => {
        const marker = readMarker(metadata);
        if (ids.has(comparableId(id)) || isBeingDeleted(status) || (marker && !isOpen(marker))) return [];
        const [found] = await readFound(services.api.contents, id, waiter).catch(unlessRefused);
        if (found === undefined) unreadable.set(digestOfTitle(title), id);
        return found?.marker && isOpen(found.marker) ? [found] : [];
    });
    const made = Map.groupBy((await Promise.all(read)).flat(), ({ marker }) => marker?.resourceDigest ?? "");
    return { pending, made, unreadable, problem };
}

/** The list, as far back as it may show an object of this library; empty for a new library that nothing says was begun before. */
async function readList(
    { api, lists }: Services,
    waiter: Waiter,
    { newest }: Library,
    pending: Evidence["pending"],
): Promise<Reading<ContentObject>> {
    const [list] = api.contents.lists;
    const [first] = pending ?? [];
    if (first !== undefined) return lists.read(list, { since: first.startedAt - earlierClockMarginMs }, waiter);
    // A lost update leaves no trace in the state, but what it has made is newer than all that the service had shown before.
    if (newest !== undefined) return lists.read(list, { createdOn: newest }, waiter);
    return { items: pending ? [] : [...(await lists.firstPage(list, waiter, { again: true }))] };
}

/** One object that cannot be read is no reason to create nothing: the entry with its title says so. */
function unlessRefused(error: unknown): [] {
    if (error instanceof ApiError && !(error instanceof AuthenticationError)) return [];
    throw error;
}

/** What the create of an entry has to know of the library's earlier operations. `title`: the one that the program declares. */
export function takeKnown(
    { pending = [], made, unreadable, problem }: Evidence,
    { urn, services }: Operation,
    title: unknown,
): Pick<NonNullable<Operation["library"]>, "creates" | "known"> {
    // Most operations find nothing.
    if (pending.length + made.size + unreadable.size === 0) return { creates: [], known: { objects: [] } };
    const resource = digestOfResource(urn, "Content");
    const objects = made.get(resource) ?? [];
    made.delete(resource);
    const id = unreadable.size > 0 ? unreadable.get(digestOfTitle(String(title))) : undefined;
    const unread = id === undefined ? undefined : messages.listedUnreadable({ object: `Content ${id}` });
    const isOpen = pending.length + objects.length === 0 && !services.userDecision.leaves(id ?? "", urn);
    if (unread !== undefined && isOpen) throw new LifecycleError(unread);
    const known = { objects, problem: problem ?? unread };
    const prefixFor = ({ attempt }: UnfinishedCreate) => (attempt ? noncePrefixOf(attempt, resource) : "");
    const creates = pending.map((one) => ({ ...one, nonce: prefixFor(one), isSearched: true }));
    return { creates, known };
}
