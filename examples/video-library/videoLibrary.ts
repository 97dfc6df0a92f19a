// A whole library as one component: a content for each description, grouped by folder, and one wait for all of them.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import type { Description } from "./descriptions";

export interface VideoLibraryArgs {
    descriptions: readonly Description[];
    /** What the sources of the descriptions are relative to. */
    sourceBaseUrl: string;
}

/** What a website has to know of a video. */
export interface CatalogueEntry {
    contentId: string;
    title: string;
    playbackUrl?: string | undefined;
    /** Milliseconds. */
    duration?: number | undefined;
}

export class VideoLibrary extends pulumi.ComponentResource {
    /** The videos by the paths of their descriptions; known when all of them are playable. */
    readonly catalogue: pulumi.Output<Record<string, CatalogueEntry>>;

    constructor(name: string, args: VideoLibraryArgs, opts?: pulumi.ComponentResourceOptions) {
        super("example:VideoLibrary", name, {}, opts);

        const collections = new Map<string, Collection>();
        const parentOf = (path: string) => {
            const folder = folderOf(path);
            if (folder === undefined) return this;
            const collection = collections.get(folder) ?? new Collection(folder, { parent: this });
            collections.set(folder, collection);
            return collection;
        };

        // Not the parent itself: the folder may be gone with the last file that was moved out of it.
        const parentUrnOf = (path: string) => {
            const folder = folderOf(path);
            return folder === undefined ? this.urn : pulumi.createUrn(folder, Collection.type, this);
        };

        const contents = args.descriptions.map((description) => {
            const { path, title, playback, tags, metadata, formerly } = description;
            const folder = folderOf(path);
            const content = new videograph.Content(
                path,
                {
                    title,
                    description: description.description,
                    content: [{ url: new URL(description.source, args.sourceBaseUrl).href }],
                    playbackPolicy: [playback],
                    tags: folder === undefined ? tags : [...new Set([folder, ...tags])],
                    metadata: { ...metadata, path },
                    // Pulumi creates only a few resources at a time: a create that waited would keep the others waiting.
                    waitForReady: false,
                },
                {
                    parent: parentOf(path),
                    aliases: formerly === undefined ? [] : [{ name: formerly, parent: parentUrnOf(formerly) }],
                },
            );
            return { path, title, contentId: content.contentId };
        });

        const ready = new videograph.ContentReadiness(
            name,
            { contentIds: contents.map(({ contentId }) => contentId) },
            { parent: this },
        );

        this.catalogue = pulumi.all([contents, ready.contents]).apply(([described, waitedFor]) => {
            const byId = new Map(waitedFor.map((content) => [content.contentId, content]));
            return Object.fromEntries(
                described.map(({ path, title, contentId }) => {
                    const { playbackUrl, duration } = byId.get(contentId) ?? {};
                    return [path, { contentId, title, playbackUrl, duration }];
                }),
            );
        });
        this.registerOutputs({ catalogue: this.catalogue });
    }
}

/** The videos of one folder: a parent, so that `pulumi stack` and the console show the library as it is on disk. */
class Collection extends pulumi.ComponentResource {
    static readonly type = "example:VideoCollection";

    constructor(folder: string, opts: pulumi.ComponentResourceOptions) {
        super(Collection.type, folder, {}, opts);
        this.registerOutputs();
    }
}

function folderOf(path: string): string | undefined {
    return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : undefined;
}
