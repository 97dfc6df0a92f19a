/**
 * What earlier operations of a library may have created, read once for all its entries: from the stack's state, the journal, and
 * the service's list where an operation was lost. Each create then asks the one law as that of any other object does.
 */
import { acceptanceMs, type ContentObject, clockMarginMs, maxSearchPages } from "../../api";
import { countDown } from "../../create/post";
import { titleDigest } from "../../evidence/digest";
import { entryUrn, libraryKind } from "../../evidence/library";
import { Lists, type Reading } from "../../evidence/lists";
import { lineageOf, markerIn, parseMarker, resourceDigest, stemIn } from "../../evidence/marker";
import type { OwnState } from "../../evidence/ownState";
import type { Properties } from "../../inputs/values";
import { LifecycleError, messages } from "../../messages";
import { unlessMissing } from "../../operation/notFound";
import type { Environment, Operation } from "../../operation/operation";
import { contentService } from "../content/lifecycle";
import type { Library } from "./record";

interface Facts {
    state: OwnState | undefined;
    /** Whether another machine's create never ended: the journal does not know what it has sent. */
    isLost: boolean;
    /** When the library was last recorded. */
    recordedAt: number | undefined;
    lists: Lists;
    reading: Reading<ContentObject>;
}

export class Evidence {
    readonly #operation: Operation;
    readonly #facts: Facts;
    /** The listed objects, by the resource in their marker, or else by their title. */
    readonly #listed = new Map<string, ContentObject[]>();

    private constructor(operation: Operation, facts: Facts) {
        this.#operation = operation;
        this.#facts = facts;
        for (const item of facts.reading.items) {
            const key = parseMarker(markerIn(item.metadata))?.resource ?? titleDigest(item.title ?? "");
            const others = this.#listed.get(key);
            if (others === undefined) this.#listed.set(key, [item]);
            else others.push(item);
        }
    }

    /** `size`: how many contents the library has or wants. */
    static async of(operation: Operation, library: Library, size: number): Promise<Evidence> {
        const { environment, urn = "", signal } = operation;
        const state = await environment.ownState.of(urn, libraryKind, operation);
        const isLost = state !== undefined && (await isUnknownHere(operation, state));
        const why = "waiting until no request of an earlier run can still be accepted";
        if (isLost) await countDown(operation, acceptanceMs, why);
        // An update that is lost leaves no trace in the state, but what it has created is not older than the library's record.
        const since = isLost ? Date.parse(state.birth) : library.at;
        // The contents of a whole library may be newer than what is looked for.
        const lists = new Lists(environment.clock, maxSearchPages + Math.ceil(size / 25));
        const [list] = contentService("Content", environment.api).lists(true);
        const isNeeded = list !== undefined && since !== undefined && state !== undefined && state.birth !== "";
        const reading = isNeeded ? await lists.read(list, since, signal) : { items: [], complete: !isLost };
        return new Evidence(operation, { state, isLost, recordedAt: library.at, lists, reading });
    }

    /** The creates that never ended, of which nothing remains to be found after this operation. */
    get lost(): readonly string[] {
        return this.#facts.state?.lost ?? [];
    }

    /** What the create of an entry knows, and its inputs. @throws {LifecycleError} where the user has to decide. */
    async for(key: string, inputs: Properties): Promise<{ environment: Environment; inputs: Properties }> {
        const { state, isLost, lists, reading } = this.#facts;
        const urn = entryUrn(this.#operation.urn ?? "", key);
        const own = state?.entry?.(urn);
        const titled = this.#listed.get(titleDigest(String(inputs.title))) ?? [];
        const found = [...titled, ...(this.#listed.get(resourceDigest(urn, "Content")) ?? [])];
        // All that a lost create has made is in the list by now.
        const isKnown = !isLost || (reading.complete && found.length === 0);
        const itsList = { reach: async () => undefined, read: async () => ({ ...reading, items: found }) };
        const environment = {
            ...this.#operation.environment,
            ownState: { of: async () => own && { ...own, isKnown } },
            lists: isKnown ? lists : (itsList as unknown as Environment["lists"]),
        };
        const ids = inputs.importId === undefined ? await this.#unaccounted(urn, found, own) : [];
        const { unrecorded } = environment;
        if (ids.length === 0 || unrecorded === "create") return { environment, inputs };
        // Another copy of this state may have created it, so it is only adopted by its id.
        const [importId, another] = ids.filter((id) => unrecorded.includes(id));
        if (importId !== undefined && another === undefined) return { environment, inputs: { ...inputs, importId } };
        const objects = `Content ${ids.join(", ")}`;
        throw new LifecycleError(messages.refusedReleased({ objects, ids: ids.join(","), forget: "" }));
    }

    /** What this stack has created for an entry, although no state, no journal and no lost create accounts for it. */
    async #unaccounted(urn: string, found: ContentObject[], own: OwnState | undefined): Promise<string[]> {
        const { api, journal } = this.#operation.environment;
        const { signal } = this.#operation;
        const { isLost, recordedAt } = this.#facts;
        const ids: string[] = [];
        // The state forgets lost updates, but no lost create.
        if (recordedAt === undefined) return ids;
        for (const item of found) {
            const get = () => api.getContent(item.contentId, { signal });
            const object = item.metadata === undefined ? await unlessMissing(get) : item;
            // Where a create is lost too, the list is read back to the state's birth: older ones were released.
            if (isLost && (object?.createdOn ?? recordedAt) < recordedAt - clockMarginMs) continue;
            const marker = parseMarker(markerIn(object?.metadata));
            if (marker?.lineage !== lineageOf(own?.birth ?? "") || marker.resource !== resourceDigest(urn, "Content"))
                continue;
            const { nonce } = marker;
            const isAccounted = own?.lost.includes(stemIn(nonce)) || own?.has({ id: item.contentId, nonce });
            if (!isAccounted && (await journal.find(nonce)) === undefined) ids.push(item.contentId);
        }
        return ids;
    }
}

/** Each create is one machine's, so one entry of it shows that all it has sent is in this journal. */
async function isUnknownHere({ environment, urn = "" }: Operation, { lost, entry }: OwnState): Promise<boolean> {
    if (lost.length === 0) return false;
    const entries = await environment.journal.entriesOfStack(urn).catch(() => []);
    const known = entries.map((one) => entry?.(one.urn).lost.indexOf(stemIn(one.nonce)));
    return lost.some((_, index) => !known.includes(index));
}
