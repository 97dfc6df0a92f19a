/** The properties of a Livestream. */
import * as z from "zod/mini";
import { common } from "./common";
import { createOnly, define, inPlace, knownValues, withFacts } from "./definition";
import { flag, integer, knownText, nonBlank, number, object, policies, text } from "./schemas";

const regions = knownValues("us-east-1", "us-west-1", "ap-south-1");

export const livestreamDefinition = define("Livestream", "streamUUID", () => ({
    inputs: object({
        title: inPlace(nonBlank()),
        region: createOnly(z.optional(knownText(regions)), {
            requiredForCreate: `${regions.words} or another one: as an input, as videograph:region or as VIDEOGRAPH_REGION`,
            setting: "region",
            quotable: true,
        }),
        record: createOnly(z.optional(flag()), { default: false }),
        ...common(),
        dvrDurationInMins: inPlace(z.optional(integer("minutes")), { wire: "dvrDurationInMins", empty: 0 }),
        playbackPolicy: createOnly(z.optional(policies()), { quotable: true }),
        recordingsPlaybackPolicy: createOnly(z.optional(policies()), { quotable: true }),
    }),
    outputs: z.object({
        streamKey: withFacts(text(), { secret: true }),
        rtmpUrl: text(),
        rtmpsUrl: z.optional(text()),
        playbackUrl: text(),
        status: withFacts(text(), { moving: true }),
        createdOn: number(),
    }),
}));
