/** The properties of a Livestream. */
import * as z from "zod/mini";
import { common } from "./common";
import { createOnly, type Definition, inPlace, knownValues, once, withFacts } from "./definition";
import { flag, integer, knownText, nonBlank, number, object, policies, text } from "./schemas";

const regions = knownValues("us-east-1", "us-west-1", "ap-south-1");
const inputs = once(() => {
    const { description, tags, metadata, importId } = common();
    return object({
        title: inPlace(nonBlank()),
        region: createOnly(z.optional(knownText(regions)), {
            requiredForCreate: `${regions.words} or another one: as an input, as videograph:region or as VIDEOGRAPH_REGION`,
            setting: "region",
            quotable: true,
        }),
        record: createOnly(z.optional(flag()), { default: false }),
        description,
        dvrDurationInMins: inPlace(z.optional(integer("minutes")), { empty: 0 }),
        tags,
        metadata,
        playbackPolicy: createOnly(z.optional(policies()), { wire: "playback_policy", quotable: true }),
        recordingsPlaybackPolicy: createOnly(z.optional(policies()), {
            wire: "recordings_playback_policy",
            quotable: true,
        }),
        importId,
    });
});

const outputs = once(() =>
    z.object({
        streamKey: withFacts(text(), { secret: true }),
        rtmpUrl: text(),
        rtmpsUrl: z.optional(text()),
        playbackUrl: text(),
        status: withFacts(text(), { moving: true }),
        createdOn: number(),
    }),
);

export const livestreamDefinition = {
    name: "Livestream",
    idName: "streamUUID",
    get inputs() {
        return inputs();
    },
    get outputs() {
        return outputs();
    },
} as const satisfies Definition;
