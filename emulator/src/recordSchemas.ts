/**
 * What a state file may hold: enough to refuse a file of something else, and a name that leads out of the media folder. The
 * rest is as this program wrote it.
 */
import { z } from "zod";
import type { Change } from "./store";

const shared = {
    environmentId: z.int(),
    title: z.string(),
    tags: z.array(z.string()),
    metadata: z.array(z.object({ key: z.string(), value: z.string() })),
    createdOn: z.number(),
};
const outcome = z.discriminatedUnion("playable", [
    z.looseObject({
        playable: z.literal(true),
        file: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .nullable(),
    }),
    z.looseObject({ playable: z.literal(false) }),
]);
const content = z.looseObject({
    ...shared,
    contentId: z.string().min(1),
    sourceUrls: z.array(z.string()),
    outcome: outcome.nullable(),
});
const livestream = z.looseObject({ ...shared, streamUUID: z.string().min(1), goneAt: z.number().nullable() });
const signingKey = z.looseObject({ environmentId: z.int(), signingKeyId: z.string() });
const deleted = z.object({ environmentId: z.int(), id: z.string() });

export const changeSchema = z.union([
    z.strictObject({ content }),
    z.strictObject({ contentDeleted: deleted }),
    z.strictObject({ livestream }),
    z.strictObject({ livestreamDeleted: deleted }),
    z.strictObject({ signingKey }),
]) as unknown as z.ZodType<Change>;
