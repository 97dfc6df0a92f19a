/** What a state file may hold. Fields that older builds did not write have defaults. */
import { z } from "zod";
import { contentFields, livestreamFields } from "./plainFields";
import { recordShape } from "./plainSchemas";
import type { Change, ContentRecord, LivestreamRecord, SigningKey } from "./store";

const epochMs = z.number();
const policy = z.array(z.enum(["public", "signed"]));
const shared = {
    environmentId: z.int(),
    title: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    metadata: z.array(z.object({ key: z.string(), value: z.string() })),
    playbackPolicy: policy,
    createdOn: epochMs,
    delay: z.number().min(0).max(1).default(0),
};
const outcome = z.discriminatedUnion("playable", [
    z.object({
        playable: z.literal(true),
        durationMs: z.number(),
        resolution: z.string(),
        // A name in the media folder: anything else could be used to delete other files.
        file: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .nullable(),
    }),
    z.object({ playable: z.literal(false), reason: z.string() }),
]);

const content = z.object({
    ...shared,
    contentId: z.string().min(1),
    sourceUrls: z.array(z.string()),
    watermark: z.array(
        z.looseObject({
            url: z.string(),
            x_pos: z.string().optional(),
            y_pos: z.string().optional(),
            opacity: z.union([z.number(), z.string()]).optional(),
        }),
    ),
    subtitle: z.array(
        z.object({
            url: z.string(),
            name: z.string().optional(),
            language_code: z.string().optional(),
            support_closed_captions: z.boolean().optional(),
            uuid: z.string().default(""),
            createdOn: epochMs.default(0),
        }),
    ),
    ...recordShape(contentFields),
    processingMs: z.number().nullable(),
    outcome: outcome.nullable(),
    outcomeAt: epochMs.nullable(),
    fixed: z.object({ status: z.string(), reason: z.string().nullable() }).nullable(),
    thumbnailAtSec: z.number().nullable().default(null),
}) satisfies z.ZodType<ContentRecord>;

const livestream = z.object({
    ...shared,
    streamUUID: z.string().min(1),
    region: z.string(),
    record: z.boolean(),
    ...recordShape(livestreamFields),
    recordingsPlaybackPolicy: policy,
    streamKey: z.string(),
    status: z.string(),
    goneAt: epochMs.nullable(),
}) satisfies z.ZodType<LivestreamRecord>;

const signingKey = z.object({
    id: z.number(),
    productTypeId: z.number(),
    environmentId: z.int(),
    signingKeyId: z.string(),
    createdOn: epochMs,
    createdBy: z.string(),
}) satisfies z.ZodType<SigningKey>;

const deleted = z.object({ environmentId: z.int(), id: z.string() });

export const changeSchema = z.union([
    z.strictObject({ content }),
    z.strictObject({ contentDeleted: deleted }),
    z.strictObject({ livestream }),
    z.strictObject({ livestreamDeleted: deleted }),
    z.strictObject({ signingKey }),
]) satisfies z.ZodType<Change>;
