/**
 * What earlier operations of a library may have created, read once for all its entries: from the stack's state and the service's list.
 * The create of each entry then asks the one law about it, as the create of any other object does.
 */
import { type ContentObject, clockMarginMs, type Deadline } from "../../api";
import { waitForLateAcceptance } from "../../create/post";
import { type Found, Search } from "../../create/search";
import { titleDigest } from "../../evidence/digest";
import { libraryKind } from "../../evidence/library";
import { lineageOf, type Marker, prefixOf, readMarker, resourceDigest } from "../../evidence/marker";
import type { OwnState, UnfinishedCreate } from "../../evidence/ownState";
import type { Properties } from "../../inputs/values";
import type { Operation } from "../../operation/operation";
import { contentRequests } from "../content";
import type { Library } from "./record";

export interface Evidence {
    state: OwnState | undefined;
    /** The listed objects, by the resource in their marker, or else by their title. */
    listed: ReadonlyMap<string, ContentObject[]>;
    /** Whether all that a killed operation has created is among them, or in this machine's journal. */
    isComplete: boolean;
    /** Creates of which nothing remains to be found or decided after this operation: the prefixes of their nonces. */
    nowHandled: string[];
}

export async function readEvidence(
    operation: Operation & { deadline: Deadline },
    { recordedAt }: Library,
): Promise<Evidence> {
    const { urn = "", services } = operation;
    const { api, lists, ownState } = services;
    const state = await ownState.of(urn, libraryKind, operation);
    const nowHandled = state?.unfinished.map(({ nonceStart }) => nonceStart) ?? [];
    const why = "waiting until no request of an earlier run can still be accepted";
    if (nowHandled.length > 0) await waitForLateAcceptance(operation, 0, why);
    // An update that is lost leaves no trace in the state, but what it has created is not older than the library's record.
    const since = nowHandled.length > 0 ? Date.parse(state?.birth ?? "") : recordedAt;
    const isNeeded = since !== undefined && Boolean(state?.birth);
    const [list] = isNeeded ? contentRequests("Content", api).lists() : [];
    const reading = list && (await lists.read(list, since ?? 0, operation));
    const keyOf = ({ metadata, title = "" }: ContentObject) => readMarker(metadata)?.resource ?? titleDigest(title);
    const isComplete = reading !== undefined && reading.problem === undefined;
    return { state, listed: Map.groupBy(reading?.items ?? [], keyOf), isComplete, nowHandled };
}

/** The earlier creates that may have made the entry. */
export async function earlierCreates(
    { state, listed, isComplete, nowHandled }: Evidence,
    operation: Operation,
    { recordedAt, handled: before }: Library,
    { importId, title: declaredTitle }: Properties,
): Promise<UnfinishedCreate[]> {
    const { urn = "", services } = operation;
    const { api, journal, lists, ownState, trust } = services;
    const pending = state?.pendingOf?.(urn) ?? [];
    // As in most runs.
    if (pending.length === 0 && listed.size === 0) return [];
    const own = await ownState.of(urn, "Content", operation);
    if (own === undefined || state === undefined || importId !== undefined) return [];
    const resource = resourceDigest(urn, "Content");
    const entries = await journal.entriesOf(resource).catch(() => []);
    const title = titleDigest(String(declaredTitle));
    const isPending = (marker: Marker) => pending.some(({ nonceStart }) => marker.nonce.startsWith(nonceStart));
    // Objects of this state that neither it nor the journal has.
    const isUnknown = (marker: Marker) =>
        marker.resource === resource &&
        (marker.lineage === lineageOf(own.birth) || isPending(marker)) &&
        !(own.has(marker) || entries.some(({ nonce }) => nonce === marker.nonce)) &&
        !own.unfinished.some(({ nonceStart }) => nonceStart === marker.nonce);
    // Namesakes that the library has may be gone by now, replaced by this operation.
    const items = [resource, title]
        .flatMap((key) => listed.get(key) ?? [])
        .filter(({ contentId: id }) => !own.has({ id }));
    const search = new Search(contentRequests("Content", api), lists, operation);
    const objects = await search.findAmong(items, [title], isUnknown);
    // The state forgets lost updates, but no lost create: older ones were released.
    const isOfLostUpdate = ({ marker, object }: Found<ContentObject>) =>
        recordedAt !== undefined &&
        !before.includes(prefixOf(marker?.nonce ?? "")) &&
        (object.createdOn ?? recordedAt) >= recordedAt - clockMarginMs;
    const ofObject = (found: Found<ContentObject>): UnfinishedCreate[] => {
        const { id, marker } = found;
        if (marker === undefined || (!isPending(marker) && !isOfLostUpdate(found))) return [];
        const { nonce, inputs } = marker;
        if (!isPending(marker)) nowHandled.push(prefixOf(nonce));
        // Another copy of this state may have made that of an update, so no inputs prove that it is this one's.
        const known = { id, nonceStart: nonce, inputs: isPending(marker) ? inputs : "", titles: [], since: 0 };
        return [{ ...known, sent: true, ours: true, neverRecorded: false }];
    };
    const isUndecided = ({ nonceStart, fingerprint }: UnfinishedCreate) =>
        !isComplete ||
        entries.some((one) => one.nonce.startsWith(nonceStart)) ||
        (fingerprint !== undefined && !trust.reaches(fingerprint));
    return [...pending.filter(isUndecided), ...objects.flatMap(ofObject)];
}
