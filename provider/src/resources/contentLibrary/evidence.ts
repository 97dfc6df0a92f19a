/**
 * What earlier operations of a library may have created, read once for all its entries: from the stack's state, the journal, and
 * the service's list where an operation was lost. Each create then asks the one law as that of any other object does.
 */
import { acceptanceMs, type ContentObject, clockMarginMs, maxSearchPages } from "../../api";
import { countDown } from "../../create/post";
import { look } from "../../create/search";
import { titleDigest } from "../../evidence/digest";
import { entryUrn, libraryKind } from "../../evidence/library";
import { Lists, type Reading } from "../../evidence/lists";
import { lineageOf, type Marker, markerIn, parseMarker, resourceDigest, stemIn } from "../../evidence/marker";
import type { OwnState } from "../../evidence/ownState";
import type { Properties } from "../../inputs/values";
import { LifecycleError, messages } from "../../messages";
import type { Environment, Operation } from "../../operation/operation";
import { contentService } from "../content/lifecycle";
import type { Library } from "./record";

export type Evidence = Awaited<ReturnType<typeof evidenceOf>>;

/** `size`: how many contents the library has or wants. */
export async function evidenceOf(operation: Operation, { at }: Library, size: number) {
    const { environment, urn: libraryUrn = "", signal } = operation;
    const { unrecorded, journal } = environment;
    const state = await environment.ownState.of(libraryUrn, libraryKind, operation);
    // Another machine's create: the journal does not know what it has sent.
    const isLost = state !== undefined && (await isUnknownHere(operation, state));
    const why = "waiting until no request of an earlier run can still be accepted";
    if (isLost) await countDown(operation, acceptanceMs, why);
    // An update that is lost leaves no trace in the state, but what it has created is not older than the library's record.
    const since = isLost ? Date.parse(state.birth) : at;
    // One reading serves all contents, so it may take a page for each: those of other libraries may be newer than what is looked for.
    const lists = new Lists(environment.clock, maxSearchPages + size);
    const kind = contentService("Content", environment.api);
    const isNeeded = since !== undefined && state !== undefined && state.birth !== "";
    const readings = isNeeded ? kind.lists(true).map((list) => lists.read(list, since, signal)) : [];
    const [reading = { items: [], complete: !isLost }] = await Promise.all(readings);
    /** By the resource in their marker, or else by their title. */
    const listed = new Map<string, ContentObject[]>();
    for (const item of reading.items) {
        const its = parseMarker(markerIn(item.metadata))?.resource ?? titleDigest(item.title ?? "");
        const others = listed.get(its) ?? [];
        others.push(item);
        listed.set(its, others);
    }

    /** What this stack has created for an entry, although no state, no journal and no lost create accounts for it. */
    async function unaccounted(
        query: { lists: Environment["lists"]; titles: string[] },
        own: OwnState,
        resource: string,
    ) {
        const ids: string[] = [];
        // The state forgets lost updates, but no lost create.
        if (at === undefined) return ids;
        const isIt = (marker: Marker) => marker.lineage === lineageOf(own.birth) && marker.resource === resource;
        const asked = { ...operation, environment: { ...environment, lists: query.lists } };
        const objects = await look(asked, { kind, anyShape: true, since: at, isIt, options: { signal }, ...query });
        for (const { contentId: id, createdOn = at, metadata } of objects) {
            // Where a create is lost too, the list is read back to the state's birth: older ones were released.
            if (isLost && createdOn < at - clockMarginMs) continue;
            const { nonce = "" } = parseMarker(markerIn(metadata)) ?? {};
            const isAccounted = own.lost.includes(stemIn(nonce)) || own.has({ id, nonce });
            if (!isAccounted && (await journal.find(nonce)) === undefined) ids.push(id);
        }
        return ids;
    }

    return {
        /** The creates that never ended, of which nothing remains to be found after this operation. */
        lost: state?.lost ?? [],

        /** What the create of an entry knows, and its inputs. @throws {LifecycleError} where the user has to decide. */
        async for(key: string, inputs: Properties): Promise<{ environment: Environment; inputs: Properties }> {
            const urn = entryUrn(libraryUrn, key);
            const own = state?.entry?.(urn);
            const resource = resourceDigest(urn, "Content");
            const titles = [titleDigest(String(inputs.title))];
            const items = [...titles, resource].flatMap((its) => listed.get(its) ?? []);
            const listing = (read: Reading<ContentObject>) =>
                ({ reach: async () => undefined, read: async () => read }) as unknown as Lists;
            // All that a lost create has made is in the list by now.
            const isKnown = !isLost || (reading.complete && items.length === 0);
            const known = {
                ...environment,
                ownState: { of: async () => own && { ...own, isKnown } },
                lists: isKnown ? lists : listing({ ...reading, items }),
            };
            if (own === undefined || inputs.importId !== undefined || unrecorded === "create")
                return { environment: known, inputs };
            // Namesakes that the library has may be gone by now, replaced by this operation.
            const others = items.filter(({ contentId: id }) => !own.has({ id }));
            const ids = await unaccounted({ lists: listing({ items: others, complete: true }), titles }, own, resource);
            if (ids.length === 0) return { environment: known, inputs };
            // Another copy of this state may have created it, so it is only adopted by its id.
            const [importId, another] = ids.filter((id) => unrecorded.includes(id));
            if (importId !== undefined && another === undefined)
                return { environment: known, inputs: { ...inputs, importId } };
            const objects = `Content ${ids.join(", ")}`;
            throw new LifecycleError(messages.refusedReleased({ objects, ids: ids.join(","), forget: "" }));
        },
    };
}

/** Each create is one machine's, so one entry of it shows that all it has sent is in this journal. */
async function isUnknownHere({ environment, urn = "" }: Operation, { lost, entry }: OwnState): Promise<boolean> {
    if (lost.length === 0) return false;
    const entries = await environment.journal.entriesOfStack(urn).catch(() => []);
    const known = entries.map((one) => entry?.(one.urn).lost.indexOf(stemIn(one.nonce)));
    return lost.some((_, index) => !known.includes(index));
}
