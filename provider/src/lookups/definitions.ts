/**
 * The lookups, each once: what it finds, its arguments and its documentation. The functions of both faces and their types
 * (`npm run generate`), the plugin's functions and the schema come from it.
 */
import type { SigningKey, VideographApi } from "../api";
import { type Field, flag, text, words } from "../inputs/definition";
import { findContents, findLivestreams, shown } from "./find";

type Arguments = Readonly<Record<string, Field>>;

interface Values {
    string: string;
    boolean: boolean;
    integer: number;
    list: string[];
}

/** The arguments as a program gives them. */
type Given<A extends Arguments> = {
    [name in keyof A]:
        | (A[name]["type"]["kind"] extends keyof Values ? Values[A[name]["type"]["kind"]] : never)
        | (A[name] extends { required: true } ? never : undefined);
};

interface Lookup<A extends Arguments> {
    readonly doc: string;
    readonly args: A;
    readonly result: {
        readonly doc: string;
        /** The object that is found, or each item of a list. */
        readonly type: "ContentResult" | "LivestreamResult" | "LivestreamItem" | "SigningKey";
        /** The name that the result has for a list. */
        readonly list?: string;
    };
    /** The objects that are found. Those of livestreams include the key: see `withSecrets`. */
    find(api: VideographApi, args: Given<A>): Promise<object>;
}

function lookup<const A extends Arguments>({ find, ...rest }: Lookup<A>) {
    // The plugin checks what it is given, and TypeScript what a program gives.
    return { ...rest, find: (api: VideographApi, args: object) => find(api, args as Given<A>) };
}

const integer = { kind: "integer" } as const;

export const lookups = {
    getContent: lookup({
        doc: "Looks up one content, in every preview and every `pulumi up`.\n\nUnlike {@link Content.get}, it adds nothing to the stack's state.",
        args: { contentId: { type: words, required: true, doc: "The content's id." } },
        result: { type: "ContentResult", doc: "The content as the service returns it." },
        find: async (api, { contentId }) => shown(await api.getContent(contentId)),
    }),
    getContents: lookup({
        doc: "Looks up all contents of the environment that match, over all pages of the service's list.\n\nA filter by `tags` may cost one more request for each content that matches the other filters, because the service's list may leave out tags.",
        args: {
            title: { type: text, doc: "The exact title, in the exact case." },
            status: { type: text, doc: 'The exact status, such as `"Ready"`.' },
            tags: { type: { kind: "list", of: text }, doc: "Tags that a content must all have." },
        },
        result: {
            type: "ContentResult",
            list: "contents",
            doc: "The contents, in the order of the service's list. The service's list may leave out properties.",
        },
        find: async (api, filters) => ({ contents: await findContents(api, filters) }),
    }),
    getLivestream: lookup({
        doc: "Looks up one livestream, in every preview and every `pulumi up`.\n\nUnlike {@link Livestream.get}, it adds nothing to the stack's state.",
        args: { streamUUID: { type: words, required: true, doc: "The livestream's id." } },
        result: {
            type: "LivestreamResult",
            doc: "The livestream as the service returns it; `streamKey` is a secret Output.",
        },
        find: async (api, { streamUUID }) => shown(await api.getLivestream(streamUUID)),
    }),
    getLivestreams: lookup({
        doc: "Looks up all livestreams of the environment that match. The result has no stream keys; {@link getLivestream} returns the key of one livestream.",
        args: {
            record: { type: flag, doc: "`true`: only recorded livestreams; `false`: only plain ones. Default: both." },
        },
        result: {
            type: "LivestreamItem",
            list: "livestreams",
            doc: "The livestreams, plain ones first. The service's list may leave out properties.",
        },
        find: async (api, filters) => ({ livestreams: await findLivestreams(api, filters) }),
    }),
    getSigningKeys: lookup({
        doc: "Looks up the signing keys that match, in every preview and every `pulumi up`. The service never returns private keys.",
        args: {
            productTypeId: { type: integer, doc: "The purpose of the key: 1 Video, 2 Data, 3 System." },
            environmentId: {
                type: integer,
                doc: "The number of the environment it belongs to. A token sees only its own.",
            },
            signingKeyId: {
                type: text,
                doc: "The key's public identifier, the one that signed playback tokens refer to.",
            },
        },
        result: {
            type: "SigningKey",
            list: "keys",
            doc: "The keys, oldest first: sorted by `createdOn` and then by `id`. `createdOn` is in milliseconds since the Unix epoch, `createdBy` is an e-mail address, and `signingKeyId` is the public identifier that signed playback tokens refer to.",
        },
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
