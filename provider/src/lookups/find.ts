/** Finding objects, for lookups and for the plugin's lists. */
import type { ContentObject, LivestreamObject, VideographApi } from "../api";
import { withoutMarker } from "../evidence/marker";
import { unlessMissing } from "../operation/notFound";

interface ContentFilters {
    title?: string | undefined;
    status?: string | undefined;
    tags?: string[] | undefined;
}

/** An object as a lookup returns it: without our marker, and without what only the wait reads. */
export function withoutReason<T extends { reason?: unknown }>({ reason: _, ...object }: T): Omit<T, "reason"> {
    return withoutMarker(object);
}

interface LivestreamFilters {
    title?: string | undefined;
    status?: string | undefined;
    record?: boolean | undefined;
}

/** The contents that match, in the order of the service's list, which is read no further than `most` of them need. */
export async function findContents(api: VideographApi, { tags, ...filters }: ContentFilters, most = Infinity) {
    const found: Omit<ContentObject, "reason">[] = [];
    for await (const { items } of api.listContents()) {
        const likely = items.filter((content) => matches(content, filters));
        const whole = tags === undefined ? likely : await withTags(api, likely);
        const matching = whole.filter((content) => (tags ?? []).every((tag) => content.tags?.includes(tag)));
        found.push(...matching.map(withoutReason));
        if (found.length >= most) break;
    }
    return found.slice(0, most);
}

/** All livestreams that match, plain ones first. */
export async function findLivestreams(api: VideographApi, { record, ...filters }: LivestreamFilters) {
    const livestreams = new Map<string, Omit<LivestreamObject, "reason">>();
    // The service's two lists are disjoint.
    for (const recorded of record === undefined ? [false, true] : [record]) {
        for await (const { items } of api.listLivestreams({ record: recorded })) {
            for (const item of items) if (matches(item, filters)) livestreams.set(item.streamUUID, withoutReason(item));
        }
    }
    return [...livestreams.values()];
}

function matches(object: ContentObject | LivestreamObject, { title, status }: LivestreamFilters): boolean {
    return (title ?? object.title) === object.title && (status ?? object.status) === object.status;
}

/** List items may lack tags: then each is read. One that was deleted since it was listed is left out. */
async function withTags(api: VideographApi, items: ContentObject[]): Promise<ContentObject[]> {
    const whole = items.map(async (content) =>
        content.tags === undefined ? await unlessMissing(() => api.contents.get(content.contentId)) : content,
    );
    return (await Promise.all(whole)).filter((item) => item !== undefined);
}
