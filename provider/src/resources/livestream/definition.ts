/** The properties of a Livestream. */
import { type Definition, flag, number, policies, text, words } from "../../inputs/definition";
import { description, importIdOf, metadataOf, tags, title } from "../commonInputs";

export const livestreamDefinition = {
    name: "Livestream",
    idName: "streamUUID",
    inputs: {
        title,
        region: {
            doc: 'Where the stream is received; the service\'s documentation shows `"us-east-1"`, `"us-west-1"` and `"ap-south-1"`. Default: `VIDEOGRAPH_REGION`, else `videograph:region` of the configuration, as it was when the livestream was created. Required where neither is set, unless `importId` is given. A change replaces the livestream, and the new one has a new stream key.',
            type: words,
            change: "createOnly",
            requiredForCreate: "as an input, as videograph:region or as VIDEOGRAPH_REGION",
            setting: "region",
            quotable: true,
        },
        record: {
            doc: "Whether broadcasts are recorded. Default `false`. A change replaces the livestream.",
            type: flag,
            change: "createOnly",
            default: false,
        },
        description,
        dvrDurationInMins: {
            doc: "How far viewers can go back, in whole minutes. When you remove it from the program, it is reset to 0. Changed in place.",
            type: { kind: "integer", unit: "minutes" },
            change: "inPlace",
            empty: 0,
        },
        tags,
        metadata: metadataOf("livestream"),
        playbackPolicy: {
            doc: 'Who can watch: `"public"` (anyone), `"signed"` (only with a token that one of the signing keys has signed) or both. If not set, the service decides. A change replaces the livestream.',
            type: policies,
            wire: "playback_policy",
            change: "createOnly",
            unordered: true,
            quotable: true,
        },
        recordingsPlaybackPolicy: {
            doc: 'Who can play recordings: `"public"`, `"signed"` or both. If not set, the service decides. A change replaces the livestream.',
            type: policies,
            wire: "recordings_playback_policy",
            change: "createOnly",
            unordered: true,
            quotable: true,
        },
        importId: importIdOf("livestream"),
    },
    outputs: {
        streamKey: {
            doc: "The key that an encoder authenticates with: anyone who has it can broadcast. Always a secret.",
            type: text,
            secret: true,
        },
        rtmpUrl: { doc: "The RTMP URL that an encoder sends to.", type: text },
        rtmpsUrl: {
            doc: "The RTMPS URL that an encoder sends to; the service may leave it empty.",
            type: text,
            optional: true,
        },
        playbackUrl: { doc: "The URL of the HLS playlist.", type: text },
        status: {
            doc: "`Idle`, `Active`, `Failed` or `Deleting`; the service may have others. As it was when the resource was last read or changed.",
            lookupDoc: "`Idle`, `Active`, `Failed` or `Deleting`; the service may have others.",
            type: text,
            moving: true,
        },
        createdOn: { doc: "When it was created, in milliseconds since the Unix epoch.", type: number },
    },
} as const satisfies Definition;
