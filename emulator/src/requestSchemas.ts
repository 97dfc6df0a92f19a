/** The form of requests: checks for the routes, and the requests' part of the OpenAPI document. */
import { z } from "zod";
import { contentFields, livestreamFields } from "./plainFields";
import { createShape, updateShape } from "./plainSchemas";
import type { ContentCreate, LivestreamCreate } from "./requests";

export const webUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
export const title = z.string().min(1, "must not be empty");
export const metadata = z.array(z.strictObject({ key: z.string().min(1), value: z.string() }));
/** The fields that every object may have. */
const texts = {
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    metadata: metadata.optional(),
};
export const policy = z
    .array(z.enum(["public", "signed"]))
    .min(1, 'must be ["public"], ["signed"] or both')
    .refine((policies) => new Set(policies).size === policies.length, "must not name a policy twice");
const position = z.string().regex(/^\d+(\.\d+)?(px|%)$/, 'must be text such as "1564px" or "70%"');
/** A field that the vendor's dashboard sends and no document names. It is accepted and ignored. */
const ignored = z.union([z.string(), z.number(), z.null()]).optional();
const seconds = z.number().min(0);

export const contentCreate = z.strictObject({
    title,
    content: z
        .array(z.strictObject({ url: webUrl, start_offset: ignored, end_offset: ignored }))
        .min(1, "must name at least one source"),
    playback_policy: policy,
    ...texts,
    watermark: z
        .array(
            z.strictObject({
                url: webUrl,
                x_pos: position.optional(),
                y_pos: position.optional(),
                opacity: z.union([z.string(), z.number()]).optional(),
                x_margin: ignored,
                y_margin: ignored,
                x_align: ignored,
                y_align: ignored,
                width: ignored,
                height: ignored,
            }),
        )
        .optional(),
    subtitle: z
        .array(
            z.strictObject({
                url: webUrl,
                name: z.string().optional(),
                language_code: z.string().optional(),
                support_closed_captions: z.boolean().optional(),
            }),
        )
        .optional(),
    ...createShape(contentFields),
}) satisfies z.ZodType<ContentCreate>;

export const contentUpdate = z.strictObject({ title, ...texts, ...updateShape(contentFields) });

export const subtitleCreate = z.strictObject({
    url: webUrl,
    name: z.string(),
    language_code: z.string().min(1, "must not be empty"),
    support_closed_captions: z.boolean(),
});

export const thumbnailCreate = z.strictObject({
    videoPositionInSec: z.int().min(0),
    width: z.int().min(1),
    height: z.int().min(1),
});

const clipFields = { title: title.optional(), ...texts };
export const clipCreate = z.strictObject({ startTimeInSecs: seconds, endTimeInSecs: seconds, ...clipFields });
export const liveClipCreate = z.strictObject({ startTime: seconds, endTime: seconds, ...clipFields });

export const livestreamCreate = z.strictObject({
    title,
    region: z.string().min(1, "must not be empty"),
    record: z.boolean(),
    ...texts,
    ...createShape(livestreamFields),
    playback_policy: policy.optional(),
    recordings_playback_policy: policy.optional(),
}) satisfies z.ZodType<LivestreamCreate>;
export const livestreamUpdate = z.strictObject({ title, ...texts, ...updateShape(livestreamFields) });

// Other query parameters are ignored: the vendor's dashboard adds undocumented ones.
const whole = z.coerce.number().int();
export const pageQuery = z.object({ start: whole.min(0).optional(), limit: whole.min(1).optional() });
export const livestreamQuery = pageQuery.extend({ record: z.enum(["true", "false"]).optional() });
