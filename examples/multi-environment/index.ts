// One site in two environments of the service, each with its own access token from the stack's configuration.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import { Site } from "./site";
import { videos } from "./videos";

const sourceBaseUrl = new pulumi.Config().require("sourceBaseUrl");

export const staging = show(
    new Site("staging", {
        provider: environment("staging"),
        videos,
        sourceBaseUrl,
        playbackPolicy: "signed",
        testVideos: true,
    }),
);

export const production = show(
    new Site("production", {
        provider: environment("production"),
        videos: videos.filter(({ approved }) => approved),
        sourceBaseUrl,
        playbackPolicy: "public",
        testVideos: false,
    }),
);

/** The access token of an environment: `<name>:accessTokenId` and `<name>:secretKey` of the configuration. */
function environment(name: string): videograph.Provider {
    const config = new pulumi.Config(name);
    return new videograph.Provider(name, {
        accessTokenId: config.requireSecret("accessTokenId"),
        secretKey: config.requireSecret("secretKey"),
    });
}

function show({ playbackUrls, legalNotices, signingKeyIds }: Site) {
    return { playbackUrls, legalNotices, signingKeyIds };
}
