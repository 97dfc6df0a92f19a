/**
 * What answers may look like, disagreements of the contract included: the answers' part of the OpenAPI document. A field is
 * required only where every source shows it. Nothing is sent that is not in here, except what the variants that are marked
 * so, and injected faults, do on purpose.
 */
import { z } from "zod";
import { contentFields, livestreamFields, type PlainFields } from "../../../emulator/dist/plainFields.js";

const text = z.string();
/** A field that holds nothing may be shown as null; a flag always holds something. */
const plain = { flag: z.boolean(), text: text.nullable(), count: z.int().min(0).nullable() };
const answerShape = (fields: PlainFields) => {
    const shown = Object.values(fields).filter((field) => field.shown);
    return Object.fromEntries(shown.map(({ wire, form }) => [wire, plain[form].optional()]));
};
const empty = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
const epochMs = z.number().describe("epoch milliseconds");
const url = z.string().meta({ format: "uri" });
const policy = z.array(z.enum(["public", "signed"]));
const pair = z.strictObject({ key: text, value: text });
const contentId = z.union([text, z.int()]).describe("opaque: UUIDs, other text and numbers are all possible");
const contentStatus = text.describe(
    "`Pending`, `Preparing` or `Processing`, then `Ready` or `Failed`; others may exist",
);
const livestreamStatus = text.describe("`Idle`, `Active`, `Failed`, `Deleting`; others may exist");
const collections = { tags: empty(z.array(text)), metadata: empty(z.array(pair)) };
const thumbnail = { thumbnailUrl: url.optional(), thumbnails: z.array(url).optional() };
const created = {
    created_at: epochMs.optional(),
    createdOn: epochMs.optional().describe("other key of the creation time"),
};

export const content = z
    .strictObject({
        contentId,
        title: text,
        status: contentStatus,
        statusId: z.int().optional().describe("1 is the only documented value"),
        description: empty(text),
        duration: empty(z.number()).describe("milliseconds; when Ready"),
        ...collections,
        playback_policy: policy.optional(),
        playbackPolicy: policy.optional().describe("other key of the playback policy"),
        ...answerShape(contentFields),
        ...created,
        resolution: text.optional(),
        playbackUrl: url.optional().describe("HLS; when Ready"),
        ...thumbnail,
        errorMessage: text.optional().describe("why it Failed; the key is not documented"),
    })
    .meta({ id: "Content" });

export const contentItem = z
    .strictObject({
        contentId,
        title: text,
        status: contentStatus,
        ...created,
        ...collections,
        duration: empty(z.number()).describe("milliseconds; when Ready"),
        resolution: text.optional(),
        ...thumbnail,
    })
    .meta({ id: "ContentItem" });

export const livestream = z
    .strictObject({
        streamUUID: text,
        title: text,
        status: livestreamStatus,
        description: empty(text),
        ...collections,
        streamKey: text.describe("secret: whoever has it can broadcast"),
        rtmpUrl: text.optional(),
        ingestUrl: text.optional().describe("other key of the ingest URL"),
        ...answerShape(livestreamFields),
        rtmpsUrl: text.describe('may be ""'),
        playbackUrl: url,
        ...created,
    })
    .meta({ id: "Livestream" });

export const livestreamItem = z
    .strictObject({
        streamUUID: text,
        title: text,
        status: livestreamStatus,
        thumbnailUrl: url,
        created_at: epochMs,
        ...collections,
    })
    .meta({ id: "LivestreamItem" });

export const subtitle = z
    .strictObject({
        uuid: text,
        url,
        name: text,
        language_code: text,
        support_closed_captions: z.boolean(),
    })
    .meta({ id: "Subtitle" });

export const subtitleItem = z
    .strictObject({ uuid: text, name: text, format: text, createdOn: epochMs })
    .meta({ id: "SubtitleItem" });

export const thumbnailData = z.strictObject(thumbnail);

export const signingKey = z
    .strictObject({
        id: z.int(),
        productTypeId: z.int().describe("1 Video, 2 Data, 3 System"),
        environmentId: z.int(),
        signingKeyId: text,
        createdOn: epochMs,
        createdBy: text.describe("an e-mail address"),
    })
    .meta({ id: "SigningKey" });

/** A create may return only this. */
const terseContent = z.strictObject({ contentId, status: contentStatus });
const terseLivestream = z.strictObject({ streamUUID: text, status: livestreamStatus });
export const createdContent = z.union([content, terseContent]);
export const createdLivestream = z.union([livestream, terseLivestream]);

/** Around the data of every successful answer. */
export function envelope(data: z.ZodType | undefined) {
    return z.strictObject({
        status: z.literal("Success"),
        code: z.int().describe("repeats the HTTP status"),
        message: text,
        ...(data === undefined ? {} : { data }),
    });
}

export const error = z
    .union([
        z.strictObject({
            status: z.literal("Error"),
            code: z.int().describe("repeats the HTTP status"),
            message: text,
            data: z.union([z.null(), z.strictObject({ errors: z.array(text) })]),
        }),
        z.strictObject({ error: text }),
    ])
    .meta({ id: "Error" });
