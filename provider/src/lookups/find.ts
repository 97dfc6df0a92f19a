/** Finds objects, for functions such as `getContents` ("lookups"), and for the lists that the engine asks the plugin for. */
import type * as z from "zod/mini";
import type { CallOptions, ContentObject, LivestreamObject, ObjectList, SigningKey, VideographApi } from "../api";
import type { Schema } from "../definitions/definition";
import { withoutMarker } from "../evidence/marker";
import { problemsOf, unusualValues } from "../inputs/validate";
import { type Properties, textForm } from "../inputs/values";
import { type Message, messages } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import { type LookupName, type listInputs, lookups } from "./definitions";

type ArgumentsOf<Name extends LookupName> = z.infer<(typeof lookups)[Name]["args"]>;
type Filters<Kind extends keyof typeof listInputs> = z.infer<(typeof listInputs)[Kind]>;

/**
 * Returns the arguments, and the problems in them. It leaves out arguments that are `null`, by which programs mean "not set". An unknown name is a
 * problem, because not every language checks the names.
 */
export function checkedArguments(schema: Schema, given: object): { args: Properties; problems: Message[] } {
    const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    return { args, problems: problemsOf(schema, args) };
}

/**
 * The result of a lookup. It has the stream keys of livestreams in plain, so the caller must mark them as secrets. `args`: as `checkedArguments`
 * returns them. `warn`: is called if the result is empty, and a value that looks like a typo may be the cause.
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
    // The service documents no filters for its keys, so they are filtered here.
    getSigningKeys: async (api, filters, options) => {
        const wanted = Object.entries(filters).filter(([, value]) => value !== undefined);
        const keys = (await api.signingKeys(options)).filter((key) =>
            wanted.every(([name, value]) => key[name as keyof SigningKey] === value),
        );
        return { keys: keys.sort((a, b) => a.createdOn - b.createdOn || a.id - b.id) };
    },
};

/**
 * An object as a lookup returns it: without the package's marker in its metadata, and without `reason`, which explains a failure and is no property.
 */
function withoutReason<T extends { reason?: unknown }>({ reason: _, ...object }: T): Omit<T, "reason"> {
    return withoutMarker(object);
}

/** The contents that match, in the order of the service's list. */
export function findContents(
    api: VideographApi,
    { tags, ...filters }: Filters<"Content">,
    options: CallOptions,
    most?: number,
) {
    return findIn(api.contents.lists, options, most, async (items) => {
        const likely = items.filter((content) => matches(content, filters));
        if (tags === undefined) return likely;
        const whole = await withTags(api, likely, options);
        return whole.filter((content) => tags.every((tag) => content.tags?.some((one) => isSameText(tag, one))));
    });
}

/** The livestreams that match. Those that the service does not record come first. */
export function findLivestreams(
    api: VideographApi,
    { record, ...filters }: Filters<"Livestream">,
    options: CallOptions,
    most?: number,
) {
    const lists = api.livestreams.lists.filter((list) => record === undefined || list.record === record);
    return findIn(lists, options, most, async (items) => items.filter((item) => matches(item, filters)));
}

/** The objects that `select` picks from each page. It reads no further page once there are `most` of them. */
async function findIn<T extends { reason?: unknown }>(
    lists: readonly ObjectList<T>[],
    options: CallOptions,
    most = Infinity,
    select: (items: T[]) => Promise<T[]>,
) {
    const found: Omit<T, "reason">[] = [];
    for (const { pages } of lists)
        for await (const { items } of pages(options)) {
            found.push(...(await select(items)).map(withoutReason));
            if (found.length >= most) return found.slice(0, most);
        }
    return found;
}

function matches(object: ContentObject | LivestreamObject, { title, status }: Filters<"Livestream">): boolean {
    const isStatus = status === undefined || status.toLowerCase() === object.status?.toLowerCase();
    return (title === undefined || isSameText(title, object.title)) && isStatus;
}

function isSameText(wanted: string, shown: string | undefined): boolean {
    return shown !== undefined && textForm(wanted) === textForm(shown);
}

/**
 * The contents with their tags. A list of the service may leave out tags: then the content is read by itself. A content that was deleted meanwhile is
 * left out.
 */
async function withTags(api: VideographApi, items: ContentObject[], options: CallOptions): Promise<ContentObject[]> {
    const whole = items.map(async (content) =>
        content.tags === undefined ? await unlessNotFound(() => api.contents.get(content.contentId, options)) : content,
    );
    return (await Promise.all(whole)).filter((item) => item !== undefined);
}
