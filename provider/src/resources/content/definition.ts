/** The properties of a Content. */
import { type Definition, flag, number, policies, text, url, words } from "../../inputs/definition";
import { description, importIdOf, metadataOf, tags, title } from "../commonInputs";

const source = {
    kind: "object",
    name: "ContentSource",
    doc: "Where the service fetches a video from. It does so once, when the content is created.",
    fields: {
        url: {
            doc: "An absolute `http:` or `https:` URL that the service can reach without logging in. The service's guides name MP4, MOV and M4V files.",
            type: url,
            required: true,
        },
    },
} as const;

const watermark = {
    kind: "object",
    name: "ContentWatermark",
    doc: "An image that is laid over the video when it is transcoded.",
    fields: {
        url: {
            doc: "The absolute `http:` or `https:` URL of the image. A URL with a query string makes `watermark` a secret.",
            type: url,
            required: true,
        },
        xPos: {
            doc: 'Horizontal position as a string, in pixels or percent: `"1564px"`, `"70%"`.',
            type: words,
            wire: "x_pos",
        },
        yPos: {
            doc: 'Vertical position as a string, in pixels or percent: `"1564px"`, `"70%"`.',
            type: words,
            wire: "y_pos",
        },
        opacity: {
            doc: "The opacity of the image, sent to the service as you write it. The service's documentation gives neither range nor unit.",
            type: { kind: "numberOrString" },
        },
    },
} as const;

export const subtitle = {
    kind: "object",
    name: "ContentSubtitle",
    doc: "A file with subtitles of one language.",
    fields: {
        url: {
            doc: "The absolute `http:` or `https:` URL of an SRT or VTT file. A URL with a query string makes `subtitle` a secret.",
            type: url,
            required: true,
        },
        name: {
            doc: 'The name that a player shows in its menu, such as `"English"`. Default: the service\'s; `languageCode` when the subtitle is added to an existing content.',
            type: words,
        },
        languageCode: {
            doc: 'The language, such as `"en"`. Each language once; case does not count. Without it, a subtitle cannot be added or changed in place.',
            type: words,
            wire: "language_code",
            quotable: true,
        },
        supportClosedCaptions: {
            doc: "Whether the file holds closed captions, which also describe sounds. Default: the service's; `false` when the subtitle is added to an existing content.",
            type: flag,
            wire: "support_closed_captions",
        },
    },
} as const;

export const thumbnail = {
    kind: "object",
    name: "ContentThumbnail",
    doc: "A still of the video.",
    fields: {
        position: {
            doc: "Which second of the video it shows: a whole number.",
            type: { kind: "integer", unit: "seconds" },
            wire: "videoPositionInSec",
            required: true,
        },
        width: { doc: "Its width in pixels.", type: { kind: "integer", unit: "pixels", min: 1 }, required: true },
        height: { doc: "Its height in pixels.", type: { kind: "integer", unit: "pixels", min: 1 }, required: true },
    },
} as const;

export const contentDefinition = {
    name: "Content",
    idName: "contentId",
    inputs: {
        title,
        content: {
            doc: "The sources: at least one. Required unless `importId` is given. A change replaces the content, unless `sourceVersion` is set. A URL with a query string or user info makes the whole input a secret, because presigned URLs open the file to anyone who has them.",
            type: { kind: "list", of: source, nonEmpty: "a list of at least one source" },
            change: "createOnly",
            requiredForCreate: "at least one source with a url",
            versionedBy: "sourceVersion",
            writeOnly: true,
            presignable: true,
        },
        playbackPolicy: {
            doc: 'Who can play it: `"public"` (anyone), `"signed"` (only with a token that one of the signing keys has signed) or both. Default `["public"]`; an adopted content keeps its own. A change replaces the content.',
            type: policies,
            wire: "playback_policy",
            default: ["public"],
            change: "createOnly",
            unordered: true,
            quotable: true,
        },
        description,
        tags,
        metadata: metadataOf("content"),
        mp4Support: {
            doc: "Whether MP4 renditions are made. If not set, the service decides. A change replaces the content.",
            type: flag,
            wire: "mp4_support",
            change: "createOnly",
        },
        saveOriginalCopy: {
            doc: "Whether the service keeps the source file. When you remove it from the program, it is reset to `false`. Changed in place.",
            type: flag,
            wire: "save_original_copy",
            change: "inPlace",
            empty: false,
        },
        testVideo: {
            doc: "Whether it is a test video: the service transcodes only its first 10 seconds. If not set, the service decides. A change replaces the content.",
            type: flag,
            wire: "test_video",
            change: "createOnly",
        },
        watermark: {
            doc: "Images that are laid over the video. A change replaces the content.",
            type: { kind: "list", of: watermark },
            change: "createOnly",
            writeOnly: true,
            presignable: true,
        },
        subtitle: {
            doc: "Subtitles, one for each language; their order has no meaning. Adding one and changing one is done in place. Removing one replaces the content.",
            type: { kind: "list", of: subtitle },
            change: "perItem",
            itemKey: "languageCode",
            versionedBy: "sourceVersion",
            writeOnly: true,
            presignable: true,
        },
        thumbnail: {
            doc: "Which still of the video is its thumbnail. Set once the content is Ready, so not with `waitForReady: false`, and again when it changes. If not set, the service decides. When you remove it from the program, the service keeps the last one. Changed in place.",
            type: thumbnail,
            change: "whenReady",
            writeOnly: true,
        },
        waitForReady: {
            doc: "Whether `pulumi up` waits until the content is Ready, and fails when it has Failed. Default `true`. With `false` the create ends at once, and the outputs are those of a content that is not Ready; see {@link ContentReadiness} for waiting later. A replacement then deletes the old content before the new one is Ready.",
            type: flag,
            change: "local",
        },
        sourceVersion: {
            doc: "For sources whose URL changes although the video does not, such as presigned URLs. When it is set, only a change of `sourceVersion` replaces the content; a changed source URL does not, and a subtitle URL with another query string is no change. Setting it for the first time replaces nothing, and neither does removing it while the URL stays that of the last `pulumi up`.",
            type: words,
            change: "local",
        },
        importId: importIdOf("content", ", and so is one that has Failed"),
    },
    outputs: {
        status: {
            doc: "`Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others. A change of the status is not drift; only a content that has Failed is replaced by the next `pulumi up`.",
            lookupDoc: "`Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others.",
            type: text,
        },
        playbackUrl: { doc: "The URL of the HLS playlist. Known once the content is Ready.", type: text },
        thumbnailUrl: {
            doc: "The URL of a still image, where the service has made one.",
            type: text,
            optional: true,
            changedBy: "thumbnail",
        },
        duration: { doc: "The playing time in milliseconds. Final once the content is Ready.", type: number },
        resolution: {
            doc: 'The size of the picture, such as `"1920x1080"`. Known once the content is Ready.',
            type: text,
        },
        createdOn: { doc: "When it was created, in milliseconds since the Unix epoch.", type: number },
    },
} as const satisfies Definition;
