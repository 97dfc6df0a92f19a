/** Livestream, for the standard set of tests. */
import type { LivestreamChange } from "videograph-emulator";
import type { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import { type InputsOf, type Kind, metadataOf, pairs, type ReturnedOf } from "./standard.ts";

type Sent = InputsOf<typeof livestreamDefinition, "inPlace" | "createOnly">;
type InPlace = InputsOf<typeof livestreamDefinition, "inPlace">;
type Returned = ReturnedOf<typeof livestreamDefinition, "inPlace" | "createOnly">;
/** The service's answers do not show them. */
type NotShown = "region" | "record" | "dvrDurationInMins" | "playbackPolicy" | "recordingsPlaybackPolicy";

export const livestreamKind: Kind = {
    className: "Livestream",
    path: "/livestreams",
    minimal: () => ({ title: "Main stage", region: "us-east-1" }),
    every: () =>
        ({
            title: "Main stage",
            region: "us-west-1",
            record: true,
            description: "All of the festival",
            dvrDurationInMins: 30,
            tags: ["festival", "music"],
            metadata: { year: "2026", language: "en" },
            playbackPolicy: ["signed"],
            recordingsPlaybackPolicy: ["public", "signed"],
        }) satisfies Record<Sent, unknown>,
    inPlace: {
        title: "Another title",
        description: "Another description",
        tags: ["talk"],
        metadata: { year: "2027" },
        dvrDurationInMins: 60,
    } satisfies Record<InPlace, unknown>,
    replacing: () =>
        ({
            region: "ap-south-1",
            record: false,
            playbackPolicy: ["public"],
            recordingsPlaybackPolicy: ["signed"],
        }) satisfies Record<Exclude<Sent, InPlace>, unknown>,
    reset: { description: "", tags: [], metadata: {} } satisfies Record<Exclude<InPlace, "title" | NotShown>, unknown>,
    drift: {
        title: "Changed outside",
        description: "Changed outside",
        tags: ["outside"],
        metadata: { year: "1999" },
    } satisfies Record<Exclude<Returned, NotShown>, unknown>,
    computed: ["status", "streamKey", "rtmpUrl", "rtmpsUrl", "playbackUrl", "createdOn"],
    objects: (emulator) => new Map(emulator.livestreams().map((stream) => [stream.streamUUID, { ...stream }])),
    change: (emulator, id, property, value) => {
        const mark = emulator.livestream(id)?.metadata.filter(({ key }) => key === "managed_by") ?? [];
        const change = property === "metadata" ? [...pairs(value), ...mark] : value;
        emulator.updateLivestream(id, { [property]: change } as LivestreamChange);
    },
    remove: (emulator, id) => emulator.deleteLivestream(id),
    add: (emulator, args) => {
        const { streamUUID } = emulator.addLivestream({ title: String(args.title) });
        emulator.updateLivestream(streamUUID, { ...args, metadata: pairs(args.metadata) } as LivestreamChange);
        return streamUUID;
    },
    property: (stream, name) => (name === "metadata" ? metadataOf(stream) : stream[name]),
};
