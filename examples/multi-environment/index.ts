// One site in two environments of the service, each with its own access token from the stack's configuration.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import { type Video, videos } from "./videos";

const sourceBaseUrl = new pulumi.Config().require("sourceBaseUrl");

// Only the first seconds of each video: enough to look at a page, and cheap.
export const staging = site("staging", videos, { playbackPolicy: ["signed"], testVideo: true });

export const production = site(
    "production",
    videos.filter(({ approved }) => approved),
    { playbackPolicy: ["public"] },
);

/** The site in one environment, whose token is `<name>:accessTokenId` and `<name>:secretKey` of the configuration. */
function site(name: string, videos: readonly Video[], common: Partial<videograph.ContentArgs>) {
    const config = new pulumi.Config(name);
    const provider = new videograph.Provider(name, {
        accessTokenId: config.requireSecret("accessTokenId"),
        secretKey: config.requireSecret("secretKey"),
    });
    const playbackUrls = videos.map((video) => {
        const content = new videograph.Content(
            `${name}-${video.name}`,
            { ...common, title: video.title, content: [{ url: new URL(video.file, sourceBaseUrl).href }] },
            { provider },
        );
        return [video.name, content.playbackUrl] as const;
    });
    // Videos that the lawyers uploaded by hand and no program manages, and the keys that sign URLs of this environment.
    const legal = videograph.getContentsOutput({ tags: ["legal"], status: "Ready" }, { provider });
    const signing = videograph.getSigningKeysOutput({ productTypeId: 1 }, { provider });
    return {
        playbackUrls: Object.fromEntries(playbackUrls),
        legalNotices: legal.contents.apply((contents) => contents.flatMap(({ playbackUrl }) => playbackUrl ?? [])),
        signingKeyIds: signing.keys.apply((keys) => keys.map(({ signingKeyId }) => signingKeyId)),
    };
}
