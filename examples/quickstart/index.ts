// A video that is playable when `pulumi up` finishes, a live stream, and the keys that sign playback URLs.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";

// Without configuration: the sample video that the emulator serves.
const sourceUrl = new pulumi.Config().get("sourceUrl") ?? "http://127.0.0.1:4410/sample.mp4";

const trailer = new videograph.Content("trailer", {
    title: "Trailer",
    content: [{ url: sourceUrl }],
    playbackPolicy: ["public"],
    metadata: { season: "2" },
});

const stage = new videograph.Livestream("main-stage", { title: "Main stage", region: "us-east-1", record: true });

const keys = videograph.getSigningKeysOutput({ productTypeId: 1 }); // 1: the keys for video

export const contentId = trailer.contentId;
export const playbackUrl = trailer.playbackUrl;
export const ingestUrl = stage.rtmpUrl;
export const streamKey = stage.streamKey; // a secret: shown by `pulumi stack output --show-secrets`
export const signingKeyIds = keys.apply((result) => result.keys.map((key) => key.signingKeyId));
