/** The public types of `pulumi-videograph/native`, as a promise: compiled by `npm run types`, and never run. */
import type * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph/native";
import { same, undecided } from "./publicTypes.ts";

export function resources(source: pulumi.Output<string>): void {
    const provider = new videograph.Provider("eu", { accessTokenId: "id", secretKey: source, trustNotFound: true });
    const content = new videograph.Content(
        "trailer",
        { title: source, content: [{ url: source }], playbackPolicy: ["public"], waitForReady: false },
        { provider, import: "an-id" },
    );
    same<typeof content.playbackUrl, pulumi.Output<string | undefined>>(true);
    same<typeof content.title, pulumi.Output<string>>(true);
    const awaited = new videograph.Content("awaited", { title: source, content: [{ url: source }] });
    same<typeof awaited.playbackUrl, pulumi.Output<string>>(true);
    same<typeof content.thumbnailUrl, pulumi.Output<string | undefined>>(true);
    same<ReturnType<typeof videograph.Content.get>, videograph.Content>(true);
    same<typeof content.contentId, typeof content.id>(true);
    // @ts-expect-error: the resource option import takes its place
    new videograph.Content("adopted", { title: "t", importId: "an-id" });
    // @ts-expect-error: a title is required
    new videograph.Content("no title", { content: [{ url: "u" }] });
    // @ts-expect-error: there is no such property
    new videograph.Content("typo", { titel: "t", title: "t" });

    const stage = new videograph.Livestream("stage", { title: "Stage" });
    same<typeof stage.streamKey, pulumi.Output<string>>(true);
    same<typeof stage.streamUUID, typeof stage.id>(true);
    const library = new videograph.ContentReadiness("library", { contentIds: [content.id] });
    same<typeof library.contents, pulumi.Output<videograph.ReadyContent[]>>(true);
}

export function library(url: pulumi.Output<string>): void {
    const films = new videograph.ContentLibrary("films", { contents: { ice: { title: "Ice", content: [{ url }] } } });
    same<typeof films.contents, pulumi.Output<Record<string, videograph.LibraryContent>>>(true);
}

export async function lookups(id: pulumi.Output<string>): Promise<void> {
    same<Awaited<ReturnType<typeof videograph.getContent>>, videograph.ContentResult>(true);
    const { streamKey } = await videograph.getLivestream({ streamUUID: "id" });
    same<typeof streamKey, pulumi.Output<string | undefined>>(true);
    const found = videograph.getContentsOutput({ tags: [id] });
    same<typeof found, pulumi.Output<{ contents: videograph.ContentResult[] }>>(true);
    await videograph.getSigningKeys();
    // @ts-expect-error: the plain form takes plain values
    await videograph.getContent({ contentId: id });
}

/** Of the types that are this face's own: publicTypes.ts has the others. */
export function optionalInputs(): void {
    undecided<videograph.ContentArgs>([]);
    undecided<videograph.ClipArgs>([]);
    undecided<videograph.LivestreamArgs>([]);
    undecided<videograph.ProviderArgs>([]);
}
