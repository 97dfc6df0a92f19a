/** The lookups, each once: arguments and results, for both faces, the plugin and the schema. `find.ts` sends the requests. */
import { type Field, flag, id, knownValues, text } from "../definitions/definition";

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
const statuses = {
    ...knownValues("Pending", "Preparing", "Processing", "Ready", "Failed"),
    pattern: /^(pending|preparing|processing|ready|failed)$/i,
};
const productTypes = { pattern: /^[123]$/, words: "1 Video, 2 Data, 3 System" };

export const lookups = {
    getContent: {
        args: { contentId: { type: id, required: true, quotable: true } },
        result: { type: "ContentResult" },
    },
    getContents: {
        args: {
            title: { type: text },
            status: { type: text, known: statuses },
            tags: { type: { kind: "list", of: text } },
        },
        result: { type: "ContentResult", list: "contents" },
    },
    getLivestream: {
        args: { streamUUID: { type: id, required: true, quotable: true } },
        result: { type: "LivestreamResult" },
    },
    getLivestreams: {
        args: { record: { type: flag } },
        result: { type: "LivestreamItem", list: "livestreams" },
    },
    getSigningKeys: {
        args: {
            productTypeId: { type: integer, known: productTypes },
            environmentId: { type: integer },
            signingKeyId: { type: text },
        },
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
