/**
 * What earlier operations of a library may have created, read once for all its entries: from the stack's state, the journal, and
 * the service's list. Each create then asks the one law, as the create of any other object does.
 */
import { acceptanceMs, type ContentObject, clockMarginMs, isSameId, maxSearchPages } from "../../api";
import { warnOfOtherInputs } from "../../create/decision";
import { countDown } from "../../create/post";
import { type Found, Search, theOnly } from "../../create/search";
import { titleDigest } from "../../evidence/digest";
import type { JournalEntry } from "../../evidence/journal";
import { entryUrn, libraryKind } from "../../evidence/library";
import { Lists } from "../../evidence/lists";
import { lineageOf, type Marker, markerOf, resourceDigest, stemIn } from "../../evidence/marker";
import type { OwnState } from "../../evidence/ownState";
import { createIdentity } from "../../inputs/creation";
import type { Properties } from "../../inputs/values";
import { LifecycleError, messages } from "../../messages";
import type { Environment, Operation } from "../../operation/operation";
import { contentService } from "../content/lifecycle";
import { entryDefinition } from "./entries";
import type { Library } from "./record";

export type Evidence = Awaited<ReturnType<typeof evidenceOf>>;

/** `size`: how many contents the library has or wants. */
export async function evidenceOf(operation: Operation, { at, settled: before }: Library, size: number) {
    const { urn: libraryUrn = "", signal } = operation;
    const { clock, journal, unrecorded } = operation.environment;
    const state = await operation.environment.ownState.of(libraryUrn, libraryKind, operation);
    const entries = await journal.entriesOfStack(libraryUrn).catch(() => []);
    const here = new Set(entries.map(({ nonce }) => nonce));
    const isLost = state !== undefined && isUnknownHere(state, entries);
    if (isLost)
        await countDown(operation, acceptanceMs, "waiting until no request of an earlier run can still be accepted");
    // An update that is lost leaves no trace in the state, but what it has created is not older than the library's record.
    const since = isLost ? Date.parse(state.birth) : at;
    // A reading serves all contents, so it may take a page for each: those of other libraries may be newer than what is looked for.
    const lists = new Lists(clock, maxSearchPages + size);
    const environment = { ...operation.environment, lists };
    const kind = contentService("Content", environment.api);
    const isNeeded = since !== undefined && state !== undefined && state.birth !== "";
    const readings = isNeeded ? kind.lists().map((list) => lists.read(list, since, signal)) : [];
    const [reading = { items: [], complete: !isLost }] = await Promise.all(readings);
    const settled = [...(state?.lost ?? [])];
    /** By the resource in their marker, or else by their title. */
    const listed = Map.groupBy(
        reading.items,
        ({ metadata, title = "" }) => markerOf(metadata)?.resource ?? titleDigest(title),
    );

    /** The objects that this stack has created for an entry, and that neither its state nor the journal contains. */
    function unknownOf(own: OwnState, resource: string, title: string): Promise<Found<ContentObject>[]> {
        const known = [resource, title].flatMap((its) => listed.get(its) ?? []);
        // Namesakes that the library has may be gone by now, replaced by this operation.
        const items = known.filter(({ contentId: id }) => !own.has({ id }));
        const isOurs = ({ lineage, nonce }: Marker) =>
            lineage === lineageOf(own.birth) || own.lost.includes(stemIn(nonce));
        const isIt = (marker: Marker) =>
            marker.resource === resource && isOurs(marker) && !here.has(marker.nonce) && !own.has(marker);
        const search = new Search(kind, { read: async () => ({ items, complete: true }) }, { signal });
        return search.look({ titles: [title], since: 0, isIt });
    }

    return {
        /** The creates of which nothing remains to be found or decided after this operation. */
        settled,

        /** What the create of an entry knows, and its inputs. @throws {LifecycleError} where the user has to decide. */
        async for(key: string, inputs: Properties): Promise<{ environment: Environment; inputs: Properties }> {
            const urn = entryUrn(libraryUrn, key);
            const own = state?.entry?.(urn);
            if (own === undefined || inputs.importId !== undefined) return { environment, inputs };
            const title = titleDigest(String(inputs.title));
            const objects = await unknownOf(own, resourceDigest(urn, "Content"), title);
            const isOfLostCreate = (found: Found<ContentObject>) => own.lost.includes(stemOf(found));
            const lost = objects.filter(isOfLostCreate).map(({ object }) => object);
            const created = isLost && !reading.complete ? undefined : lost;
            const ownState = { of: async () => ({ ...own, created }) };
            // The state forgets lost updates, but no lost create: older ones were released.
            const isOfLostUpdate = (found: Found<ContentObject>) =>
                at !== undefined &&
                !isOfLostCreate(found) &&
                !before.includes(stemOf(found)) &&
                (found.object.createdOn ?? at) >= at - clockMarginMs;
            const undecided = objects.filter(isOfLostUpdate);
            if (unrecorded === "create") settled.push(...undecided.map(stemOf));
            if (undecided.length === 0 || unrecorded === "create")
                return { environment: { ...environment, ownState }, inputs };
            // Another copy of this state may have created it, so it is only adopted by its id.
            const chosen = theOnly(undecided.filter((one) => unrecorded.some((id) => isSameId(id, one.id))));
            const ids = undecided.map(({ id }) => id);
            const refused = { objects: `Content ${ids.join(", ")}`, ids: ids.join(","), forget: "" };
            if (chosen === undefined) throw new LifecycleError(messages.refusedReleased(refused));
            const identity = createIdentity(entryDefinition.inputs, inputs);
            warnOfOtherInputs(operation, "Content", chosen, identity);
            return { environment, inputs: { ...inputs, importId: chosen.id } };
        },
    };
}

function stemOf({ marker }: Found<ContentObject>): string {
    return stemIn(marker?.nonce ?? "");
}

/** Each create is one machine's, so one entry of it shows that all it has sent is in this journal. */
function isUnknownHere({ lost, entry }: OwnState, entries: readonly JournalEntry[]): boolean {
    const known = new Set(entries.map((one) => entry?.(one.urn).lost.indexOf(stemIn(one.nonce))));
    return lost.some((_, index) => !known.has(index));
}
