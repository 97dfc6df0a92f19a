/** Values and their differences in words: for people who approve videos, and may not read programs. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "#provider/api/json";
import { hasUnknown, isMask, mapParts, type Properties, somePart, unknownValue } from "#provider/inputs/values";
import { counted } from "../terminal";

export const secretWord = "[secret]";
const notKnown = "known after the apply";

export function holdsMask(value: unknown): boolean {
    return isMask(value) || somePart(value, holdsMask);
}

/** One changed value of a row. A new value has no `from`, a removed one no `to`. */
export interface Difference {
    /** The input that has the value. */
    readonly input: string;
    /** What people call the value, such as `metadata season`. */
    readonly name: string;
    readonly from?: string;
    readonly to?: string;
    /** Whether this difference alone makes the engine replace the object. */
    readonly replaces: boolean;
}

type Change = Omit<Difference, "input" | "replaces">;

/** Words for inputs whose names are no words, such as `mp4Support`. In an object, a key of metadata named "constructor" would find a function. */
const labels = new Map(
    Object.entries({
        content: "source",
        playbackPolicy: "who may play it",
        recordingsPlaybackPolicy: "who may play its recordings",
        dvrDurationInMins: "minutes to rewind",
        mp4Support: "MP4 files",
        saveOriginalCopy: "original is kept",
        testVideo: "test video",
        waitForReady: "waits until Ready",
        sourceVersion: "version of the source",
        startTime: "start in seconds",
        endTime: "end in seconds",
        contentId: "cut from",
        importId: "adopted id",
        languageCode: "language",
        supportClosedCaptions: "closed captions",
        xPos: "x",
        yPos: "y",
    }),
);

export function labelOf(input: string): string {
    return labels.get(input) ?? input;
}

/** The words for the texts of a playback policy. */
const policyWords = new Map<unknown, string>([
    ["public", "anyone"],
    ["signed", "holders of a signed URL"],
]);

/** The differences between recorded and declared inputs, in the order of `inputs`. */
export function differencesOf(
    inputs: readonly string[],
    olds: Properties,
    news: Properties,
    replaces: readonly string[],
): Difference[] {
    return inputs.flatMap((input) => {
        // A title or a tag may be "public" too.
        const isPolicy = /playbackPolicy$/i.test(input);
        const [from, to] = [olds, news].map(({ [input]: value }) =>
            isPolicy ? mapParts(value, (part) => policyWords.get(part) ?? part) : value,
        );
        const isReplacing = replaces.includes(input);
        return changesIn(labelOf(input), from, to).map((change) => ({ input, ...change, replaces: isReplacing }));
    });
}

function changesIn(name: string, from: unknown, to: unknown): Change[] {
    if (isMask(from) || isMask(to)) return [{ name, ...sideWords(from, to) }];
    if (isDeepStrictEqual(from, to)) return [];
    if (to === unknownValue || from === unknownValue) return [{ name, ...sideWords(from, to) }];
    const kinds = [from, to].filter(isSet);
    if (kinds.every(isObject)) return changesInObject(name, isObject(from) ? from : {}, isObject(to) ? to : {});
    if (!kinds.every(Array.isArray)) return [{ name, from: scalarWords(from), to: scalarWords(to) }];
    const [olds, news] = [listIn(from), listIn(to)];
    return [...olds, ...news].some((item) => isObject(item))
        ? changesInItems(name, olds, news)
        : changesInTexts(name, olds, news);
}

function isSet(value: unknown): boolean {
    return value !== undefined && value !== null;
}

function listIn(value: unknown): unknown[] {
    return Array.isArray(value) ? value : [];
}

function changesInObject(name: string, olds: Properties, news: Properties): Change[] {
    const keys = [...new Set([...Object.keys(olds), ...Object.keys(news)])].sort();
    return keys.flatMap((key) => changesIn(`${name} ${plain(labelOf(key))}`, olds[key], news[key]));
}

/** The difference of two lists of words, such as tags: which words come, and which go. */
function changesInTexts(name: string, olds: readonly unknown[], news: readonly unknown[]): Change[] {
    if (olds.length === 1 && news.length === 1) return [{ name, ...sideWords(olds[0], news[0]) }];
    const gone = olds.filter((one) => !news.includes(one)).map((one) => ({ name, from: wordsFor(one) }));
    const added = news.filter((one) => !olds.includes(one)).map((one) => ({ name, to: wordsFor(one) }));
    const all = [...gone, ...added];
    return all.length > 0 ? all : [{ name, from: wordsFor(olds), to: `${wordsFor(news)} (another order)` }];
}

/** A list of sources, subtitles or watermarks, item by item; subtitles by their language. */
function changesInItems(name: string, olds: readonly unknown[], news: readonly unknown[]): Change[] {
    const byKey = (items: readonly unknown[]) => new Map(items.map((item, index) => [keyOf(item, index), item]));
    const [before, after] = [byKey(olds), byKey(news)];
    const isSingle = before.size <= 1 && after.size <= 1;
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
        const item = isSingle && typeof key === "number" ? name : `${name} ${typeof key === "number" ? key + 1 : key}`;
        const [from, to] = [before.get(key), after.get(key)];
        if (from === undefined) return [{ name: item, to: wordsFor(to) }];
        if (to === undefined) return [{ name: item, from: wordsFor(from) }];
        if (onlyUrl(from) && onlyUrl(to)) return changesIn(item, from.url, to.url);
        return changesIn(item, from, to);
    });
}

function keyOf(item: unknown, index: number): string | number {
    const { languageCode } = isObject(item) ? item : {};
    return typeof languageCode === "string" && !isMask(languageCode) ? languageCode : index;
}

function onlyUrl(item: unknown): item is { url: unknown } {
    return isObject(item) && Object.keys(item).join() === "url";
}

function sideWords(from: unknown, to: unknown): Pick<Difference, "from" | "to"> {
    return { ...(isSet(from) && { from: wordsFor(from) }), ...(isSet(to) && { to: wordsFor(to) }) };
}

function scalarWords(value: unknown): string {
    return isSet(value) ? wordsFor(value) : "not set";
}

/** A value as people write it. */
export function wordsFor(value: unknown): string {
    if (isMask(value)) return secretWord;
    if (hasUnknown(value)) return notKnown;
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "string") return plain(value);
    if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(wordsFor).join(", ");
    if (!isObject(value)) return String(value ?? "none");
    if (onlyUrl(value)) return wordsFor(value.url);
    const parts = Object.entries(value).filter(([, part]) => isSet(part));
    return parts.map(([name, part]) => `${plain(labelOf(name))} ${wordsFor(part)}`).join(", ") || "none";
}

/** Who may play a video, as its policy says; without one, anyone may. */
export function playersOf(policy: unknown): string {
    if (holdsMask(policy)) return secretWord;
    if (hasUnknown(policy)) return notKnown;
    const words: unknown[] = Array.isArray(policy) ? policy : ["public"];
    if (words.includes("public")) return words.includes("signed") ? "anyone, also by signed URLs" : "anyone";
    return "holders of a signed URL";
}

export function isPublic(policy: unknown): boolean {
    return policy === undefined || (Array.isArray(policy) && policy.includes("public"));
}

/** The longest text of a user that is shown, in characters. */
const longest = 300;

/** A text on one line. A URL loses its user, its query and its fragment: they may be credentials. */
export function plain(text: string): string {
    const line = text.replace(/[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, plainUrl).replace(/\s+/g, " ");
    const characters = [...line];
    return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
}

/** The address without what may be a credential. */
export function plainUrl(text: string): string {
    const url = URL.parse(text);
    if (url === null) return text.split(/[?#]/, 1)[0]?.replace(/\/\/[^/]*@/, "//") ?? "";
    return `${url.protocol}//${url.host}${url.pathname}`;
}

/** The host and the file of a source: all that a reviewer has to tell it from another. */
export function sourceWords(content: unknown): string {
    if (isMask(content)) return secretWord;
    const urls = listIn(content).map((one) => (isObject(one) ? one.url : undefined));
    return urls.map((url) => wordsFor(url).replace(/^https?:\/\//, "")).join(", ") || notKnown;
}

/** A length: `41 minutes`, `1:05:00`. */
export function lengthWords(ms: number): string {
    const seconds = Math.round(ms / 1000);
    if (seconds < 60) return seconds < 10 ? `${Number((ms / 1000).toFixed(1))} s` : `${seconds} s`;
    const two = (number: number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)} ${hours > 0 ? "h" : "min"}`;
}

export function minutesWords(ms: number): string {
    return ms < 60_000 ? counted(Math.round(ms / 1000), "second") : counted(Math.round(ms / 60_000), "minute");
}
