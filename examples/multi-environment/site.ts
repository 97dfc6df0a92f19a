// The site's part in one environment: its videos, and what others put there by hand.
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";
import type { Video } from "./videos";

export interface SiteArgs {
    /** The environment: also given to the lookups, which are no resources and inherit nothing. */
    provider: videograph.Provider;
    videos: readonly Video[];
    sourceBaseUrl: string;
    playbackPolicy: "public" | "signed";
    /** Only the first seconds of each video: enough to look at a page, and cheap. */
    testVideos: boolean;
}

export class Site extends pulumi.ComponentResource {
    /** Playback addresses by the videos' names. */
    readonly playbackUrls: pulumi.Output<Record<string, string>>;
    /** The playback addresses of what the lawyers uploaded, which no program manages: found by its tag. */
    readonly legalNotices: pulumi.Output<string[]>;
    /** The ids of the keys that sign addresses of this environment's videos. */
    readonly signingKeyIds: pulumi.Output<string[]>;

    constructor(name: string, args: SiteArgs, opts?: pulumi.ComponentResourceOptions) {
        const { provider } = args;
        // What has this component as its parent inherits the provider.
        super("example:Site", name, {}, { ...opts, providers: [provider] });

        this.playbackUrls = pulumi.output(
            Object.fromEntries(
                args.videos.map((video) => {
                    const content = new videograph.Content(
                        `${name}-${video.name}`,
                        {
                            title: video.title,
                            content: [{ url: new URL(video.file, args.sourceBaseUrl).href }],
                            playbackPolicy: [args.playbackPolicy],
                            testVideo: args.testVideos,
                            metadata: { environment: name },
                        },
                        { parent: this },
                    );
                    return [video.name, content.playbackUrl];
                }),
            ),
        );
        this.legalNotices = videograph
            .getContentsOutput({ tags: ["legal"], status: "Ready" }, { provider })
            .contents.apply((contents) => contents.flatMap(({ playbackUrl }) => playbackUrl ?? []));
        this.signingKeyIds = videograph
            .getSigningKeysOutput({ productTypeId: 1 }, { provider })
            .keys.apply((keys) => keys.map(({ signingKeyId }) => signingKeyId));
        this.registerOutputs();
    }
}
