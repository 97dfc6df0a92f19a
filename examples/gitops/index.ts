// The channel: a content for each video, and a livestream. It makes no lookup, so that a preview needs no credentials.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import videos from "./videos.json";

const sourceBaseUrl = new URL(new pulumi.Config().require("sourceBaseUrl")).href;

const contents = videos.map(({ name, title, file }) => {
    const url = new URL(file, sourceBaseUrl).href;
    // Anybody's pull request may change the list: what it names comes from our own files.
    if (!url.startsWith(sourceBaseUrl)) throw new Error(`videos.json, ${name}: ${file} is not below ${sourceBaseUrl}`);
    const content = new videograph.Content(name, {
        title,
        content: [{ url }],
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
