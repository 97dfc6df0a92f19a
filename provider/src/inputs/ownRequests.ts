/**
 * Subtitles and the thumbnail. No PUT changes them: each takes a request of its own. This file finds the requests that are due, and
 * `lifecycle/complete.ts` sends them.
 */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../api/json";
import { LifecycleError, type Message, messages } from "../messages";
import { type Change, hasUnknown, type Properties } from "./values";

type OldsAndNews = Pick<Change, "olds" | "news">;

/** The property that identifies a subtitle. */
const key = "languageCode";

interface Subtitle {
    value: unknown;
    /** `undefined` where the program gives no language, or a preview does not know it yet. */
    language: string | undefined;
    /** The property's path, such as `subtitle[1]`. */
    path: string;
}

/** The subtitles of an object. A list that a preview does not know yet counts as one unknown subtitle. */
function subtitlesIn({ subtitle: list }: Properties): Subtitle[] {
    const values: unknown[] = Array.isArray(list) ? list : hasUnknown(list) ? [list] : [];
    return values.map((value, index) => {
        const language = isObject(value) ? value[key] : undefined;
        const isKnown = typeof language === "string" && !hasUnknown(language);
        return { value, language: isKnown ? language : undefined, path: `subtitle[${index}]` };
    });
}

/**
 * Compares the declared subtitles with the recorded ones.
 * - `due`: declared subtitles that are new or changed; a request can send them. `old`: the recorded subtitle of the same language.
 * - `removed`: recorded subtitles that no declared subtitle replaces. No request removes a subtitle, so the object has to be replaced.
 * - `unnamed`: a subtitle in `due` without a language. The service could not tell which subtitle it replaces.
 */
function subtitleChanges({ olds, news }: OldsAndNews) {
    const before = subtitlesIn(olds);
    const now = subtitlesIn(news);
    const isSame = (old: Subtitle, one: Subtitle) => {
        // When the program removes `sourceVersion`, the whole URL counts again, and a subtitle with a language is just sent again. A subtitle without
        // a language cannot be sent, and its new signature would replace the video: so the old version still counts for it.
        const version = one.language === undefined ? (news.sourceVersion ?? olds.sourceVersion) : news.sourceVersion;
        return isDeepStrictEqual(comparable(old.value, version), comparable(one.value, version));
    };
    const changed = now.filter((one) => !before.some((old) => isSame(old, one)));
    const due = changed.map((one) => ({
        ...one,
        old: before.find(({ language }) => language !== undefined && language === one.language),
    }));
    const removed = before.filter((old) => !due.some((one) => one.old === old) && !now.some((one) => isSame(old, one)));
    return { due, removed, unnamed: due.find(({ value, language }) => !hasUnknown(value) && !language) };
}

/**
 * The subtitle in the form that is compared. With a `version`, the query and the user name in its URL do not count: they differ when the same file is
 * signed again.
 */
function comparable(subtitle: unknown, version: unknown): unknown {
    if (version === undefined || !isObject(subtitle)) return subtitle;
    const url = typeof subtitle.url === "string" ? URL.parse(subtitle.url) : null;
    return url === null ? subtitle : { ...subtitle, url: `${url.origin}${url.pathname}` };
}

/** The subtitles as a part of a create's identity: two creates with different subtitles make two different objects. */
export function identityOfSubtitles({ subtitle, sourceVersion }: Properties): unknown {
    return Array.isArray(subtitle) ? subtitle.map((one) => comparable(one, sourceVersion)) : subtitle;
}

/** A request for one subtitle or for the thumbnail, sent after the POST or the PUT of the object. */
export interface OwnRequest {
    input: "subtitle" | "thumbnail";
    /** The declared value. */
    value: Properties;
    /** The recorded value that `value` replaces. */
    old: unknown;
    /** The item's name in messages, such as `subtitle[1] (languageCode "de")`. */
    what: string;
}

/** The requests that an update has to send. @throws {LifecycleError} where a changed subtitle has no language */
export function dueRequests(change: OldsAndNews): OwnRequest[] {
    const { due, unnamed } = subtitleChanges(change);
    if (unnamed !== undefined) throw new LifecycleError(messages.itemNeedsKey({ item: unnamed.path, key }));
    const subtitles = due.map(({ value, old, language = "", path }): OwnRequest => {
        const what = isQuotable(language) ? `${path} (${key} "${language}")` : path;
        return { input: "subtitle", value: value as Properties, old: old?.value, what };
    });
    return [...subtitles, ...dueThumbnail(change)];
}

/** The request for a new or changed thumbnail. A create needs this request too: its POST cannot have a thumbnail. */
export function dueThumbnail({ olds: { thumbnail: old }, news: { thumbnail: value } }: OldsAndNews): OwnRequest[] {
    if (value === undefined || isDeepStrictEqual(old, value)) return [];
    return [{ input: "thumbnail", value: value as Properties, old, what: "thumbnail" }];
}

/**
 * How a changed subtitle or thumbnail reaches the object; `undefined` where nothing is to be sent. No request removes a thumbnail, so removing it
 * from the program counts as no change.
 */
export function wayOfChange(input: string, change: OldsAndNews): "createOnly" | "ownRequest" | undefined {
    if (input === "thumbnail") return dueThumbnail(change).length > 0 ? "ownRequest" : undefined;
    const { due, removed, unnamed } = subtitleChanges(change);
    if (removed.length > 0 || unnamed !== undefined) return "createOnly";
    return due.length > 0 ? "ownRequest" : undefined;
}

/** The inputs that the object has while these requests are unsent. If the declared values were recorded, the next update would not send the requests again. */
export function withoutUnsent(inputs: Properties, unsent: readonly OwnRequest[]): Properties {
    if (unsent.length === 0) return inputs;
    const replaced = new Map<unknown, unknown>(unsent.map(({ value, old }) => [value, old]));
    const sent = (value: unknown) => (replaced.has(value) ? replaced.get(value) : value);
    const { subtitle, thumbnail } = inputs;
    const all = Array.isArray(subtitle) ? subtitle : [];
    const subtitles = all.map(sent).filter((one) => one !== undefined);
    // An empty list would be one that the program has declared: without a language, the next subtitle would then replace an adopted content.
    const isNone = all.length > 0 && subtitles.length === 0;
    return { ...inputs, subtitle: isNone ? undefined : subtitle && subtitles, thumbnail: sent(thumbnail) };
}

/** A problem for each subtitle whose language an earlier subtitle of the list has: nobody knows which of the two the service would keep. */
export function repeatedLanguages(inputs: Properties): Message[] {
    const subtitles = subtitlesIn(inputs);
    return subtitles.flatMap((one) => {
        const first = subtitles.find(({ language }) => language?.toLowerCase() === one.language?.toLowerCase());
        if (one.language === undefined || first === undefined || first === one) return [];
        return messages.repeatedItem({ input: "subtitle", key, item: `${one.path}.${key}`, first: first.path });
    });
}

/** Tells in a preview why a change of the subtitles replaces the object. */
export function subtitleNote(change: OldsAndNews, object: string): Message {
    const { removed, unnamed } = subtitleChanges(change);
    if (removed.length === 0) return messages.itemWithoutKey({ item: unnamed?.path ?? "subtitle", key, object });
    const languages = removed.flatMap(({ language = "" }) => (isQuotable(language) ? [language] : []));
    const what = languages.length > 0 ? `${key} "${languages.join('", "')}"` : "an earlier item";
    const certainty = hasUnknown(change.news.subtitle) ? " (as far as is known yet)" : "";
    return messages.itemRemoved({ input: "subtitle", removed: what + certainty, object });
}

/** Whether a message may quote the language: a code is no secret, any other text may be one. */
function isQuotable(language: string): boolean {
    return /^[\w-]{1,35}$/.test(language);
}
