/**
 * What earlier operations of a library may have created, read once for all its entries: from the stack's state and the service's list.
 * Each create then asks the one law, as the create of any other object does.
 */
import { acceptanceMs, type ContentObject, clockMarginMs, type Deadline, maxSearchPages } from "../../api";
import { refusedObjects, warnOfOtherInputs } from "../../create/decision";
import { countDown } from "../../create/post";
import { type Found, Search, theOnly } from "../../create/search";
import { titleDigest } from "../../evidence/digest";
import type { JournalEntry } from "../../evidence/journal";
import { entryUrn, libraryKind } from "../../evidence/library";
import { Lists } from "../../evidence/lists";
import {
    lineageOf,
    type Marker,
    markerOf,
    newNonce,
    noncePrefix,
    prefixOf,
    resourceDigest,
} from "../../evidence/marker";
import type { OwnState } from "../../evidence/ownState";
import { createIdentity } from "../../inputs/creation";
import type { Properties } from "../../inputs/values";
import { LifecycleError } from "../../messages";
import type { Operation, Services } from "../../operation/operation";
import { contentRequests } from "../content";
import { entryDefinition } from "./entries";
import type { Library } from "./record";

export type Evidence = Awaited<ReturnType<typeof evidenceOf>>;

/** `size`: how many contents the library has or wants. */
export async function evidenceOf(
    operation: Operation & { deadline: Deadline },
    { recordedAt, handled: before }: Library,
    size: number,
) {
    const { urn: libraryUrn = "", signal } = operation;
    const { clock, journal, userDecision } = operation.services;
    const earlier = await openLibraryEntry(operation);
    const state = await operation.services.ownState.of(libraryUrn, libraryKind, operation);
    const isHere = (prefix: string) => earlier.some(({ nonce }) => prefixOf(nonce) === prefix);
    const isLost = state?.pending.some(({ prefix }) => !isHere(prefix)) === true;
    if (isLost) {
        const left = acceptanceMs - (clock.monotonic() - state.readAt);
        await countDown(operation, left, "waiting until no request of an earlier run can still be accepted");
    }
    const here = new Set((await journal.entriesOfStack(libraryUrn).catch(() => [])).map(({ nonce }) => nonce));
    // An update that is lost leaves no trace in the state, but what it has created is not older than the library's record.
    const since = isLost ? Date.parse(state.birth) : recordedAt;
    // A reading serves all contents, so it may take a page for each: those of other libraries may be newer than what is looked for.
    const lists = new Lists(clock, maxSearchPages + size);
    const services = { ...operation.services, lists };
    const kind = contentRequests("Content", services.api);
    const isNeeded = since !== undefined && state !== undefined && state.birth !== "";
    const readings = isNeeded ? kind.lists().map((list) => lists.read(list, since, operation)) : [];
    const [reading = { items: [], complete: !isLost }] = await Promise.all(readings);
    const handled = state?.pending.map(({ prefix }) => prefix) ?? [];
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
        const isInDoubt = ({ nonce }: Marker) => own.unconfirmed.some(({ marker }) => marker.nonce === nonce);
        const isOurs = (marker: Marker) =>
            !isInDoubt(marker) && (marker.lineage === lineageOf(own.birth) || isPending(own, marker));
        const isIt = (marker: Marker) =>
            marker.resource === resource && isOurs(marker) && !here.has(marker.nonce) && !own.has(marker);
        const search = new Search(kind, { read: async () => ({ items, complete: true }) }, { signal });
        return search.find({ titles: [title], since: 0, isIt });
    }

    return {
        /** The creates of which nothing remains to be found or decided after this operation. */
        handled,

        /** What the create of an entry knows, and its inputs. @throws {LifecycleError} where the user has to decide. */
        async for(key: string, inputs: Properties): Promise<{ services: Services; inputs: Properties }> {
            const urn = entryUrn(libraryUrn, key);
            const own = state?.entry?.(urn);
            if (own === undefined || inputs.importId !== undefined) return { services, inputs };
            const title = titleDigest(String(inputs.title));
            const objects = await unknownOf(own, resourceDigest(urn, "Content"), title);
            const ofCreates = objects.filter(({ marker }) => isPending(own, marker));
            const created = isLost && !reading.complete ? undefined : ofCreates.map(({ object }) => object);
            const ownState = { ...services.ownState, of: async () => ({ ...own, created }) };
            // The state forgets lost updates, but no lost create: older ones were released.
            const isOfLostUpdate = (found: Found<ContentObject>) =>
                recordedAt !== undefined &&
                !ofCreates.includes(found) &&
                !before.includes(prefixOf(found.marker?.nonce ?? "")) &&
                (found.object.createdOn ?? recordedAt) >= recordedAt - clockMarginMs;
            const ofUpdates = objects.filter(isOfLostUpdate);
            const left = ofUpdates.filter(({ id }) => userDecision.leaves(id));
            handled.push(...left.map(({ marker }) => prefixOf(marker?.nonce ?? "")));
            const undecided = ofUpdates.filter((one) => !left.includes(one));
            if (undecided.length === 0) return { services: { ...services, ownState }, inputs };
            // Another copy of this state may have created it, so it is only adopted by its id.
            const chosen = theOnly(undecided.filter(({ id }) => userDecision.mayAdopt(id)));
            const ids = undecided.map(({ id }) => id);
            if (chosen === undefined) throw new LifecycleError(refusedObjects("Content", ids, "ours"));
            const identity = createIdentity(entryDefinition.inputs, inputs);
            warnOfOtherInputs(operation, "Content", chosen, identity);
            return { services, inputs: { ...inputs, importId: chosen.id } };
        },
    };
}

function isPending({ pending }: OwnState, marker: Marker | undefined): boolean {
    return marker !== undefined && pending.some(({ prefix }) => prefix === prefixOf(marker.nonce));
}

/**
 * An entry of the library itself: with it, this machine's journal has all that the operation sends. It is closed before those of the contents.
 * Returns those of earlier operations.
 */
async function openLibraryEntry(operation: Operation): Promise<JournalEntry[]> {
    const { urn = "", attempt, services, openedEntries } = operation;
    const { api, clock, journal, random } = services;
    const resource = resourceDigest(urn, libraryKind);
    const earlier = await journal.entriesOf(resource);
    const entry: JournalEntry = {
        ...{ kind: libraryKind, urn, resource, title: "", inputs: "" },
        nonce: newNonce(random, attempt && noncePrefix(attempt, resource)),
        ...{ fingerprint: api.fingerprint, startedAt: clock.now(), owner: journal.owner },
    };
    await journal.open(entry);
    openedEntries.unshift(entry, ...earlier);
    return earlier;
}
