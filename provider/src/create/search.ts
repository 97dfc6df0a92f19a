/**
 * Finds the objects of a create by their marker: candidates in the lists by title, then each candidate by a GET, because the
 * service cannot be asked for metadata and its lists may not show it. Never other titles, and never the whole account: `evidence/lists.ts` says
 * how far a list is read.
 */
import type { Collection } from "../api";
import { digestOfTitle } from "../evidence/digest";
import type { Lists, ObjectList, Reading, ServiceObject, Waiter } from "../evidence/lists";
import { type Marker, readMarker } from "../evidence/marker";
import type { UnfinishedCreate } from "../evidence/ownState";
import { LifecycleError, messages } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import { isBeingDeleted } from "../wait/status";

/** The requests for one kind of object that creates and searches send. */
export interface KindRequests<T extends ServiceObject> extends Collection<T> {
    name: string;
    lists(): ObjectList<T>[];
}

/** An object as it was read. */
export interface Found<T> {
    id: string;
    object: T;
    marker: Marker | undefined;
}

/** Looks for objects of one kind that are there and not being deleted. */
export class Search<T extends ServiceObject> {
    readonly #requests: KindRequests<T>;
    readonly #lists: Lists;
    readonly #options: Waiter;

    constructor(requests: KindRequests<T>, lists: Lists, options: Waiter) {
        this.#requests = requests;
        this.#lists = lists;
        this.#options = options;
    }

    /** The object of a create; more than one if the service has made it twice. @throws {LifecycleError} where an incomplete list does not show it. */
    async findOf(
        create: Pick<UnfinishedCreate, "id" | "noncePrefix" | "adoptedNonce" | "titleDigests" | "since" | "listed">,
    ): Promise<Found<T>[]> {
        const { id, noncePrefix, adoptedNonce, titleDigests, since, listed } = create;
        const matches = (marker: Marker) => marker.nonce.startsWith(noncePrefix) || marker.nonce === adoptedNonce;
        // A service may not show metadata at all; then the id says enough.
        if (id !== undefined)
            return (await this.readById(id)).filter(
                ({ object, marker }) => object.metadata === undefined || (marker !== undefined && matches(marker)),
            );
        const read = () => this.#requests.lists().map((list) => this.#lists.read<T>(list, since, this.#options));
        const readings = listed ? [listed as Reading<T>] : await Promise.all(read());
        const items = readings.flatMap((reading) => reading.items);
        const found = await this.findAmong(items, titleDigests, matches);
        const [problem] = readings.flatMap((reading) => reading.problem ?? []);
        if (found.length === 0 && problem !== undefined) throw new LifecycleError(problem);
        return found;
    }

    /** The listed objects whose marker passes the test. @throws {LifecycleError} where none does, and one cannot be read. */
    async findAmong(
        items: readonly T[],
        titleDigests: readonly string[],
        matches: (marker: Marker) => boolean,
    ): Promise<Found<T>[]> {
        const found = new Map<string, Found<T>>();
        let doubt: LifecycleError | undefined;
        for (const item of items) {
            const shown = readMarker(item.metadata);
            const isNamed = item.title === undefined || titleDigests.includes(digestOfTitle(item.title));
            if (shown === undefined ? !isNamed : !matches(shown)) continue;
            const id = this.#requests.idOf(item);
            const object = await this.#get(id);
            // A service may list a new object before it can be read, so its owner is unknown.
            if (object === undefined && !isBeingDeleted(item.status))
                doubt = new LifecycleError(messages.listedUnreadable({ object: `${this.#requests.name} ${id}` }));
            const one = object && this.toFound(object);
            if (one?.marker && matches(one.marker) && !isBeingDeleted(one.object.status)) found.set(id, one);
        }
        if (found.size === 0 && doubt !== undefined) throw doubt;
        return [...found.values()];
    }

    /** The object with this id, whatever marker it has. */
    async readById(id: string): Promise<Found<T>[]> {
        const object = await this.#get(id);
        return object === undefined || isBeingDeleted(object.status) ? [] : [this.toFound(object)];
    }

    toFound(object: T): Found<T> {
        return { id: this.#requests.idOf(object), object, marker: readMarker(object.metadata) };
    }

    #get(id: string): Promise<T | undefined> {
        return unlessNotFound(() => this.#requests.get(id, this.#options));
    }
}
