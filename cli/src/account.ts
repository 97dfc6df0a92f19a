/** Everything that an account has: all lists to their end, and each object read, because list items lack metadata and tags. */
import { Readable } from "node:stream";
import {
    ApiError,
    AuthenticationError,
    type CallOptions,
    type ContentObject,
    type LivestreamObject,
    NotFoundError,
    type Page,
    PermissionError,
    type VideographApi,
} from "#provider/api/index";
import { messageOf } from "#provider/lifecycle/index";
import { counted, type Talk } from "./shell";

export type Kind = "Content" | "Livestream";

/** An object as a list shows it. */
export interface Listed {
    readonly kind: Kind;
    readonly id: string;
    readonly title?: string | undefined;
    readonly status?: string | undefined;
    /** Milliseconds since the Unix epoch. */
    readonly createdOn?: number | undefined;
    /** Of livestreams; `undefined` where both lists have it. */
    readonly record?: boolean | undefined;
}

export interface Listing {
    /** By kind, then oldest first: an order that new objects do not change. */
    readonly items: Listed[];
    /** The service's clock at the end of the listing, in ms since the epoch, if it was shown. */
    readonly serverTime?: number | undefined;
}

/** An object as a GET for it shows it. */
export type Whole = Listed &
    (
        | { readonly kind: "Content"; readonly object: ContentObject }
        | { readonly kind: "Livestream"; readonly object: LivestreamObject }
    );

/** An object that could not be read, and why. `deleted`: it was deleted after it was listed. */
export type Unreadable = Listed & { readonly problem: string; readonly deleted: boolean };

/** Lists all objects of these kinds. */
export async function list(api: VideographApi, kinds: readonly Kind[], talk: Talk): Promise<Listing> {
    const found = new Map<string, Listed>();
    let serverTime: number | undefined;
    const collect = async <T>(pages: AsyncIterable<Page<T>>, listed: (item: T) => Listed) => {
        for await (const page of pages) {
            serverTime = page.serverTime ?? serverTime;
            for (const item of page.items.map(listed)) {
                const key = `${item.kind} ${item.id}`;
                // A service that lists a livestream both as recorded and as plain does not show which it is.
                found.set(key, found.has(key) ? { ...item, record: undefined } : item);
            }
            talk.progress(`Listing: ${counted(found.size, "object")}`);
        }
    };
    if (kinds.includes("Content")) {
        await collect(api.contents(), ({ contentId, title, status, createdOn }) => ({
            kind: "Content",
            id: contentId,
            title,
            status,
            createdOn,
        }));
    }
    if (kinds.includes("Livestream")) {
        for (const record of [true, false]) {
            await collect(api.livestreams({ record }), ({ streamUUID, title, status, createdOn }) => ({
                kind: "Livestream",
                id: streamUUID,
                title,
                status,
                createdOn,
                record,
            }));
        }
    }
    return { items: [...found.values()].sort(byAge), serverTime };
}

/** This many objects are read at the same time: more would not be faster. Further ones are read while one does not answer. */
const pool = { concurrency: 64, highWaterMark: 1_024 };
/** This many 403s and nothing else concern the access token, not single objects. */
const forbiddenForAll = 50;

/**
 * Reads the objects in their order, some at a time, so that memory does not grow with the account. If one object
 * cannot be read, the others are read nevertheless; `timeoutMs` is the time for one object.
 */
export function read(
    api: VideographApi,
    items: readonly Listed[],
    timeoutMs: number,
): AsyncIterable<Whole | Unreadable> {
    const limits = { effortMs: timeoutMs, ownForbidden: true };
    let forbidden: number | undefined = 0;
    const readOrExplain = async (item: Listed): Promise<Whole | Unreadable> => {
        try {
            const whole = await readOne(api, item, limits);
            forbidden = undefined;
            return whole;
        } catch (error) {
            // A refused token is the same for all objects.
            if (!(error instanceof ApiError) || error instanceof AuthenticationError) throw error;
            if (error instanceof PermissionError && forbidden !== undefined && ++forbidden > forbiddenForAll)
                throw error;
            const deleted = error instanceof NotFoundError;
            return { ...item, problem: deleted ? "it has been deleted in the meantime" : clauseOf(error), deleted };
        }
    };
    return Readable.from(items).map(readOrExplain, pool);
}

export async function readOne(api: VideographApi, item: Listed, limits: CallOptions = {}): Promise<Whole> {
    const { id, kind } = item;
    if (kind === "Content") return { ...item, ...seen(await api.getContent(id, limits)), kind };
    const { object, ...rest } = seen(await api.getLivestream(id, limits));
    // The service shows recording only by which of the two lists has the livestream.
    const record = object.record ?? item.record;
    return { ...item, ...rest, kind, object: record === undefined ? object : { ...object, record } };
}

/** What a read shows is newer than what the list showed. */
function seen<T extends { title?: string; status?: string; createdOn?: number }>(object: T) {
    const { title, status, createdOn } = object;
    return {
        object,
        ...(title !== undefined && { title }),
        ...(status !== undefined && { status }),
        ...(createdOn !== undefined && { createdOn }),
    };
}

function byAge(a: Listed, b: Listed): number {
    if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
    const older = (a.createdOn ?? Number.POSITIVE_INFINITY) - (b.createdOn ?? Number.POSITIVE_INFINITY);
    if (older !== 0 && !Number.isNaN(older)) return older;
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** An error's message as a part of a longer sentence. */
export function clauseOf(error: unknown): string {
    return messageOf(error).replace(/\.(?= \[VG[^\]]*\]$|$)/, "");
}
