/** Finds contents, for lookups of programs and of the plugin. */
import type { ContentObject, VideographApi } from "../api";
import { visible } from "../evidence/marker";
import { unlessMissing } from "../operation/notFound";

export interface ContentFilters {
    title?: string | undefined;
    status?: string | undefined;
    tags?: string[] | undefined;
}

/** The content as the service shows it, without our marker. */
export async function findContent(api: VideographApi, id: string): Promise<Omit<ContentObject, "reason">> {
    return shown(await api.getContent(id));
}

/** All contents that match, in the order of the service's list. */
export async function findContents(
    api: VideographApi,
    filters: ContentFilters,
): Promise<Omit<ContentObject, "reason">[]> {
    const found: Omit<ContentObject, "reason">[] = [];
    for await (const { content } of matchingContents(api, filters)) found.push(shown(content));
    return found;
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
    for await (const { items } of api.contents(undefined, start)) {
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
        const whole = await unlessMissing(() => api.getContent(content.contentId));
        return whole && { content: whole, next };
    };
    const whole = await Promise.all(items.map(read));
    return whole.filter((item) => item !== undefined);
}

function shown({ reason: _, ...content }: ContentObject): Omit<ContentObject, "reason"> {
    return visible(content);
}
