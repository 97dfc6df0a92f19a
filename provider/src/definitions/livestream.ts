/** The properties of a Livestream. */

import { description, importId, metadata, tags, title } from "./common";
import { type Definition, flag, knownValues, nonBlank, number, policies, text } from "./definition";

const regions = knownValues("us-east-1", "us-west-1", "ap-south-1");

export const livestreamDefinition = {
    name: "Livestream",
    idName: "streamUUID",
    inputs: {
        title,
        region: {
            type: nonBlank,
            change: "createOnly",
            requiredForCreate: `${regions.words} or another one: as an input, as videograph:region or as VIDEOGRAPH_REGION`,
            setting: "region",
            known: regions,
            quotable: true,
        },
        record: { type: flag, change: "createOnly", default: false },
        description,
        dvrDurationInMins: { type: { kind: "integer", unit: "minutes" }, change: "inPlace", empty: 0 },
        tags,
        metadata,
        playbackPolicy: {
            type: policies,
            wire: "playback_policy",
            change: "createOnly",
            quotable: true,
        },
        recordingsPlaybackPolicy: {
            type: policies,
            wire: "recordings_playback_policy",
            change: "createOnly",
            quotable: true,
        },
        importId,
    },
    outputs: {
        streamKey: { type: text, secret: true },
        rtmpUrl: { type: text },
        rtmpsUrl: { type: text, optional: true },
        playbackUrl: { type: text },
        status: { type: text, moving: true },
        createdOn: { type: number },
    },
} as const satisfies Definition;
