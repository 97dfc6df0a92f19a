/**
 * Looks for videos that a killed or lost run of a library may have made, and that no record has. It looks once for all entries, in the stack's state
 * and in the service's list. The create of each entry then decides about the videos of its key by `create/law.ts`, as the create of a Content does.
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
    /** The unfinished creates of all entries, as the stack's state names them; `undefined` where the state could not be read. */
    pending: readonly UnfinishedCreate[] | undefined;
    /**
     * Videos whose marker names this library, that the library has not recorded, and about which no run has decided yet; by the resource in the
     * marker. The create of each entry takes its own videos out of the map. All others were made for keys that this run does not create.
     */
    made: Map<string, Found[]>;
    /**
     * Videos that the service lists but does not let this run read, so that nobody knows whose they are: the id of each, by the digest of its title.
     */
    unreadable: ReadonlyMap<string, string>;
    /** Why the list may lack some videos. */
    problem?: Message | undefined;
}

/** Reads the state and the service's list for videos that an earlier run may have made. `created`: the entries that this run creates. */
export async function readEvidence(
    operation: Operation,
    library: Library,
    created: readonly { key: string }[],
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
    // Where nothing was listed, as for a new library, the lines below would compute thousands of digests for nothing.
    if (items.length === 0) return { pending, made: new Map(), unreadable, problem };
    const recorded = [...library.entries.values(), ...library.pendingDeletes];
    const ids = new Set([...recorded.map(({ id }) => comparableId(id)), ...library.left]);
    const handled = new Nonces([...library.handled, ...recorded.flatMap(({ olds }) => metaOf(olds).handled ?? [])]);
    const resources = new Set(created.map(({ key }) => digestOfResource(entryUrn(urn, key), "Content")));
    const owner = ownerOf(urn, libraryKind, state?.birth);
    const start = `${namesIn(urn).name}/`;
    // A marker has the name `<library>/<key>`, also for a key that the program no longer declares. But a long name is cut, so the digest of each
    // created entry counts too.
    const isOfLibrary = ({ resourceDigest, name }: Marker) => resources.has(resourceDigest) || name.startsWith(start);
    const isOpen = (marker: Marker) =>
        isOfLibrary(marker) && isSameStackOwner(marker, owner) && !handled.has(marker.nonce);
    // Lists may show no metadata, and somebody may have changed the title. So every unknown video is read.
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

/** The service's list, as far back as an earlier run of this library may have made a video; empty if nothing points to an earlier run. */
async function readList(
    { api, lists }: Services,
    waiter: Waiter,
    { newest }: Library,
    pending: Evidence["pending"],
): Promise<Reading<ContentObject>> {
    const [list] = api.contents.lists;
    const [first] = pending ?? [];
    if (first !== undefined) return lists.read(list, { since: first.startedAt - earlierClockMarginMs }, waiter);
    // An update that was lost with its machine leaves no trace in the state. The videos that it has made are newer than `newest`.
    if (newest !== undefined) return lists.read(list, { createdOn: newest }, waiter);
    return { items: pending ? [] : [...(await lists.firstPage(list, waiter, { again: true }))] };
}

/**
 * A failed read counts as an unreadable video: it may be somebody else's, and must not stop a whole library. Only an entry with the same title fails
 * (`takeKnown`).
 */
function unlessRefused(error: unknown): [] {
    if (error instanceof ApiError && !(error instanceof AuthenticationError)) return [];
    throw error;
}

/** Takes out of the evidence what concerns the create of one entry. `title`: the title that the program declares. */
export function takeKnown(
    { pending = [], made, unreadable, problem }: Evidence,
    { urn, services }: Operation,
    title: unknown,
): Pick<NonNullable<Operation["library"]>, "creates" | "known"> {
    // Usually nothing was found. Then nothing has to be computed for each of thousands of entries.
    if (pending.length + made.size + unreadable.size === 0) return { creates: [], known: { items: [] } };
    const resource = digestOfResource(urn, "Content");
    const items = made.get(resource) ?? [];
    made.delete(resource);
    const id = unreadable.size > 0 ? unreadable.get(digestOfTitle(String(title))) : undefined;
    const unread = id === undefined ? undefined : messages.listedUnreadable({ object: `Content ${id}` });
    const isOpen = pending.length + items.length === 0 && !services.userDecision.leaves(id ?? "", urn);
    if (unread !== undefined && isOpen) throw new LifecycleError(unread);
    const known = { items, problem: problem ?? unread };
    const prefixFor = ({ attempt }: UnfinishedCreate) => (attempt ? noncePrefixOf(attempt, resource) : "");
    const creates = pending.map((one) => ({ ...one, nonce: prefixFor(one), isSearched: true }));
    return { creates, known };
}
