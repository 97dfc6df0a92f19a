// The channel: a content for each video, and a livestream. It makes no lookup, so that a preview needs no credentials.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import { videos } from "./videos";

const sourceBaseUrl = new pulumi.Config().require("sourceBaseUrl");

const contents = videos.map(({ name, title, file }) => {
    const content = new videograph.Content(name, {
        title,
        content: [{ url: new URL(file, sourceBaseUrl).href }],
        // Another file is another video. Another base URL or a new signature in the URL is not, and a pull request's preview, which
        // cannot see secret URLs, shows neither.
        sourceVersion: file,
        playbackPolicy: ["public"],
    });
    return [name, content.playbackUrl] as const;
});

const live = new videograph.Livestream("live", { title: "Live from the quay", region: "us-east-1", record: true });

export const playbackUrls = Object.fromEntries(contents);
export const liveUrl = live.playbackUrl;
