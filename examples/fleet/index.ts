// One stack of the fleet: its share of the catalogue, as one library.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import { readSettings, shareOf } from "./shares";

const share = shareOf(pulumi.getStack());

new videograph.ContentLibrary("library", {
    // The library checks every line: a misspelt property or a key that is there twice fails in the preview.
    catalogue: share.join("\n"),
    defaults: { playbackPolicy: ["public"] },
    // A catalogue that lost lines, or another number of stacks, must not delete videos unnoticed.
    maxDeletes: readSettings().maxDeletes,
});

export const videos = share.length;
