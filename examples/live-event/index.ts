// A live event that is recorded. Whoever runs its encoder gets the stream key from this stack, as a secret.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";

const config = new pulumi.Config();

const stage = new videograph.Livestream(
    "stage",
    {
        title: config.require("title"),
        region: "us-east-1",
        record: true,
        recordingsPlaybackPolicy: ["public"],
        dvrDurationInMins: 120,
        tags: ["event"],
    },
    // A replaced livestream has another key: the encoder would go on sending to the old one.
    { protect: config.getBoolean("onAir") ?? false },
);

export const streamUUID = stage.streamUUID;
export const watchUrl = stage.playbackUrl;
/** Encrypted where the service offers it. */
export const ingestUrl = pulumi.all([stage.rtmpsUrl, stage.rtmpUrl]).apply(([rtmps, rtmp]) => rtmps || rtmp);
export const streamKey = stage.streamKey;
