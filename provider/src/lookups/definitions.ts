/** The arguments and results of the functions that read ("lookups"), for the TypeScript classes, the plugin and its schema. `find.ts` sends the requests. */
import * as z from "zod/mini";
import { knownValues, type Shape, withFacts } from "../definitions/definition";
import { flag, id, integer, list, object, text } from "../definitions/schemas";

interface Lookup {
    readonly args: z.ZodMiniObject<Shape>;
    readonly result: {
        /** The type of the result, or of each item of its list. */
        readonly type: "ContentResult" | "LivestreamResult" | "LivestreamItem" | "SigningKey";
        /** The name of the result's property that has the list; `undefined` if the result is the object itself. */
        readonly list?: string;
    };
}

const statuses = {
    ...knownValues("Pending", "Preparing", "Processing", "Ready", "Failed"),
    pattern: /^(pending|preparing|processing|ready|failed)$/i,
};
const productTypes = { pattern: /^[123]$/, words: "1 Video, 2 Data, 3 System" };

export const lookups = {
    getContent: {
        args: object({ contentId: withFacts(id(), { quotable: true }) }),
        result: { type: "ContentResult" },
    },
    getContents: {
        args: object({
            title: z.optional(text()),
            status: withFacts(z.optional(text()), { known: statuses }),
            tags: z.optional(list(text())),
        }),
        result: { type: "ContentResult", list: "contents" },
    },
    getLivestream: {
        args: object({ streamUUID: withFacts(id(), { quotable: true }) }),
        result: { type: "LivestreamResult" },
    },
    getLivestreams: {
        args: object({ record: z.optional(flag()) }),
        result: { type: "LivestreamItem", list: "livestreams" },
    },
    getSigningKeys: {
        args: object({
            productTypeId: withFacts(z.optional(integer()), { known: productTypes }),
            environmentId: z.optional(integer()),
            signingKeyId: z.optional(text()),
        }),
        result: { type: "SigningKey", list: "keys" },
    },
} as const satisfies Record<string, Lookup>;

export type LookupName = keyof typeof lookups;

const { title, status, tags } = lookups.getContents.args.shape;
/** The filters that the engine may send when it lists the objects of a type. */
export const listInputs = {
    Content: object({ title, status, tags }),
    Livestream: object({ title, status, record: lookups.getLivestreams.args.shape.record }),
} as const;
