/**
 * The properties of a Content. `definition.ts` explains each field, such as `change`: whether a change updates the object
 * in place or replaces it. `common.ts` has the properties of all objects.
 */

import { description, importId, metadata, tags, title } from "./common";
import { type Definition, flag, nonBlank, number, policies, text, url } from "./definition";

const source = {
    kind: "object",
    name: "ContentSource",
    fields: { url: { type: url, required: true } },
} as const;

const position = { pattern: /^\d+(\.\d+)?px$|^(100|\d{1,2}(\.\d+)?)%$/, words: 'such as "40px" or "70%"' };

const watermark = {
    kind: "object",
    name: "ContentWatermark",
    fields: {
        url: { type: url, required: true },
        xPos: { type: nonBlank, wire: "x_pos", known: position },
        yPos: { type: nonBlank, wire: "y_pos", known: position },
        opacity: { type: { kind: "numberOrString" } },
    },
} as const;

/** The names of languages. They are loaded when needed: that takes several milliseconds, and every process loads this file. */
let languages: Intl.DisplayNames | undefined;

/** Whether a text is the code of a language that Unicode knows. */
function isLanguage(code: string): boolean {
    const [, language] = /^([a-z]{2,3})([-_][a-z\d]+)*$/i.exec(code) ?? [];
    if (language === undefined) return false;
    languages ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" });
    return languages.of(language) !== undefined;
}

export const subtitle = {
    kind: "object",
    name: "ContentSubtitle",
    fields: {
        url: { type: url, required: true },
        name: { type: nonBlank },
        languageCode: {
            type: nonBlank,
            wire: "language_code",
            quotable: true,
            known: { pattern: { test: isLanguage }, words: 'such as "en" or "pt-BR"' },
        },
        supportClosedCaptions: { type: flag, wire: "support_closed_captions" },
    },
} as const;

export const thumbnail = {
    kind: "object",
    name: "ContentThumbnail",
    fields: {
        position: { type: { kind: "integer", unit: "seconds" }, wire: "videoPositionInSec", required: true },
        width: { type: { kind: "integer", unit: "pixels", min: 1 }, required: true },
        height: { type: { kind: "integer", unit: "pixels", min: 1 }, required: true },
    },
} as const;

export const contentDefinition = {
    name: "Content",
    idName: "contentId",
    inputs: {
        title,
        content: {
            type: {
                kind: "list",
                of: source,
                nonEmpty: 'a list of at least one source, such as [{ "url": "https://…" }]',
            },
            change: "createOnly",
            requiredForCreate: 'such as [{ "url": "https://…" }]',
            versionedBy: "sourceVersion",
            writeOnly: true,
        },
        playbackPolicy: {
            type: policies,
            wire: "playback_policy",
            default: ["public"],
            change: "createOnly",
            quotable: true,
        },
        description,
        tags,
        metadata,
        mp4Support: { type: flag, wire: "mp4_support", change: "createOnly" },
        saveOriginalCopy: { type: flag, wire: "save_original_copy", change: "inPlace", empty: false },
        // Documented answers do not have it. It is not `writeOnly`: where one has it, another value is drift.
        testVideo: { type: flag, wire: "test_video", change: "createOnly" },
        watermark: { type: { kind: "list", of: watermark }, change: "createOnly", writeOnly: true },
        subtitle: {
            type: { kind: "list", of: subtitle },
            change: "subtitles",
            writeOnly: true,
        },
        thumbnail: { type: thumbnail, change: "thumbnail", writeOnly: true },
        waitForReady: { type: flag, change: "local" },
        sourceVersion: { type: nonBlank, change: "local" },
        importId,
    },
    outputs: {
        status: { type: text },
        playbackUrl: { type: text },
        thumbnailUrl: { type: text, optional: true, changedBy: "thumbnail" },
        duration: { type: number },
        resolution: { type: text },
        createdOn: { type: number },
    },
} as const satisfies Definition;
