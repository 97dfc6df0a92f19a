/**
 * The lookups, each once: its arguments, and what it finds (`find.ts` has the requests and filters). The functions of both faces, the plugin's functions and the schema come
 * from it; their documentation is in `program/lookups.ts`.
 */
import type { SigningKey, VideographApi } from "../api";
import { type Field, flag, nonBlank, text, type ValuesOf } from "../definitions/definition";

type Arguments = Readonly<Record<string, Field>>;

interface Lookup<A extends Arguments> {
    readonly args: A;
    readonly result: {
        /** The object that is found, or each item of a list. */
        readonly type: "ContentResult" | "LivestreamResult" | "LivestreamItem" | "SigningKey";
        /** The name that the result has for a list. */
        readonly list?: string;
    };
    /** The objects that are found. Those of livestreams include the key: see `withSecrets`. */
    find(api: VideographApi, args: ValuesOf<A>): Promise<object>;
}

function lookup<const A extends Arguments>({ find, ...rest }: Lookup<A>) {
    // The plugin checks what it is given, and TypeScript what a program gives.
    return { ...rest, find: (api: VideographApi, args: object) => find(api, args as ValuesOf<A>) };
}

const integer = { kind: "integer" } as const;

/** Only a lookup loads what sends requests: most programs have none, and start sooner. */
const loadFind = () => import("./find.js");

export const lookups = {
    getContent: lookup({
        args: { contentId: { type: nonBlank, required: true } },
        result: { type: "ContentResult" },
        find: async (api, { contentId }) => (await loadFind()).withoutReason(await api.contents.get(contentId)),
    }),
    getContents: lookup({
        args: { title: { type: text }, status: { type: text }, tags: { type: { kind: "list", of: text } } },
        result: { type: "ContentResult", list: "contents" },
        find: async (api, filters) => ({ contents: await (await loadFind()).findContents(api, filters) }),
    }),
    getLivestream: lookup({
        args: { streamUUID: { type: nonBlank, required: true } },
        result: { type: "LivestreamResult" },
        find: async (api, { streamUUID }) => (await loadFind()).withoutReason(await api.livestreams.get(streamUUID)),
    }),
    getLivestreams: lookup({
        args: { record: { type: flag } },
        result: { type: "LivestreamItem", list: "livestreams" },
        find: async (api, filters) => ({ livestreams: await (await loadFind()).findLivestreams(api, filters) }),
    }),
    getSigningKeys: lookup({
        args: { productTypeId: { type: integer }, environmentId: { type: integer }, signingKeyId: { type: text } },
        result: { type: "SigningKey", list: "keys" },
        // The service shows no filters.
        find: async (api, filters) => {
            const names = Object.keys(filters) as (keyof SigningKey & keyof typeof filters)[];
            const keys = (await api.signingKeys()).filter((key) =>
                names.every((name) => (filters[name] ?? key[name]) === key[name]),
            );
            return { keys: keys.sort((a, b) => a.createdOn - b.createdOn || a.id - b.id) };
        },
    }),
};

export type LookupName = keyof typeof lookups;

const { title, status, tags } = lookups.getContents.args;
/** The filters by which the engine lists the objects of a type. */
export const listInputs = {
    Content: { title, status, tags },
    Livestream: { title, status, record: lookups.getLivestreams.args.record },
} as const satisfies Record<string, Arguments>;
