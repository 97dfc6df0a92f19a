// Every file in videos/ is a video: add one, change one or remove one, and `pulumi up` does the same to the service.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import { parse } from "yaml";

/** The properties of a content. The source is a path below the base URL, or a URL. */
interface Description extends Omit<videograph.LibraryEntry, "content"> {
    source?: string;
}

const sourceBaseUrl = new pulumi.Config().require("sourceBaseUrl");
const contents: Record<string, videograph.LibraryEntry> = {};
for (const file of globSync("**/*.yaml", { cwd: "videos" }).sort()) {
    const { source, ...entry } = read(join("videos", file));
    // The path is the video's key: "lighthouse/keepers.yaml" is "lighthouse.keepers".
    const key = file.replace(/\.yaml$/, "").replaceAll(/[\\/]/g, ".");
    contents[key] = { ...entry, content: source === undefined ? [] : [{ url: new URL(source, sourceBaseUrl).href }] };
}

// The library checks every description: a misspelt property fails in the preview, with the key of its video.
const library = new videograph.ContentLibrary("library", { contents, defaults: { playbackPolicy: ["public"] } });

/** For a website: id, playback URL and duration of each video. */
export const catalogue = library.contents;

function read(file: string): Description {
    try {
        return parse(readFileSync(file, "utf8")) ?? {};
    } catch (error) {
        // A RunError is shown without a stack trace.
        throw new pulumi.RunError(`${file}: ${error instanceof Error ? error.message : error}`);
    }
}
