/** The inputs that need requests of their own, and which of these are due: subtitles and the thumbnail. `lifecycle/complete.ts` sends them. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../api/json";
import { LifecycleError, type Message, messages } from "../messages";
import { type Change, hasUnknown, type Properties } from "./values";

type OldsAndNews = Pick<Change, "olds" | "news">;

/** The property that identifies a subtitle. */
const key = "languageCode";

interface Subtitle {
    value: unknown;
    /** The language of the subtitle; `undefined` if it is missing or unknown. */
    language: string | undefined;
    /** The property's path, such as `subtitle[1]`. */
    path: string;
}

/** The subtitles among the properties. An unknown list counts as one unknown subtitle. */
function subtitlesIn({ subtitle: list }: Properties): Subtitle[] {
    const values: unknown[] = Array.isArray(list) ? list : hasUnknown(list) ? [list] : [];
    return values.map((value, index) => {
        const language = isObject(value) ? value[key] : undefined;
        const isKnown = typeof language === "string" && !hasUnknown(language);
        return { value, language: isKnown ? language : undefined, path: `subtitle[${index}]` };
    });
}

/**
 * The changes of the subtitles. `due`: the declared ones that are new or differ; `old` is the recorded one of the same language. `removed`: the recorded
 * ones without a successor, which only a new object can do without. `unnamed`: a due one without a language, so that nothing says what it replaces.
 */
function subtitleChanges({ olds, news }: OldsAndNews) {
    const before = subtitlesIn(olds);
    const now = subtitlesIn(news);
    const isSame = (old: Subtitle, one: Subtitle) => {
        // A subtitle without a language cannot be sent again, so a difference would replace the content. Removing `sourceVersion` must not.
        const version = one.language === undefined ? (news.sourceVersion ?? olds.sourceVersion) : news.sourceVersion;
        const [a, b] = [comparable(old.value, version), comparable(one.value, version)];
        return !hasUnknown(one.value) && isDeepStrictEqual(a, b);
    };
    const changed = now.filter((one) => !before.some((old) => isSame(old, one)));
    const due = changed.map((one) => ({
        ...one,
        old: before.find(({ language }) => language !== undefined && language === one.language),
    }));
    const removed = before.filter((old) => !due.some((one) => one.old === old) && !now.some((one) => isSame(old, one)));
    return { due, removed, unnamed: due.find(({ value, language }) => !hasUnknown(value) && !language) };
}

/** The subtitle as it is compared. With a version its URL counts without query and user: these change when the same file is signed again. */
function comparable(subtitle: unknown, version: unknown): unknown {
    if (version === undefined || !isObject(subtitle)) return subtitle;
    const url = typeof subtitle.url === "string" ? URL.parse(subtitle.url) : null;
    return url === null ? subtitle : { ...subtitle, url: `${url.origin}${url.pathname}` };
}

/** The subtitles of a create, as they identify the create. */
export function identityOfSubtitles({ subtitle, sourceVersion }: Properties): unknown {
    return Array.isArray(subtitle) ? subtitle.map((one) => comparable(one, sourceVersion)) : subtitle;
}

/** A request that an object needs beside its create or its PUT. */
export interface OwnRequest {
    input: "subtitle" | "thumbnail";
    /** The declared value, and the recorded one that it replaces. */
    value: Properties;
    old: unknown;
    /** The item's name in messages, such as `subtitle[1] (languageCode "de")`. */
    what: string;
}

/** The requests of an update. Throws where a subtitle has no language. */
export function dueRequests(change: OldsAndNews): OwnRequest[] {
    const { due, unnamed } = subtitleChanges(change);
    if (unnamed !== undefined) throw new LifecycleError(messages.itemNeedsKey({ item: unnamed.path, key }));
    const subtitles = due.map(({ value, old, language = "", path }): OwnRequest => {
        const what = isQuotable(language) ? `${path} (${key} "${language}")` : path;
        return { input: "subtitle", value: value as Properties, old: old?.value, what };
    });
    return [...subtitles, ...dueThumbnail(change)];
}

/** The request for the thumbnail. It is no part of a create: it is sent once the object is ready. */
export function dueThumbnail({ olds: { thumbnail: old }, news: { thumbnail: value } }: OldsAndNews): OwnRequest[] {
    const isSame = !hasUnknown(value) && isDeepStrictEqual(old, value);
    if (value === undefined || isSame) return [];
    return [{ input: "thumbnail", value: value as Properties, old, what: "thumbnail" }];
}

/** The way to change an input that needs requests of its own. No request can remove a thumbnail, so its removal is no change. */
export function wayOfChange(input: string, change: OldsAndNews): "createOnly" | "ownRequest" | undefined {
    if (input === "thumbnail") return dueThumbnail(change).length > 0 ? "ownRequest" : undefined;
    const { due, removed, unnamed } = subtitleChanges(change);
    if (removed.length > 0 || unnamed !== undefined) return "createOnly";
    return due.length > 0 ? "ownRequest" : undefined;
}

/** The inputs as the object has them while these requests are not sent: recorded values in the place of theirs, or none. */
export function withoutUnsent(inputs: Properties, unsent: readonly OwnRequest[]): Properties {
    if (unsent.length === 0) return inputs;
    const replaced = new Map<unknown, unknown>(unsent.map(({ value, old }) => [value, old]));
    const sent = (value: unknown) => (replaced.has(value) ? replaced.get(value) : value);
    const { subtitle, thumbnail } = inputs;
    const subtitles = Array.isArray(subtitle) ? subtitle.map(sent).filter((one) => one !== undefined) : subtitle;
    return { ...inputs, subtitle: subtitles, thumbnail: sent(thumbnail) };
}

/** The problems of subtitles with the language of an earlier one: it is unknown which of the two an object has. */
export function repeatedLanguages(inputs: Properties): Message[] {
    const subtitles = subtitlesIn(inputs);
    return subtitles.flatMap((one) => {
        const first = subtitles.find(({ language }) => language?.toLowerCase() === one.language?.toLowerCase());
        if (one.language === undefined || first === undefined || first === one) return [];
        return messages.repeatedItem({ input: "subtitle", key, item: `${one.path}.${key}`, first: first.path });
    });
}

/** The reason why the list makes a replacement necessary, for the preview. */
export function subtitleNote(change: OldsAndNews, object: string): Message {
    const { removed, unnamed } = subtitleChanges(change);
    if (removed.length === 0) return messages.itemWithoutKey({ item: unnamed?.path ?? "subtitle", key, object });
    const languages = removed.flatMap(({ language = "" }) => (isQuotable(language) ? [language] : []));
    const what = languages.length > 0 ? `${key} "${languages.join('", "')}"` : "an earlier item";
    const certainty = hasUnknown(change.news.subtitle) ? " (as far as is known yet)" : "";
    return messages.itemRemoved({ input: "subtitle", removed: what + certainty, object });
}

/** Whether the language is a short code. Any other text may be a secret. */
function isQuotable(language: string): boolean {
    return /^[\w-]{1,35}$/.test(language);
}
