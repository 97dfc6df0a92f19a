/** Finding contents, for lookups of programs and of the plugin. */
import type { ContentObject, VideographApi } from "../api";
import { visible } from "../lifecycle/create/marker";
import { unlessMissing } from "../lifecycle/notFound";

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
    { title, status, tags }: ContentFilters,
): Promise<Omit<ContentObject, "reason">[]> {
    const found: ContentObject[] = [];
    for await (const { items } of api.contents()) {
        const likely = items.filter(
            (item) => (title ?? item.title) === item.title && (status ?? item.status) === item.status,
        );
        const whole = tags === undefined ? likely : await withTags(api, likely);
        found.push(...whole.filter((item) => (tags ?? []).every((tag) => item.tags?.includes(tag))));
    }
    return found.map(shown);
}

/** List items may lack tags: then each is read. One that was deleted since it was listed is left out. */
async function withTags(api: VideographApi, items: ContentObject[]): Promise<ContentObject[]> {
    const read = ({ contentId }: ContentObject) => unlessMissing(() => api.getContent(contentId));
    const whole = await Promise.all(items.map((item) => (item.tags === undefined ? read(item) : item)));
    return whole.filter((item) => item !== undefined);
}

function shown({ reason: _, ...content }: ContentObject): Omit<ContentObject, "reason"> {
    return visible(content);
}
