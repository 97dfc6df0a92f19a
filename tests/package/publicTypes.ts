/**
 * The public types, as a promise (each argument and output by itself: tests/unit/definitions/definition.test.ts): this file is compiled by `npm run types`, and by a test against the packed package in
 * the set-ups that users have. It is never run. A line after `@ts-expect-error` has to be refused.
 */
import * as pulumi from "@pulumi/pulumi";
import * as videograph from "pulumi-videograph";

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export function same<A, B>(_same: Same<A, B>): void {}

export function contents(source: pulumi.Output<string>, late: Promise<string>): void {
    const content = new videograph.Content("trailer", {
        title: late,
        content: [{ url: source }],
        description: pulumi.secret("quiet"),
        tags: ["a", source],
        metadata: { season: "2", source },
    });
    same<typeof content.thumbnailUrl, pulumi.Output<string | undefined>>(true);

    // What nobody waits for may have no URL yet, which a template would store as the text `undefined`.
    const unawaited = new videograph.Content("unawaited", { title: "t", content: [{ url: "u" }], waitForReady: false });
    same<typeof unawaited.playbackUrl, pulumi.Output<string | undefined>>(true);
    same<typeof unawaited.duration, pulumi.Output<number | undefined>>(true);
    same<typeof unawaited.contentId, typeof content.contentId>(true);
    same<typeof content.playbackUrl, pulumi.Output<string>>(true);
    const dependent: pulumi.CustomResourceOptions = { dependsOn: [unawaited], parent: unawaited };
    new videograph.ContentReadiness("ready", { contentIds: [unawaited.contentId] }, dependent);

    // What is not set may be said to be undefined, also under exactOptionalPropertyTypes.
    new videograph.Content("optional", {
        title: "t",
        content: [{ url: "u" }],
        description: undefined,
        importId: undefined,
    });
    new videograph.Content("taken over", { title: "t", importId: content.id });
    new videograph.Content(
        "options",
        { title: "t", importId: "id" },
        { parent: content, customTimeouts: { create: "5m" }, protect: true },
    );
    same<ReturnType<typeof videograph.Content.get>, videograph.Content>(true);

    const args: videograph.ContentArgs = { title: "t", content: late.then((url) => [{ url }]) };
    new videograph.Content("args of a program's own", { ...args, tags: ["a"] });

    // @ts-expect-error: its sources, or the id of an existing one, are required
    new videograph.Content("neither", { title: "t" });
    // @ts-expect-error: the same
    new videograph.Content("not certainly", { title: "t", importId: Math.random() > 0.5 ? "id" : undefined });
    // @ts-expect-error: so are the source and the times of a clip
    new videograph.Clip("no end", { contentId: content.id, startTime: 1 });
    new videograph.Clip("taken over", { importId: "id" });
    // @ts-expect-error: a title is required
    new videograph.Content("no title", { content: [{ url: "u" }] });
    // @ts-expect-error: there is no such property
    new videograph.Content("typo", { titel: "t", title: "t" });
    // @ts-expect-error: a source is an object with a url
    new videograph.Content("bare url", { title: "t", content: ["https://media.example.com/a.mp4"] });
    // @ts-expect-error: outputs are not inputs
    new videograph.Content("output", { title: "t", status: "Ready" });
    // @ts-expect-error: outputs are read-only
    content.title = pulumi.output("other");
}

export function livestreams(): void {
    new videograph.Livestream("region of the configuration", { title: "Stage" });
    same<ReturnType<typeof videograph.Livestream.get>, videograph.Livestream>(true);

    // @ts-expect-error: a title is required
    new videograph.Livestream("no title", { region: "us-east-1" });
    // @ts-expect-error: the key is the service's
    new videograph.Livestream("key", { title: "t", streamKey: "k" });
}

export function readiness(content: videograph.Content): void {
    const library = new videograph.ContentReadiness("library", { contentIds: [content.contentId, "plain"] });
    same<typeof library.contents, pulumi.Output<videograph.ReadyContent[]>>(true);
    // @ts-expect-error: it takes ids, not contents
    new videograph.ContentReadiness("contents", { contentIds: [content] });
    // @ts-expect-error: the ids are required
    new videograph.ContentReadiness("none", {});
}

export function library(url: pulumi.Output<string>): void {
    const films = new videograph.ContentLibrary("films", {
        contents: { harbour: { title: "Harbour", content: [{ url }] }, old: { title: "Old", importId: "id" } },
        defaults: { tags: ["archive"] },
        maxDeletes: 3,
    });
    same<typeof films.contents, pulumi.Output<Record<string, videograph.LibraryContent>>>(true);
    new videograph.ContentLibrary("text", { catalogue: url });
    // @ts-expect-error: a library waits for all
    new videograph.ContentLibrary("waits", { contents: { a: { title: "t", waitForReady: false } } });
}

export async function lookups(id: pulumi.Output<string>): Promise<void> {
    const provider = new videograph.Provider("eu", { accessTokenId: "id", secretKey: pulumi.secret("key") });
    new videograph.Provider("settings from outside");
    new videograph.Content("eu", { title: "t", content: [{ url: "u" }] }, { provider });

    same<Awaited<ReturnType<typeof videograph.getContent>>, videograph.ContentResult>(true);
    same<Awaited<ReturnType<typeof videograph.getSigningKeys>>, { keys: videograph.SigningKey[] }>(true);
    same<Awaited<ReturnType<typeof videograph.getContents>>["contents"], videograph.ContentResult[]>(true);
    same<Awaited<ReturnType<typeof videograph.getLivestreams>>["livestreams"], videograph.LivestreamItem[]>(true);
    const { streamKey } = await videograph.getLivestream({ streamUUID: "id" }, { provider });
    same<typeof streamKey, pulumi.Output<string | undefined>>(true);
    const content = videograph.getContentOutput({ contentId: id }, { provider });
    same<typeof content.title, pulumi.Output<string | undefined>>(true);
    videograph.getLivestreamOutput({ streamUUID: id });
    videograph.getContentsOutput({ tags: [id] });
    videograph.getLivestreamsOutput();
    videograph.getSigningKeysOutput({ productTypeId: 1 });

    // @ts-expect-error: the plain form takes plain values
    await videograph.getContent({ contentId: id });
    // @ts-expect-error: an id is required
    await videograph.getContent({});
    // @ts-expect-error: there is no such setting
    new videograph.Provider("typo", { token: "t" });
    // @ts-expect-error: lookups take a Provider of this package
    await videograph.getContents({}, { provider: "eu" });
}

/** The optional inputs, each as an Output of something that may not be there. */
type Undecided<Args> = {
    [name in keyof Args as undefined extends Args[name] ? name : never]: pulumi.Output<
        pulumi.Unwrap<Args[name]> | undefined
    >;
};
/** Compiles only if every optional input takes such an Output. */
export function undecided<Args>(_args: Undecided<Args> extends Partial<Args> ? Args[] : never): void {}

export function optionalInputs(): void {
    undecided<videograph.ContentInputs>([]);
    undecided<videograph.ContentSource>([]);
    undecided<videograph.ContentWatermark>([]);
    undecided<videograph.ContentSubtitle>([]);
    undecided<videograph.ContentThumbnail>([]);
    undecided<videograph.ClipInputs>([]);
    undecided<videograph.LivestreamArgs>([]);
    undecided<videograph.ContentReadinessArgs>([]);
    undecided<videograph.ContentLibraryArgs>([]);
    undecided<videograph.LibraryEntry>([]);
    undecided<videograph.ProviderArgs>([]);
    undecided<videograph.GetContentArgs>([]);
    undecided<videograph.GetContentsArgs>([]);
    undecided<videograph.GetLivestreamArgs>([]);
    undecided<videograph.GetLivestreamsArgs>([]);
    undecided<videograph.GetSigningKeysArgs>([]);
}
