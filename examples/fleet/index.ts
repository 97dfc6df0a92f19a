// One stack of the fleet: the videos of the catalogue that are this stack's share, and one wait for all of them.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import { InvalidCatalogue, shareOf, type Video } from "./catalogue";

const sourceBaseUrl = new pulumi.Config().require("sourceBaseUrl");
const share = shareOfThisStack();

const contents = share.map(
    ({ key, source, ...video }) =>
        new videograph.Content(key, {
            ...video,
            content: [{ url: new URL(source, sourceBaseUrl).href }],
            playbackPolicy: ["public"],
            // Pulumi creates only a few resources at a time: a create that waited would keep the others waiting.
            waitForReady: false,
        }),
);
if (contents.length > 0) {
    new videograph.ContentReadiness("share", { contentIds: contents.map(({ contentId }) => contentId) });
}

export const videos = share.length;

function shareOfThisStack(): Video[] {
    try {
        return shareOf(pulumi.getStack());
    } catch (error) {
        // A RunError is shown without a stack trace.
        throw error instanceof InvalidCatalogue ? new pulumi.RunError(error.message) : error;
    }
}
