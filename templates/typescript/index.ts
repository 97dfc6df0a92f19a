/** A video that anyone can play. */
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";

const config = new pulumi.Config();

const trailer = new videograph.Content("trailer", {
    title: "Trailer",
    content: [{ url: config.require("sourceUrl") }],
    playbackPolicy: ["public"],
});

export const playbackUrl = trailer.playbackUrl;
