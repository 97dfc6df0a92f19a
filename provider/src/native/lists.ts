/** The objects of a kind as the engine lists them: ids and titles, page by page, and never a stream key. */
import type { VideographApi } from "../api";
import { type ContentFilters, findLivestreams, matchingContents } from "../lookups/find";

/** One object; `next` is where the list goes on after it. */
export interface Listed {
    id: string;
    title: string | undefined;
    next: number;
}

interface Filters extends ContentFilters {
    record?: boolean;
}

/** The objects that match, from a position on. */
export const listings = {
    async *Content(api: VideographApi, filters: Filters, start: number): AsyncGenerator<Listed> {
        for await (const { content, next } of matchingContents(api, filters, start))
            yield { id: content.contentId, title: content.title, next };
    },

    async *Livestream(api: VideographApi, { record, ...filters }: Filters, start: number): AsyncGenerator<Listed> {
        const all = await findLivestreams(api, { record });
        for (const [index, { streamUUID: id, title, status }] of all.entries()) {
            const matches = (filters.title ?? title) === title && (filters.status ?? status) === status;
            if (index >= start && matches) yield { id, title, next: index + 1 };
        }
    },
};
