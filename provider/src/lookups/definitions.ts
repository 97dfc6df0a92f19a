/** The lookups, each once: arguments and results, for both faces, the plugin and the schema. `find.ts` sends the requests. */
import { type Field, flag, nonBlank, text } from "../definitions/definition";

interface Lookup {
    readonly args: Readonly<Record<string, Field>>;
    readonly result: {
        /** The object that is found, or each item of a list. */
        readonly type: "ContentResult" | "LivestreamResult" | "LivestreamItem" | "SigningKey";
        /** The name that the result has for a list. */
        readonly list?: string;
    };
}

const integer = { kind: "integer" } as const;

export const lookups = {
    getContent: {
        args: { contentId: { type: nonBlank, required: true } },
        result: { type: "ContentResult" },
    },
    getContents: {
        args: { title: { type: text }, status: { type: text }, tags: { type: { kind: "list", of: text } } },
        result: { type: "ContentResult", list: "contents" },
    },
    getLivestream: {
        args: { streamUUID: { type: nonBlank, required: true } },
        result: { type: "LivestreamResult" },
    },
    getLivestreams: {
        args: { record: { type: flag } },
        result: { type: "LivestreamItem", list: "livestreams" },
    },
    getSigningKeys: {
        args: { productTypeId: { type: integer }, environmentId: { type: integer }, signingKeyId: { type: text } },
        result: { type: "SigningKey", list: "keys" },
    },
} as const satisfies Record<string, Lookup>;

export type LookupName = keyof typeof lookups;

const { title, status, tags } = lookups.getContents.args;
/** The filters by which the engine lists the objects of a type. */
export const listInputs = {
    Content: { title, status, tags },
    Livestream: { title, status, record: lookups.getLivestreams.args.record },
} as const;
