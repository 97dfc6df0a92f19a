/** The properties of a Content. `definition.ts` explains the facts of an input, and the ways of change, such as `inPlace`. */
import * as z from "zod/mini";
import { common } from "./common";
import { createOnly, define, inPlace, local, sentOnly, subtitles, thumbnails, withFacts } from "./definition";
import {
    flag,
    integer,
    knownText,
    list,
    named,
    nonBlank,
    nonEmptyList,
    number,
    numberOrString,
    object,
    policies,
    text,
    url,
} from "./schemas";

const oneUrl = '{ "url": "https://…" }';

const source = () => named("ContentSource", oneUrl, { url: url() });

const position = () =>
    knownText({ pattern: /^\d+(\.\d+)?px$|^(100|\d{1,2}(\.\d+)?)%$/, words: 'such as "40px" or "70%"' });

const watermark = () =>
    named("ContentWatermark", oneUrl, {
        url: url(),
        xPos: z.optional(position()),
        yPos: z.optional(position()),
        opacity: z.optional(numberOrString()),
    });

/** The names of all languages. They are loaded only when the first language is checked, because that takes several milliseconds. */
let languages: Intl.DisplayNames | undefined;

/** Whether a text is the code of a language that Unicode knows. */
function isLanguage(code: string): boolean {
    const [, language] = /^([a-z]{2,3})([-_][a-z\d]+)*$/i.exec(code) ?? [];
    if (language === undefined) return false;
    languages ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" });
    return languages.of(language) !== undefined;
}
const language = () => knownText({ pattern: { test: isLanguage }, words: 'such as "en" or "pt-BR"' });

const subtitle = () =>
    named("ContentSubtitle", oneUrl, {
        url: url(),
        name: z.optional(nonBlank()),
        languageCode: withFacts(z.optional(language()), { quotable: true }),
        supportClosedCaptions: z.optional(flag()),
    });

const thumbnail = () =>
    named("ContentThumbnail", '{ "position": 1, "width": 1, "height": 1 }', {
        position: withFacts(integer("seconds"), { wire: "videoPositionInSec" }),
        width: integer("pixels", 1),
        height: integer("pixels", 1),
    });

export const contentDefinition = define("Content", "contentId", () => ({
    inputs: object({
        title: inPlace(nonBlank()),
        content: sentOnly(z.optional(nonEmptyList(source(), `a list of at least one source, such as [${oneUrl}]`)), {
            requiredForCreate: `such as [${oneUrl}]`,
            versionedBy: "sourceVersion",
        }),
        playbackPolicy: createOnly(z.optional(policies()), { default: ["public"], quotable: true }),
        ...common(),
        mp4Support: createOnly(z.optional(flag())),
        saveOriginalCopy: inPlace(z.optional(flag()), { empty: false }),
        // No documented answer has this input. It is `createOnly` and not `sentOnly` all the same: if an answer has it, another value there is drift.
        testVideo: createOnly(z.optional(flag())),
        watermark: sentOnly(z.optional(list(watermark(), `[${oneUrl}]`))),
        subtitle: subtitles(z.optional(list(subtitle(), `[${oneUrl}]`))),
        thumbnail: thumbnails(z.optional(thumbnail())),
        waitForReady: local(z.optional(flag())),
        sourceVersion: local(z.optional(nonBlank())),
    }),
    outputs: z.object({
        status: text(),
        playbackUrl: text(),
        thumbnailUrl: withFacts(z.optional(text()), { changedBy: "thumbnail" }),
        duration: number(),
        resolution: text(),
        createdOn: number(),
    }),
}));
