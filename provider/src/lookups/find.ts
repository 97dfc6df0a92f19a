/** Finding objects, for lookups and for the plugin's lists. */
import type { ContentObject, LivestreamObject, VideographApi } from "../api";
import { visible } from "../evidence/marker";
import { unlessMissing } from "../operation/notFound";

export interface ContentFilters {
    title?: string | undefined;
    status?: string | undefined;
    tags?: string[] | undefined;
}

/** An object as a lookup returns it: without our marker, and without what only the wait reads. */
export function shown<T extends { reason?: unknown }>({ reason: _, ...object }: T): Omit<T, "reason"> {
    return visible(object);
}

/** All contents that match, in the order of the service's list. */
export async function findContents(api: VideographApi, filters: ContentFilters) {
    const found: Omit<ContentObject, "reason">[] = [];
    for await (const { content } of matchingContents(api, filters)) found.push(shown(content));
    return found;
}

/** All livestreams that match, plain ones first. */
export async function findLivestreams(api: VideographApi, { record }: { record?: boolean | undefined }) {
    const livestreams = new Map<string, Omit<LivestreamObject, "reason">>();
    // The service's two lists are disjoint.
    for (const recorded of record === undefined ? [false, true] : [record]) {
        for await (const { items } of api.listLivestreams({ record: recorded })) {
            for (const item of items) livestreams.set(item.streamUUID, shown(item));
        }
    }
    return [...livestreams.values()];
}

/** A content, and the position in the service's list after it. */
interface Positioned {
    content: ContentObject;
    next: number;
}

/** The contents that match, from a position of the service's list on. Reads no more of it than requested. */
export async function* matchingContents(
    api: VideographApi,
    { title, status, tags }: ContentFilters,
    start = 0,
): AsyncGenerator<Positioned> {
    let next = start;
    for await (const { items } of api.listContents(undefined, start)) {
        const likely = items
            .map((content) => ({ content, next: ++next }))
            .filter(
                ({ content }) =>
                    (title ?? content.title) === content.title && (status ?? content.status) === content.status,
            );
        const whole = tags === undefined ? likely : await withTags(api, likely);
        yield* whole.filter(({ content }) => (tags ?? []).every((tag) => content.tags?.includes(tag)));
    }
}

/** List items may lack tags: then each is read. One that was deleted since it was listed is left out. */
async function withTags(api: VideographApi, items: Positioned[]): Promise<Positioned[]> {
    const read = async ({ content, next }: Positioned): Promise<Positioned | undefined> => {
        if (content.tags !== undefined) return { content, next };
        const whole = await unlessMissing(() => api.contents.get(content.contentId));
        return whole && { content: whole, next };
    };
    const whole = await Promise.all(items.map(read));
    return whole.filter((item) => item !== undefined);
}
