/**
 * What a state file may hold: enough to refuse a file of something else, and a name that leads out of the media folder. The
 * rest is as this program wrote it.
 */
import { z } from "zod";
import type { Change } from "./store";

const environmentId = z.int();
const id = z.string().min(1);
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
const deleted = z.object({ environmentId, id });

export const changeSchema = z.union([
    z.strictObject({ content: z.looseObject({ contentId: id, environmentId, outcome: outcome.nullable() }) }),
    z.strictObject({ contentDeleted: deleted }),
    z.strictObject({ livestream: z.looseObject({ streamUUID: id, environmentId, goneAt: z.number().nullable() }) }),
    z.strictObject({ livestreamDeleted: deleted }),
    z.strictObject({ signingKey: z.looseObject({ signingKeyId: id, environmentId }) }),
]) as unknown as z.ZodType<Change>;
