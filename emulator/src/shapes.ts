/** What contents and livestreams have in common: who sees them, lists and pages, titles, ids, and the forms of fields in answers. */
import { digits, type Random, randomUuid } from "./clock";
import type { Context } from "./context";
import { ServiceError } from "./http";
import type { ContentRecord, LivestreamRecord } from "./store";

/** Refuses an object that does not exist, is not the caller's, or is too new to be seen. */
export function requireVisible<T extends ContentRecord | LivestreamRecord>(
    context: Context,
    found: T | undefined,
    what: string,
    id: string,
): T {
    if (found === undefined || context.now() < found.createdOn + context.variants.visibleAfterMs)
        throw new ServiceError(404, `${what} ${id} not found`);
    return found;
}

/** The objects that a list shows, in the order that `listOrder` chooses. */
export function inListOrder<T extends ContentRecord | LivestreamRecord>(context: Context, oldestFirst: T[]): T[] {
    context.listRequests += 1;
    const { listedAfterMs, listOrder } = context.variants;
    const now = context.now();
    const seen = oldestFirst.filter((object) => now >= object.createdOn + listedAfterMs);
    switch (listOrder) {
        case "oldest":
            return seen;
        case "newest":
            return seen.reverse();
        case "unstable": {
            // The list is rotated by another amount on each request: it changes while a client pages through it.
            const by = seen.length === 0 ? 0 : context.listRequests % seen.length;
            return [...seen.slice(by), ...seen.slice(0, by)];
        }
        case "random":
            return shuffled(seen, context.random);
    }
}

type PageQuery = { start?: number | undefined; limit?: number | undefined };

/** The part of a list that a request asks for, with the refusals that paging may meet. */
export function pageOf<T>(context: Context, all: T[], query: PageQuery): T[] {
    const { start = 0, limit } = query;
    const { pageDefault, pageMaximum, overMaximum, pastEnd, offsetMaximum, invalidCode } = context.variants;
    if (limit !== undefined && limit > pageMaximum && overMaximum === "reject")
        throw new ServiceError(invalidCode, `Invalid query: limit: must be at most ${pageMaximum}`);
    if (offsetMaximum !== null && start > offsetMaximum)
        throw new ServiceError(invalidCode, `Invalid query: start: must be at most ${offsetMaximum}`);
    if (pastEnd !== "empty" && start > 0 && start >= all.length)
        throw new ServiceError(pastEnd, `Invalid query: start: the list has ${all.length} items`);
    return all.slice(start, start + Math.min(limit ?? pageDefault, pageMaximum));
}

/** Drops or nulls empty fields, as `emptyFields` says. Ids, titles and statuses are never empty. */
export function shapeFields(context: Context, fields: Record<string, unknown>): Record<string, unknown> {
    const { emptyFields } = context.variants;
    const shaped: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(fields)) {
        if (value === undefined) continue;
        const empty = value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
        if (!empty || emptyFields === "present") shaped[key] = value;
        else if (emptyFields === "null") shaped[key] = null;
    }
    return shaped;
}

/** Tags or metadata in the order that answers show them in. */
export function inShownOrder<T>(context: Context, values: readonly T[]): T[] {
    const { collections } = context.variants;
    const key = (value: T) => (typeof value === "string" ? value : JSON.stringify(value));
    if (collections === "sorted") return [...values].sort((a, b) => (key(a) < key(b) ? -1 : 1));
    return collections === "reversed" ? values.toReversed() : [...values];
}

type Description = Pick<ContentRecord, "description" | "tags" | "metadata">;

/** The fields after a PUT that empties the fields it does not name, and the initial ones of a create. */
export const emptyDescription: Description = { description: "", tags: [], metadata: [] };

/** An object's description from a request for either kind; fields that it does not name are as before. */
export function descriptionFields(
    context: Context,
    { title, ...named }: { title: string } & { [name in keyof Description]?: Description[name] | undefined },
    before = emptyDescription,
): { title: string } & Description {
    return {
        title: storedTitle(context, title),
        description: named.description ?? before.description,
        tags: named.tags ?? before.tags,
        metadata: named.metadata ?? before.metadata,
    };
}

/** The data of an answer to a create, of which some services show only the id and the status. */
export function createdData(context: Context, idName: string, shown: Record<string, unknown>): Record<string, unknown> {
    const { [idName]: id, status, ...rest } = shown;
    return { [idName]: id, status, ...(context.variants.createData === "object" && rest) };
}

/** A title as the service keeps it. */
function storedTitle({ variants: { titles } }: Context, title: string): string {
    if (titles === "kept") return title;
    return titles === "trimmed" ? title.trim() : title.trim().replace(/\s+/g, " ");
}

/** A new id of the chosen shape; livestreams have UUIDs unless ids are sequential. */
export function newId(context: Context, environmentId: number, kind: "content" | "livestream"): string {
    const { variants, random, store } = context;
    if (variants.idShape === "sequential") {
        const environment = store.environment(environmentId);
        const taken = (id: string) => environment.contents.has(id) || environment.livestreams.has(id);
        do environment.lastId += 1;
        while (taken(String(environment.lastId)));
        return String(environment.lastId);
    }
    if (kind === "livestream") return randomUuid(random);
    switch (variants.idShape) {
        case "uuid":
            return randomUuid(random);
        case "opaque":
            // A client that escapes these characters, or takes ids for UUIDs, fails with this id. A URL's path may carry each of them.
            return `v.${digits(random, 8, 36)}~${digits(random, 6, 16).toUpperCase()}_-`;
        case "numeric":
        case "number":
            return String(100_000_000 + Math.floor(random() * 900_000_000));
    }
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
    const keyed = values.map((value) => ({ value, key: random() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
