// Every file in videos/ is a video: add one, change one or remove one, and `pulumi up` does the same to the service.
import * as pulumi from "@pulumi/pulumi";
import { type Description, InvalidDescriptions, readDescriptions } from "./descriptions";
import { VideoLibrary } from "./videoLibrary";

const config = new pulumi.Config();

const library = new VideoLibrary("library", {
    descriptions: describedIn(config.get("descriptions") ?? "videos"),
    sourceBaseUrl: config.require("sourceBaseUrl"),
});

export const catalogue = library.catalogue;

function describedIn(folder: string): Description[] {
    try {
        return readDescriptions(folder);
    } catch (error) {
        // A RunError is shown without a stack trace.
        throw error instanceof InvalidDescriptions ? new pulumi.RunError(error.message) : error;
    }
}
