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
type Wanted = Pick<UnfinishedCreate, "id" | "nonce" | "adoptedNonce" | "titleDigest" | "startedAt" | "isSearched">;

type IsOwn = (marker: Marker | undefined) => boolean;

/** Looks for objects of one kind that are there and not being deleted. `owner`: the resource whose objects are looked for. */
export class Search {
    constructor(
        readonly subject: Subject,
        readonly owner: Owner,
        readonly options: Waiter,
    ) {}

    /** @throws {LifecycleError} where an incomplete list does not show the create's own object. */
    async findOf(wanted: Wanted): Promise<Searched> {
        const { id, isSearched = false } = wanted;
        const isOwn: IsOwn = (marker) => marker !== undefined && isNamed(wanted, marker);
        if (id !== undefined) {
            const objects = await this.readById(id);
            // A service may not show metadata at all; then the id says enough.
            const isUnmarked = objects.some(({ object }) => object.metadata === undefined);
            return isUnmarked ? { own: objects, kin: [] } : this.#parted({ objects }, isOwn);
        }
        const known = this.subject.operation.library?.known;
        const isEnough = isSearched || known?.objects.some(({ marker }) => isOwn(marker));
        return this.#parted(known && isEnough ? known : await this.#read(wanted, isOwn), isOwn);
    }

    /** The listed objects that other creates have made for the same resource, whoever made them. */
    async kinAmong(items: readonly ServiceObject[]): Promise<Found[]> {
        const isOwn = () => false;
        const { objects, problem } = await this.#readAmong(items, undefined, isOwn);
        const { kin } = this.#parted({ objects }, isOwn);
        // The user can decide about what was found. Without the problem, what could not be read would be created again.
        if (kin.length === 0 && problem !== undefined) throw new LifecycleError(problem);
        return kin;
    }

    async #read({ nonce, titleDigest, startedAt }: Wanted, isOwn: IsOwn): Promise<Known> {
        const { requests, operation } = this.subject;
        const { journal, lists } = operation.services;
        // The clocks of two machines may differ by hours, and this process's own differs from the service's as its answers show.
        const since = journal.isOwn(nonce) ? startedAt : startedAt - earlierClockMarginMs;
        const readings = await Promise.all(requests.lists.map((list) => lists.read(list, { since }, this.options)));
        const items = readings.flatMap((reading) => reading.items);
        const { objects, problem } = await this.#readAmong(items, titleDigest, isOwn);
        return { objects, problem: problem ?? readings.flatMap((reading) => reading.problem ?? [])[0] };
    }

    /** The candidates among the items, read one by one. */
    async #readAmong(items: readonly ServiceObject[], titleDigest: string | undefined, isOwn: IsOwn): Promise<Known> {
        const { requests, inputs, resource } = this.subject;
        // The create may have had the declared title: where a title is a secret, the state does not show it.
        const titles = [titleDigest, digestOfTitle(String(inputs.title))];
        const objects = new Map<string, Found>();
        let problem: Message | undefined;
        for (const item of items) {
            const shown = readMarker(item.metadata);
            const isTitled = item.title === undefined || titles.includes(digestOfTitle(item.title));
            const isCandidate = shown === undefined ? isTitled : isOwn(shown) || isSameOwner(shown, this.owner);
            if (!isCandidate || isBeingDeleted(item.status)) continue;
            const id = requests.idOf(item);
            const [found] = await this.readById(id);
            if (found !== undefined) objects.set(id, found);
            // A service may list a new object before it can be read, so its owner is unknown. One that another create has made was deleted.
            else if (shown === undefined || isOwn(shown))
                problem = messages.listedUnreadable({ object: `${resource.definition.name} ${id}` });
        }
        return { objects: [...objects.values()], problem };
    }

    readById(id: string): Promise<Found[]> {
        return readFound(this.subject.requests, id, this.options);
    }

    #parted({ objects, problem }: Known, isOwn: IsOwn): Searched {
        const own = objects.filter(({ marker }) => isOwn(marker));
        if (own.length > 0) return { own, kin: [] };
        if (problem !== undefined) throw new LifecycleError(problem);
        return { own, kin: objects.filter(({ marker }) => isSameOwner(marker, this.owner)) };
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

/** Whether the marker is that of the create, or of the object that it was to adopt. Of a create without an attempt nothing is known. */
function isNamed({ nonce, adoptedNonce }: Wanted, marker: Marker): boolean {
    return (nonce !== "" && marker.nonce.startsWith(nonce)) || marker.nonce === adoptedNonce;
}
