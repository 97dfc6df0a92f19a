/**
 * Finds the objects of a create by the marker in their metadata. The service cannot search for metadata, and its lists may not show any. So the
 * lists give candidates, by their title or by a marker that is shown, and a GET of each candidate decides. `evidence/lists.ts` says how far a
 * list is read.
 */
import { type CallOptions, earlierClockMarginMs } from "../api";
import { isBeingDeleted } from "../api/status";
import { digestOfTitle } from "../evidence/digest";
import type { Found, Reading, ServiceObject, Waiter } from "../evidence/lists";
import { isSameOwner, type Marker, type Owner, readMarker } from "../evidence/marker";
import { LifecycleError, type Message, messages } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import type { UnfinishedCreate } from "../operation/ownState";
import type { ObjectRequests, Subject } from "../operation/subject";

/** What a search for the object of one create has found. Only objects with this resource's marker count. */
export interface Searched {
    /** The object with this create's nonce. More than one: the service has made it twice. */
    own: Found[];
    /** Where `own` is empty: objects that other creates have made for the same resource. */
    kin: Found[];
}

/** What a search has to know of a create. */
type Wanted = Pick<UnfinishedCreate, "id" | "nonce" | "adoptedNonce" | "titleDigest" | "startedAt" | "isSearched">;

type IsOwn = (marker: Marker | undefined) => boolean;

/** Looks for objects of one kind. An object that is being deleted does not count. `owner`: the resource, as markers name it. */
export class Search {
    constructor(
        readonly subject: Subject,
        readonly owner: Owner,
        readonly options: Waiter,
    ) {}

    /** Looks for the object of one create. @throws {LifecycleError} where the object was not found, but the lists may be incomplete. */
    async findOf(wanted: Wanted): Promise<Searched> {
        const { id, isSearched = false } = wanted;
        const isOwn: IsOwn = (marker) => marker !== undefined && isNamed(wanted, marker);
        if (id !== undefined) {
            const items = await this.readById(id);
            // A service may show no metadata at all. Then the id in the journal entry is enough.
            const isUnmarked = items.some(({ object }) => object.metadata === undefined);
            return isUnmarked ? { own: items, kin: [] } : this.#parted({ items }, isOwn);
        }
        const known = this.subject.operation.library?.known;
        const isEnough = isSearched || known?.items.some(({ marker }) => isOwn(marker));
        return this.#parted(known && isEnough ? known : await this.#read(wanted, isOwn), isOwn);
    }

    /** The objects among these items that any create has made for this resource. */
    async kinAmong(items: readonly ServiceObject[]): Promise<Found[]> {
        const isOwn = () => false;
        const { items: read, problem } = await this.#readAmong(items, isOwn);
        const { kin } = this.#parted({ items: read }, isOwn);
        // An object that could not be read may be this resource's: without this error, the create would make it again. If another object was found,
        // the message about that one stops the create as well, and names the ways out.
        if (kin.length === 0 && problem !== undefined) throw new LifecycleError(problem);
        return kin;
    }

    async #read({ nonce, titleDigest, startedAt }: Wanted, isOwn: IsOwn): Promise<Reading<Found>> {
        const { requests, operation } = this.subject;
        const { journal, lists } = operation.services;
        // Another process noted the time by the clock of its machine, which may be hours ahead of this one. Without the margin, the search would not
        // reach back far enough.
        const since = journal.isOwn(nonce) ? startedAt : startedAt - earlierClockMarginMs;
        const readings = await Promise.all(requests.lists.map((list) => lists.read(list, { since }, this.options)));
        const listed = readings.flatMap(({ items }) => items);
        const { items, problem } = await this.#readAmong(listed, isOwn, titleDigest);
        return { items, problem: problem ?? readings.flatMap((reading) => reading.problem ?? [])[0] };
    }

    /** Reads the candidates among the items one by one. */
    async #readAmong(items: readonly ServiceObject[], isOwn: IsOwn, titleDigest?: string): Promise<Reading<Found>> {
        const { requests, inputs, resource } = this.subject;
        // Candidates have the title of the earlier create, or the one declared now: a pending operation in the state does not show a title that is a
        // secret.
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
            // A service may list a new object before it can be read: then nobody knows whether it is the wanted one. (An object that shows another
            // create's marker was deleted.)
            else if (shown === undefined || isOwn(shown))
                problem = messages.listedUnreadable({ object: `${resource.definition.name} ${id}` });
        }
        return { items: [...objects.values()], problem };
    }

    readById(id: string): Promise<Found[]> {
        return readFound(this.subject.requests, id, this.options);
    }

    #parted({ items, problem }: Reading<Found>, isOwn: IsOwn): Searched {
        const own = items.filter(({ marker }) => isOwn(marker));
        if (own.length > 0) return { own, kin: [] };
        if (problem !== undefined) throw new LifecycleError(problem);
        return { own, kin: items.filter(({ marker }) => isSameOwner(marker, this.owner)) };
    }
}

/** The object with this id, whatever marker it has; none if it does not exist or is being deleted. */
export async function readFound(requests: ObjectRequests, id: string, options: CallOptions): Promise<Found[]> {
    const object = await unlessNotFound(() => requests.get(id, options));
    return object === undefined || isBeingDeleted(object.status) ? [] : [foundOf(requests, object)];
}

export function foundOf({ idOf }: ObjectRequests, object: ServiceObject): Found {
    return { id: idOf(object), object, marker: readMarker(object.metadata) };
}

/**
 * Whether the marker is the create's, or that of the object that the create was to adopt. The nonce "" stands for an unknown one, and fits no marker.
 */
function isNamed({ nonce, adoptedNonce }: Wanted, marker: Marker): boolean {
    return (nonce !== "" && marker.nonce.startsWith(nonce)) || marker.nonce === adoptedNonce;
}
