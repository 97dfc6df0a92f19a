/**
 * The objects that earlier operations of a library may have created, read once for all its entries: from the stack's state and the service's
 * list. The create of each entry then asks the one law about them, as the create of any other object does.
 */
import { type ContentObject, clockMarginMs, type Deadline } from "../../api";
import { waitForLateAcceptance } from "../../create/post";
import { Search } from "../../create/search";
import { digestOfTitle } from "../../evidence/digest";
import { libraryKind } from "../../evidence/library";
import { digestOfResource, lineageOf, type Marker, noncePrefixOf, prefixOf, readMarker } from "../../evidence/marker";
import type { UnfinishedCreate } from "../../evidence/ownState";
import type { Properties } from "../../inputs/values";
import type { Message } from "../../messages";
import type { Operation } from "../../operation/operation";
import { contentRequests } from "../content";
import type { Library } from "./record";

export interface Evidence {
    /** The creates of the library that never ended. */
    pending: readonly UnfinishedCreate[];
    /** The listed objects, by the resource in their marker, or else by their title; `undefined` where nothing is looked for. */
    listed: ReadonlyMap<string, ContentObject[]> | undefined;
    /** The reason why some objects may be missing from the list. */
    problem: Message | undefined;
}

export async function readEvidence(
    operation: Operation & { deadline: Deadline },
    { recordedAt }: Library,
): Promise<Evidence> {
    const { urn = "", services } = operation;
    const { api, lists, ownState } = services;
    const state = await ownState.of(urn, libraryKind, operation);
    const pending = state?.unfinished ?? [];
    const why = "waiting until no request of an earlier run can still be accepted";
    if (pending.length > 0) await waitForLateAcceptance(operation, 0, why);
    // A lost update leaves no trace in the state, but the objects that it has created are not older than the library's record.
    const since = pending[0]?.since ?? recordedAt;
    const [list] = since !== undefined && state?.birth ? contentRequests("Content", api).lists() : [];
    const reading = list && (await lists.read(list, since ?? 0, operation));
    const keyOf = ({ metadata, title = "" }: ContentObject) =>
        readMarker(metadata)?.resourceDigest ?? digestOfTitle(title);
    const listed = reading && Map.groupBy(reading.items, keyOf);
    return { pending, listed, problem: reading?.problem };
}

/** The earlier creates that may have made the entry. `settled`: the nonce prefixes of creates without a trace in the state. */
export async function earlierCreates(
    { pending, listed, problem }: Evidence,
    operation: Operation,
    { recordedAt, handled }: Library,
    { importId, title: declaredTitle }: Properties,
): Promise<{ creates: UnfinishedCreate[]; settled: string[] }> {
    const { urn = "", services } = operation;
    const { api, journal, lists, ownState } = services;
    const resource = digestOfResource(urn, "Content");
    const title = digestOfTitle(String(declaredTitle));
    const items = [resource, title].flatMap((key) => listed?.get(key) ?? []);
    const prefixFor = ({ attempt }: UnfinishedCreate) => (attempt ? noncePrefixOf(attempt, resource) : "");
    const reading = listed && { items, ...(problem && { problem }) };
    const creates = pending.map((one) => ({ ...one, noncePrefix: prefixFor(one), listed: reading }));
    // In most runs, no listed object can be the entry's.
    if (items.length === 0 || recordedAt === undefined || importId !== undefined) return { creates, settled: [] };
    const own = await ownState.of(urn, "Content", operation);
    const entries = await journal.entriesOf(resource).catch(() => []);
    const named = [...creates, ...(own?.unfinished ?? [])].map(({ noncePrefix }) => noncePrefix);
    const known = [...named, ...handled, ...entries.map(({ nonce }) => nonce)];
    // Objects with the lineage of this state, whose create neither the state nor the journal names.
    const isLost = (marker: Marker) =>
        marker.resourceDigest === resource &&
        marker.lineage === lineageOf(own?.birth ?? "") &&
        !known.some((noncePrefix) => marker.nonce.startsWith(noncePrefix));
    // Namesakes in the library may be gone by now, replaced by this operation.
    const others = items.filter(({ contentId: id }) => !own?.has({ id }));
    const search = new Search(contentRequests("Content", api), lists, operation);
    const found = await search.findAmong(others, [title], isLost);
    // The state forgets lost updates, but no lost create: older objects were released (`release`, retainOnDelete).
    const lost = found.filter(({ object }) => (object.createdOn ?? recordedAt) >= recordedAt - clockMarginMs);
    const ofUpdates = lost.map(({ id, marker }): UnfinishedCreate => {
        // Another copy of this state may have made the object, so no inputs prove that it is this state's.
        const object = { id, noncePrefix: marker?.nonce ?? "", inputsDigest: "", titleDigests: [], since: 0 };
        return { ...object, sent: true, ours: true, neverRecorded: false };
    });
    return { creates: [...creates, ...ofUpdates], settled: ofUpdates.map(({ noncePrefix }) => prefixOf(noncePrefix)) };
}
