/** The objects of a kind as the engine lists them: ids and titles, page by page, and never a stream key. */

import * as z from "zod";
import type { VideographApi } from "../api";
import { problemsOf } from "../inputs/validate";
import type { Properties } from "../lifecycle";
import { findLivestreams, matchingContents } from "../lookups/find";
import type { Message } from "../messages";
import { nativeTypeOf } from "./tokens";

/** One object; `next` is where the list goes on after it. */
export interface Listed {
    id: string;
    title: string | undefined;
    next: number;
}

export interface Listing {
    /** The problems of the query. */
    problems(query: Properties): Message[];
    /** The objects that match, from a position on. */
    run(api: VideographApi, query: Properties, start: number): AsyncIterable<Listed>;
}

/** Lists the objects of a type. */
export function listingOf(type: string): Listing | undefined {
    return listings[type];
}

const title = z.string().optional();
const status = z.string().optional();

const listings: Record<string, Listing> = {
    [nativeTypeOf("Content")]: listing(
        z.strictObject({ title, status, tags: z.array(z.string()).optional() }),
        async function* (api, query, start) {
            for await (const { content, next } of matchingContents(api, query, start))
                yield { id: content.contentId, title: content.title, next };
        },
    ),
    [nativeTypeOf("Livestream")]: listing(
        z.strictObject({ title, status, record: z.boolean().optional() }),
        async function* (api, query, start) {
            const all = await findLivestreams(api, query);
            for (const [index, { streamUUID, ...item }] of all.entries()) {
                const matches =
                    index >= start &&
                    (query.title ?? item.title) === item.title &&
                    (query.status ?? item.status) === item.status;
                if (matches) yield { id: streamUUID, title: item.title, next: index + 1 };
            }
        },
    ),
};

function listing<S extends z.ZodObject>(
    schema: S,
    run: (api: VideographApi, query: z.output<S>, start: number) => AsyncIterable<Listed>,
): Listing {
    return {
        problems: (query) => problemsOf(schema, query),
        run: (api, query, start) => run(api, schema.parse(query), start),
    };
}
