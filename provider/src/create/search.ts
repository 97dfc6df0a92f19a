/**
 * Finds the objects of a create by their marker: candidates in the lists by title, then each candidate by a GET, because the
 * service cannot be asked for metadata and its lists may not show it. Never other titles, and never the whole account: `evidence/lists.ts` says
 * how far a list is read.
 */
import { type CallOptions, earlierClockMarginMs } from "../api";
import { isBeingDeleted } from "../api/status";
import { digestOfTitle } from "../evidence/digest";
import type { Found, Known, ServiceObject, Waiter } from "../evidence/lists";
import { isSameOwner, type Marker, type Owner, readMarker } from "../evidence/marker";
import { LifecycleError, type Message, messages } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import type { UnfinishedCreate } from "../operation/ownState";
import type { ObjectRequests, Subject } from "../operation/subject";

/** What a search for the object of one create has found. */
export interface Searched {
    /** The create's own object; more than one if the service has made it twice. */
    own: Found[];
    /** Where the own object was not found: objects that other creates have made for the same resource. */
    kin: Found[];
}

/** The parts of a create by which its object is known. */
type Wanted = Pick<
    UnfinishedCreate,
    "id" | "noncePrefix" | "adoptedNonce" | "titleDigests" | "since" | "isOfThisProcess" | "known"
>;

/** Looks for objects of one kind that are there and not being deleted. `owner`: the resource whose objects are looked for. */
export class Search {
    readonly #subject: Subject;
    readonly #requests: ObjectRequests;
    readonly #owner: Owner;
    readonly #options: Waiter;

    constructor(subject: Subject, owner: Owner, options: Waiter) {
        this.#subject = subject;
        this.#requests = subject.requests;
        this.#owner = owner;
        this.#options = options;
    }

    /** @throws {LifecycleError} where an incomplete list does not show the create's own object. */
    async findOf(wanted: Wanted): Promise<Searched> {
        const { id, known } = wanted;
        const isOwn = (marker: Marker) => isNamed(wanted, marker);
        if (id !== undefined) {
            const found = await this.readById(id);
            // A service may not show metadata at all; then the id says enough.
            const unmarked = found.filter(({ object }) => object.metadata === undefined);
            return unmarked.length > 0 ? { own: unmarked, kin: [] } : this.#parted(found, isOwn);
        }
        const isThere = known?.objects.some(({ marker }) => marker !== undefined && isOwn(marker));
        const isEnough = known !== undefined && (isThere || known.isFinal);
        const { objects, problem } = isEnough ? known : await this.#read(wanted, isOwn);
        const searched = this.#parted(objects, isOwn);
        if (searched.own.length === 0 && problem !== undefined) throw new LifecycleError(problem);
        return searched;
    }

    /** The listed objects that other creates have made for the same resource, whoever made them. */
    async kinAmong(items: readonly ServiceObject[], titleDigest: string): Promise<Found[]> {
        const { objects, problem } = await this.#readAmong(items, [titleDigest], () => false);
        const { kin } = this.#parted(objects, () => false);
        if (kin.length === 0 && problem !== undefined) throw new LifecycleError(problem);
        return kin;
    }

    async #read({ titleDigests, since, isOfThisProcess }: Wanted, isOwn: IsOwn): Promise<Known> {
        // The clocks of two machines may differ by hours, and this process's own differs from the service's as its answers show.
        const from = { since: isOfThisProcess ? since : since - earlierClockMarginMs };
        const { lists } = this.#subject.operation.services;
        const reading = this.#requests.lists.map((list) => lists.read(list, from, this.#options));
        const readings = await Promise.all(reading);
        const items = readings.flatMap((reading) => reading.items);
        const read = await this.#readAmong(items, titleDigests, isOwn);
        return { ...read, problem: read.problem ?? readings.flatMap(({ problem }) => problem ?? [])[0] };
    }

    /** The candidates among the items, read one by one. */
    async #readAmong(items: readonly ServiceObject[], titleDigests: readonly string[], isOwn: IsOwn): Promise<Known> {
        const objects = new Map<string, Found>();
        let problem: Message | undefined;
        for (const item of items) {
            const shown = readMarker(item.metadata);
            const isTitled = item.title === undefined || titleDigests.includes(digestOfTitle(item.title));
            const isCandidate = shown === undefined ? isTitled : isOwn(shown) || isSameOwner(shown, this.#owner);
            if (!isCandidate || isBeingDeleted(item.status)) continue;
            const id = this.#requests.idOf(item);
            const [found] = await this.readById(id);
            if (found !== undefined) objects.set(id, found);
            // A service may list a new object before it can be read, so its owner is unknown. One that another create has made was deleted.
            else if (shown === undefined || isOwn(shown))
                problem = messages.listedUnreadable({ object: `${this.#subject.resource.definition.name} ${id}` });
        }
        return { objects: [...objects.values()], problem, isFinal: false };
    }

    readById(id: string): Promise<Found[]> {
        return readFound(this.#requests, id, this.#options);
    }

    #parted(objects: readonly Found[], isOwn: IsOwn): Searched {
        const marked = objects.flatMap(({ marker, ...one }) => (marker === undefined ? [] : { ...one, marker }));
        const own = marked.filter(({ marker }) => isOwn(marker));
        const kin = marked.filter(({ marker }) => isSameOwner(marker, this.#owner));
        return { own, kin: own.length > 0 ? [] : kin };
    }
}

/** The object with this id, whatever marker it has. */
export async function readFound(requests: ObjectRequests, id: string, options: CallOptions): Promise<Found[]> {
    const object = await unlessNotFound(() => requests.get(id, options));
    return object === undefined || isBeingDeleted(object.status) ? [] : [foundOf(requests, object)];
}

export function foundOf({ idOf }: ObjectRequests, object: ServiceObject): Found {
    return { id: idOf(object), object, marker: readMarker(object.metadata) };
}

type IsOwn = (marker: Marker) => boolean;

/** Whether the marker is that of the create, or of the object that it was to adopt. Of a create without an attempt nothing is known. */
function isNamed({ noncePrefix, adoptedNonce }: Wanted, { nonce }: Marker): boolean {
    return (noncePrefix !== "" && nonce.startsWith(noncePrefix)) || nonce === adoptedNonce;
}
