/** All objects of an account. The lists name them; a GET of each is needed too, because list items may lack metadata and tags. */
import { Readable } from "node:stream";
import {
    ApiError,
    AuthenticationError,
    type CallOptions,
    type Collection,
    type ContentObject,
    Deadline,
    type LivestreamObject,
    NotFoundError,
    type VideographApi,
} from "#provider/api/index";
import type { Message } from "#provider/messages/index";
import { asClause, messageOf } from "#provider/messages/index";
import { CommandError } from "./commandLine";
import type { Shell } from "./shell";
import { counted, type Terminal } from "./terminal";

export type Kind = "Content" | "Livestream";

/** An object as a list shows it. */
export interface ListedObject {
    readonly kind: Kind;
    readonly id: string;
    readonly title?: string | undefined;
    readonly status?: string | undefined;
    /** The time of creation, in ms since the Unix epoch. */
    readonly createdOn?: number | undefined;
    /** Whether a livestream is recorded; `undefined` for contents. */
    readonly record?: boolean | undefined;
}

/** An object as a GET for it shows it. */
export type ReadObject = ListedObject & { readonly object: ContentObject | LivestreamObject };

/** An object that could not be read, and the reason. */
export type UnreadObject = ListedObject & { readonly problem: string };

/** The objects of these kinds, by kind, the oldest first: a new object comes last and moves no other line of the output. */
export async function listObjects(
    api: VideographApi,
    kinds: readonly Kind[],
    terminal: Terminal,
): Promise<ListedObject[]> {
    const found = new Map<string, ListedObject>();
    const add = ({ kind, id, title, status, createdOn, record }: ListedObject) => {
        found.set(keyOf({ kind, id }), { kind, id, title, status, createdOn, record });
        terminal.progress(`Listing: ${counted(found.size, "object")}`);
    };
    for (const kind of kinds) {
        const { lists, idOf } = collectionOf(api, kind);
        for (const { record, pages } of lists)
            for await (const { items } of pages())
                for (const item of items) add({ ...item, kind, id: idOf(item), record });
    }
    const rank = ({ kind, createdOn = Number.MAX_SAFE_INTEGER, id }: ListedObject) =>
        `${kind} ${String(createdOn).padStart(16, "0")} ${id}`;
    return [...found.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Refuses ids that no object has. Otherwise a mistyped id would end in "nothing found" and look like a result. */
export function refuseUnknown(
    ids: readonly string[],
    among: readonly { id: string }[],
    message: (values: { ids: string }) => Message,
): void {
    const unknown = ids.filter((id) => !among.some((one) => one.id === id));
    if (unknown.length > 0) throw new CommandError(message({ ids: unknown.join(", ") }));
}

export function keyOf({ kind, id }: Pick<ListedObject, "kind" | "id">): string {
    return `${kind} ${id}`;
}

/** 64 GETs run at a time: more would not be faster. Up to 1,024 finished ones wait behind a GET that takes long, so that it stops nobody. */
const readPool = { concurrency: 64, highWaterMark: 1_024 };

/** For one object and all tries to read it, in ms. */
const readTimeoutMs = 60_000;

/**
 * Reads the objects in their order, some at a time, so that memory does not grow with the account. If one object
 * cannot be read, the others are read nevertheless. An object that was deleted after it was listed is left out.
 */
export async function* readObjects(
    { clock, terminal }: Shell,
    api: VideographApi,
    items: readonly ListedObject[],
): AsyncGenerator<ReadObject | UnreadObject> {
    const readOrExplain = async (item: ListedObject): Promise<ReadObject | UnreadObject | "deleted"> => {
        try {
            return await readObject(api, item, { deadline: new Deadline(clock, readTimeoutMs) });
        } catch (error) {
            if (error instanceof NotFoundError) return "deleted";
            // Refused credentials would fail for every other object as well.
            if (!(error instanceof ApiError) || error instanceof AuthenticationError) throw error;
            return { ...item, problem: errorClause(error) };
        }
    };
    let done = 0;
    for await (const one of Readable.from(items).map(readOrExplain, readPool)) {
        terminal.progress(`Reading: ${++done} of ${counted(items.length, "object")}`);
        if (one !== "deleted") yield one;
    }
}

/** The item, with what a GET shows now in place of what the list has shown. */
export async function readObject(
    api: VideographApi,
    item: ListedObject,
    limits: CallOptions = {},
): Promise<ReadObject> {
    const object = await collectionOf(api, item.kind).get(item.id, limits);
    // A GET does not show whether a livestream is recorded. Only the list of recorded livestreams does.
    const recording = item.record === undefined ? {} : { record: item.record };
    return { ...item, ...object, object: { ...recording, ...object } };
}

export function collectionOf(api: VideographApi, kind: Kind): Collection<ContentObject | LivestreamObject> {
    return kind === "Content" ? api.contents : api.livestreams;
}

/** The message of an error, for the middle of a sentence. */
export function errorClause(error: unknown): string {
    return asClause(messageOf(error));
}
