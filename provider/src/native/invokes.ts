/** The lookups as functions of the plugin: arguments checked, results as the schema has them. */

import * as z from "zod";
import type { VideographApi } from "../api";
import type { Properties } from "../lifecycle";
import { problemsOf, someText } from "../lifecycle/state/validate";
import { findContent, findContents } from "../lookups/contents";
import { findLivestream, findLivestreams } from "../lookups/livestreams";
import { findSigningKeys } from "../lookups/signingKeys";
import type { Message } from "../messages";
import { type LookupName, lookupNames, lookupToken } from "./tokens";
import { secret } from "./wire";

export interface Lookup {
    /** What is wrong with the arguments. */
    problems(args: Properties): Message[];
    run(api: VideographApi, args: Properties): Promise<Properties>;
}

/** The lookup that a token names. */
export function lookupOf(token: string): Lookup | undefined {
    const name = lookupNames.find((candidate) => lookupToken(candidate) === token);
    return name && lookups[name];
}

const lookups: Record<LookupName, Lookup> = {
    getContent: lookup(z.strictObject({ contentId: someText() }), async (api, { contentId }) => ({
        ...(await findContent(api, contentId)),
    })),
    getContents: lookup(
        z.strictObject({
            title: z.string().optional(),
            status: z.string().optional(),
            tags: z.array(z.string()).optional(),
        }),
        async (api, filters) => ({ contents: await findContents(api, filters) }),
    ),
    getLivestream: lookup(z.strictObject({ streamUUID: someText() }), async (api, { streamUUID }) => {
        const { livestream, streamKey } = await findLivestream(api, streamUUID);
        return { ...livestream, ...(streamKey !== undefined && { streamKey: secret(streamKey) }) };
    }),
    getLivestreams: lookup(z.strictObject({ record: z.boolean().optional() }), async (api, filters) => ({
        livestreams: await findLivestreams(api, filters),
    })),
    getSigningKeys: lookup(
        z.strictObject({
            productTypeId: z.number().optional(),
            environmentId: z.number().optional(),
            signingKeyId: z.string().optional(),
        }),
        async (api, filters) => ({ keys: await findSigningKeys(api, filters) }),
    ),
};

function lookup<S extends z.ZodObject>(
    schema: S,
    run: (api: VideographApi, args: z.output<S>) => Promise<Properties>,
): Lookup {
    const set = (args: Properties) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
    return {
        problems: (args) => problemsOf(schema, set(args)),
        run: (api, args) => run(api, schema.parse(set(args))),
    };
}
