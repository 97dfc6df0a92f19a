/** The lookups, each once: what both faces do and what the schema says. */
import type { VideographApi } from "../api";
import { findContent, findContents } from "./contents";
import { findLivestream, findLivestreams } from "./livestreams";
import { findSigningKeys } from "./signingKeys";

/** The types of arguments. */
interface Values {
    string: string;
    boolean: boolean;
    integer: number;
    strings: string[];
}

export interface Argument {
    readonly doc: string;
    readonly type: keyof Values;
    readonly required?: true;
}

type Arguments = Readonly<Record<string, Argument>>;

/** The arguments as a program gives them. */
type Given<A extends Arguments> = {
    [name in keyof A as A[name] extends { required: true } ? name : never]: Values[A[name]["type"]];
} & {
    [name in keyof A as A[name] extends { required: true } ? never : name]?: Values[A[name]["type"]] | undefined;
};

interface Lookup<A extends Arguments> {
    readonly doc: string;
    readonly args: A;
    readonly result: {
        readonly doc: string;
        /** What is found, or what each item of a list is. */
        readonly type: "ContentResult" | "LivestreamResult" | "LivestreamItem" | "SigningKey";
        /** The name that the result has for a list. */
        readonly list?: string;
    };
    /** What is found. Of a livestream this includes its key: see `withSecrets`. */
    find(api: VideographApi, args: Given<A>): Promise<object>;
}

function lookup<const A extends Arguments>({ find, ...rest }: Lookup<A>) {
    // The plugin checks what it is given, and TypeScript what a program gives.
    return { ...rest, find: (api: VideographApi, args: object) => find(api, args as Given<A>) };
}

export const lookups = {
    getContent: lookup({
        doc: "Looks up one content. An id that does not exist is an error.",
        args: { contentId: { type: "string", required: true, doc: "The content's id." } },
        result: { type: "ContentResult", doc: "The content as the service shows it." },
        find: (api, { contentId }) => findContent(api, contentId),
    }),
    getContents: lookup({
        doc: "Looks up all contents of the environment that match, over all pages of the service's list. A filter by `tags` may cost one more request for each content that the others let through.",
        args: {
            title: { type: "string", doc: "The exact title, in the exact case." },
            status: { type: "string", doc: 'The exact status, such as `"Ready"`.' },
            tags: { type: "strings", doc: "Tags that a content must all have." },
        },
        result: { type: "ContentResult", list: "contents", doc: "The contents, in the order of the service's list." },
        find: async (api, filters) => ({ contents: await findContents(api, filters) }),
    }),
    getLivestream: lookup({
        doc: "Looks up one livestream. An id that does not exist is an error.",
        args: { streamUUID: { type: "string", required: true, doc: "The livestream's id." } },
        result: { type: "LivestreamResult", doc: "The livestream as the service shows it." },
        find: (api, { streamUUID }) => findLivestream(api, streamUUID),
    }),
    getLivestreams: lookup({
        doc: "Looks up all livestreams of the environment that match, without their keys.",
        args: {
            record: {
                type: "boolean",
                doc: "`true`: only recorded livestreams; `false`: only plain ones. Default: both.",
            },
        },
        result: { type: "LivestreamItem", list: "livestreams", doc: "The livestreams, plain ones first." },
        find: async (api, filters) => ({ livestreams: await findLivestreams(api, filters) }),
    }),
    getSigningKeys: lookup({
        doc: "Looks up the signing keys that match. The service never shows a private part.",
        args: {
            productTypeId: { type: "integer", doc: "What the key is for: 1 Video, 2 Data, 3 System." },
            environmentId: {
                type: "integer",
                doc: "The number of the environment it belongs to. A token sees only its own.",
            },
            signingKeyId: {
                type: "string",
                doc: "The key's public identifier, the one that signed playback tokens name.",
            },
        },
        result: {
            type: "SigningKey",
            list: "keys",
            doc: "The keys, oldest first: sorted by `createdOn` and then by `id`.",
        },
        find: async (api, filters) => ({ keys: await findSigningKeys(api, filters) }),
    }),
};

export type LookupName = keyof typeof lookups;
