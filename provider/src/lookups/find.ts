/** Finding objects, for lookups and for the plugin's lists. Only a program that has lookups loads this file. */
import type * as z from "zod/mini";
import type { CallOptions, ContentObject, LivestreamObject, SigningKey, VideographApi } from "../api";
import type { Schema } from "../definitions/definition";
import { withoutMarker } from "../evidence/marker";
import { problemsOf, unusualValues } from "../inputs/validate";
import { type Properties, textForm } from "../inputs/values";
import { type Message, messages } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import { type LookupName, type listInputs, lookups } from "./definitions";

type ArgumentsOf<Name extends LookupName> = z.infer<(typeof lookups)[Name]["args"]>;
type Filters<Kind extends keyof typeof listInputs> = z.infer<(typeof listInputs)[Kind]>;

/** The arguments that are set, and their problems. Programs write `null` for "not set", and not every language checks names. */
export function checkedArguments(schema: Schema, given: object): { args: Properties; problems: Message[] } {
    const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    return { args, problems: problemsOf(schema, args) };
}

/**
 * The result of a lookup, with the keys of livestreams: see `withSecrets`. `args` are checked. `warn`: for typos that explain an empty
 * result. `options`: of each request.
 */
export async function find(
    name: LookupName,
    api: VideographApi,
    args: Properties,
    warn: (message: Message) => unknown,
    options: CallOptions,
): Promise<Properties> {
    const found: Properties = { ...(await finders[name](api, args as never, options)) };
    if (Object.values(found).some((list) => Array.isArray(list) && list.length === 0))
        for (const unusual of unusualValues(lookups[name].args, args))
            warn(messages.nothingFound({ name, ...unusual }));
    return found;
}

type Finder<Args> = (api: VideographApi, args: Args, options: CallOptions) => Promise<object>;

const finders: { [name in LookupName]: Finder<ArgumentsOf<name>> } = {
    getContent: async (api, { contentId }, options) => withoutReason(await api.contents.get(contentId, options)),
    getContents: async (api, filters, options) => ({ contents: await findContents(api, filters, options) }),
    getLivestream: async (api, { streamUUID }, options) =>
        withoutReason(await api.livestreams.get(streamUUID, options)),
    getLivestreams: async (api, filters, options) => ({ livestreams: await findLivestreams(api, filters, options) }),
    // The service's documentation shows no filters.
    getSigningKeys: async (api, filters, options) => {
        const wanted = Object.entries(filters).filter(([, value]) => value !== undefined);
        const keys = (await api.signingKeys(options)).filter((key) =>
            wanted.every(([name, value]) => key[name as keyof SigningKey] === value),
        );
        return { keys: keys.sort((a, b) => a.createdOn - b.createdOn || a.id - b.id) };
    },
};

/** An object as a lookup returns it: without our marker, and without the reason of a failure, which only the wait reads. */
function withoutReason<T extends { reason?: unknown }>({ reason: _, ...object }: T): Omit<T, "reason"> {
    return withoutMarker(object);
}

/** The contents that match, in the order of the service's list, which is read no further than `most` of them need. */
export async function findContents(
    api: VideographApi,
    { tags, ...filters }: Filters<"Content">,
    options: CallOptions,
    most = Infinity,
) {
    const found: Omit<ContentObject, "reason">[] = [];
    for await (const { items } of api.listContents(options)) {
        const likely = items.filter((content) => matches(content, filters));
        const whole = tags === undefined ? likely : await withTags(api, likely, options);
        const matching = whole.filter((content) =>
            (tags ?? []).every((tag) => content.tags?.some((one) => isSameText(tag, one))),
        );
        found.push(...matching.map(withoutReason));
        if (found.length >= most) break;
    }
    return found.slice(0, most);
}

/** The livestreams that match, those that are not recorded first. */
export async function findLivestreams(
    api: VideographApi,
    { record, ...filters }: Filters<"Livestream">,
    options: CallOptions,
    most = Infinity,
) {
    const livestreams: Omit<LivestreamObject, "reason">[] = [];
    // The service's two lists are disjoint.
    for (const recorded of record === undefined ? [false, true] : [record])
        for await (const { items } of api.listLivestreams({ record: recorded }, options)) {
            livestreams.push(...items.filter((item) => matches(item, filters)).map(withoutReason));
            if (livestreams.length >= most) return livestreams.slice(0, most);
        }
    return livestreams;
}

function matches(object: ContentObject | LivestreamObject, { title, status }: Filters<"Livestream">): boolean {
    const isStatus = status === undefined || status.toLowerCase() === object.status?.toLowerCase();
    return (title === undefined || isSameText(title, object.title)) && isStatus;
}

function isSameText(wanted: string, shown: string | undefined): boolean {
    return shown !== undefined && textForm(wanted) === textForm(shown);
}

/** The contents with their tags. List items may lack tags: then each is read. A content that was deleted since the list is left out. */
async function withTags(api: VideographApi, items: ContentObject[], options: CallOptions): Promise<ContentObject[]> {
    const whole = items.map(async (content) =>
        content.tags === undefined ? await unlessNotFound(() => api.contents.get(content.contentId, options)) : content,
    );
    return (await Promise.all(whole)).filter((item) => item !== undefined);
}
