/**
 * Finds the objects of a create by their marker: candidates in the lists by title, then each candidate by a GET, because the
 * service cannot be asked for metadata and its lists may not show it. Never other titles, and never the whole account: `evidence/lists.ts` says
 * how far a list is read.
 */
import type { CallOptions } from "../api";
import { titleDigest } from "../evidence/digest";
import type { Caller, Listed, ObjectList, Reading } from "../evidence/lists";
import { type Marker, markerOf } from "../evidence/marker";
import { LifecycleError, messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import { isBeingDeleted } from "../wait/status";

/** One kind of object, as creates and searches handle it. */
export interface Kind<T extends Listed> {
    name: string;
    idOf(object: T): string;
    get(id: string, options: CallOptions): Promise<T>;
    post(body: object, options: CallOptions): Promise<T>;
    lists(): ObjectList<T>[];
    remove(id: string, options: CallOptions): Promise<void>;
}

/** An object as it was read. */
export interface Found<T> {
    id: string;
    object: T;
    marker: Marker | undefined;
}

export interface Query {
    /** Digests of the titles that it may have. */
    titles: readonly string[];
    /** It was not created before this, in ms since the epoch. */
    since: number;
    isIt(marker: Marker): boolean;
}

/** One create, by what its object shows. */
export interface Sought extends Pick<Query, "titles" | "since"> {
    /** Of its marker, or the first digits of it. */
    nonce: string;
    /** Its object, where that is known. */
    id?: string | undefined;
    /** The nonce that an object to be adopted had before. */
    adoptedNonce?: string | undefined;
}

/** The lists of a run, or one that was read already. */
interface Reader<T> {
    read(list: ObjectList<T>, since: number, caller: Caller): Promise<Reading<T>>;
}

/** Looks for objects of one kind that are there and not being deleted. */
export class Search<T extends Listed> {
    readonly #kind: Kind<T>;
    readonly #lists: Reader<T>;
    readonly #options: CallOptions & Caller;

    constructor(kind: Kind<T>, lists: Reader<T>, options: CallOptions & Caller) {
        this.#kind = kind;
        this.#lists = lists;
        this.#options = options;
    }

    /** @throws {LifecycleError} where what was read does not show it. */
    async find(query: Query): Promise<Found<T>[]> {
        const found = new Map<string, Found<T>>();
        let doubt: LifecycleError | undefined;
        for (const list of this.#kind.lists()) {
            const { items, complete } = await this.#lists.read(list, query.since, this.#options);
            if (!complete) doubt = new LifecycleError(messages.listTooLong({ list: list.name }));
            for (const item of items) {
                if (!isCandidate(item, query)) continue;
                const id = this.#kind.idOf(item);
                const object = await this.#get(id);
                // A service may list a new object before it can be read, so its owner is unknown.
                if (object === undefined && !isBeingDeleted(item.status))
                    doubt = new LifecycleError(messages.listedUnreadable({ object: `${this.#kind.name} ${id}` }));
                const one = object && this.found(object);
                if (one?.marker && query.isIt(one.marker) && !isBeingDeleted(one.object.status)) found.set(id, one);
            }
        }
        if (found.size === 0 && doubt !== undefined) throw doubt;
        return [...found.values()];
    }

    /** The object with this id, whatever marker it has. */
    async readById(id: string): Promise<Found<T>[]> {
        const object = await this.#get(id);
        return object === undefined || isBeingDeleted(object.status) ? [] : [this.found(object)];
    }

    /** The object of a create. @throws {LifecycleError} as `find`. */
    async findOf({ id, nonce, adoptedNonce, ...rest }: Sought): Promise<Found<T>[]> {
        const isIt = (marker: Marker) => marker.nonce.startsWith(nonce) || marker.nonce === adoptedNonce;
        if (id === undefined) return this.find({ ...rest, isIt });
        // A service may not show metadata at all; then the id says enough.
        return (await this.readById(id)).filter(
            ({ object, marker }) => object.metadata === undefined || (marker !== undefined && isIt(marker)),
        );
    }

    found(object: T): Found<T> {
        return { id: this.#kind.idOf(object), object, marker: markerOf(object.metadata) };
    }

    #get(id: string): Promise<T | undefined> {
        return unlessMissing(() => this.#kind.get(id, this.#options));
    }
}

export function theOnly<T>(objects: readonly T[]): T | undefined {
    return objects.length === 1 ? objects[0] : undefined;
}

function isCandidate<T extends Listed>(item: T, { titles, isIt }: Query): boolean {
    const shown = markerOf(item.metadata);
    if (shown !== undefined) return isIt(shown);
    return item.title === undefined || titles.includes(titleDigest(item.title));
}
