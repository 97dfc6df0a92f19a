/** The properties of a Livestream. */

import { description, importId, metadata, tags, title } from "./common";
import { type Definition, flag, number, policies, text, words } from "./definition";

export const livestreamDefinition = {
    name: "Livestream",
    idName: "streamUUID",
    inputs: {
        title,
        region: {
            type: words,
            change: "createOnly",
            requiredForCreate: "as an input, as videograph:region or as VIDEOGRAPH_REGION",
            setting: "region",
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
