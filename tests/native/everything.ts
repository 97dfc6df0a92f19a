/**
 * Each resource and each function of the schema in programs in Python, Go and YAML: functions in the plain form and in the one that returns an
 * Output, resources with what another resource makes as an input.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the service has before the programs run. */
export interface Existing {
    readonly contentId: string;
    readonly streamUUID: string;
    /** A livestream that no resource manages. */
    readonly other: string;
}

export type Runtime = "python" | "go" | "yaml";

/** The results of functions that are secrets. A plain value cannot be one: Python gives it as it is, and Go refuses it. */
const secrets: Readonly<Record<Runtime, readonly string[]>> = {
    python: ["getLivestreamOutput"],
    go: ["getLivestreamOutput"],
    // A program in YAML has Outputs alone, and all of a result is one value.
    yaml: ["getLivestream"],
};

const functions = ["getContent", "getContents", "getLivestream", "getLivestreams", "getSigningKeys"];
const resources = ["Clip", "Content", "ContentLibrary", "ContentReadiness", "Livestream"];

const python = ({ contentId, streamUUID }: Existing) => `
pulumi.export("getContent", videograph.get_content(content_id="${contentId}").title)
pulumi.export("getContentOutput", videograph.get_content_output(content_id=pulumi.Output.from_input("${contentId}")).title)
pulumi.export("getContents", videograph.get_contents(title="Reefs").contents[0].title)
pulumi.export("getContentsOutput", videograph.get_contents_output(title="Reefs").contents[0].title)
pulumi.export("getLivestream", videograph.get_livestream(stream_uuid="${streamUUID}").title)
pulumi.export("getLivestreamOutput", videograph.get_livestream_output(stream_uuid="${streamUUID}").title)
pulumi.export("getLivestreams", videograph.get_livestreams(record=True).livestreams[0].title)
pulumi.export("getLivestreamsOutput", videograph.get_livestreams_output(record=True).livestreams[0].title)
pulumi.export("getSigningKeys", videograph.get_signing_keys(product_type_id=1).keys[0].signing_key_id)
pulumi.export("getSigningKeysOutput", videograph.get_signing_keys_output(product_type_id=1).keys[0].signing_key_id)
url = config.require("sourceUrl").split("?")[0]
film = videograph.Content("every-content", title="Every content", content=[{"url": url}], playback_policy=["signed"])
teaser = videograph.Clip("every-clip", content_id=film.id, start_time=0, end_time=1)
event = videograph.Livestream("every-livestream", title="Every livestream", region="us-east-1")
ready = videograph.ContentReadiness("every-readiness", content_ids=[film.id, teaser.id])
films = videograph.ContentLibrary(
    "every-library",
    defaults={"playback_policy": ["public"]},
    contents={"one": {"title": "One", "content": [{"url": url}], "metadata": {"of": event.id}}},
)
pulumi.export("Content", film.status)
pulumi.export("Clip", teaser.status)
pulumi.export("Livestream", event.status)
pulumi.export("ContentReadiness", ready.contents[1].status)
pulumi.export("ContentLibrary", films.contents["one"].status)
`;

const go = ({ contentId, streamUUID }: Existing) => `
func everything(ctx *pulumi.Context, url string) error {
	content, err := videograph.LookupContent(ctx, &videograph.LookupContentArgs{ContentId: "${contentId}"})
	if err != nil {
		return err
	}
	ctx.Export("getContent", pulumi.StringPtrFromPtr(content.Title))
	ctx.Export("getContentOutput", videograph.LookupContentOutput(ctx, videograph.LookupContentOutputArgs{ContentId: pulumi.String("${contentId}")}).Title())
	title, record, product := "Reefs", true, 1
	contents, err := videograph.GetContents(ctx, &videograph.GetContentsArgs{Title: &title})
	if err != nil {
		return err
	}
	ctx.Export("getContents", pulumi.StringPtrFromPtr(contents.Contents[0].Title))
	ctx.Export("getContentsOutput", videograph.GetContentsOutput(ctx, videograph.GetContentsOutputArgs{Title: pulumi.String(title)}).Contents().Index(pulumi.Int(0)).Title())
	if _, err := videograph.LookupLivestream(ctx, &videograph.LookupLivestreamArgs{StreamUUID: "${streamUUID}"}); err != nil {
		ctx.Export("getLivestream", pulumi.String(err.Error()))
	}
	ctx.Export("getLivestreamOutput", videograph.LookupLivestreamOutput(ctx, videograph.LookupLivestreamOutputArgs{StreamUUID: pulumi.String("${streamUUID}")}).Title())
	livestreams, err := videograph.GetLivestreams(ctx, &videograph.GetLivestreamsArgs{Record: &record})
	if err != nil {
		return err
	}
	ctx.Export("getLivestreams", pulumi.StringPtrFromPtr(livestreams.Livestreams[0].Title))
	ctx.Export("getLivestreamsOutput", videograph.GetLivestreamsOutput(ctx, videograph.GetLivestreamsOutputArgs{Record: pulumi.Bool(record)}).Livestreams().Index(pulumi.Int(0)).Title())
	keys, err := videograph.GetSigningKeys(ctx, &videograph.GetSigningKeysArgs{ProductTypeId: &product})
	if err != nil {
		return err
	}
	ctx.Export("getSigningKeys", pulumi.String(keys.Keys[0].SigningKeyId))
	ctx.Export("getSigningKeysOutput", videograph.GetSigningKeysOutput(ctx, videograph.GetSigningKeysOutputArgs{ProductTypeId: pulumi.Int(product)}).Keys().Index(pulumi.Int(0)).SigningKeyId())

	source := videograph.ContentSourceArray{videograph.ContentSourceArgs{Url: pulumi.String(url)}}
	film, err := videograph.NewContent(ctx, "every-content", &videograph.ContentArgs{
		Title:          pulumi.String("Every content"),
		Content:        source,
		PlaybackPolicy: pulumi.StringArray{pulumi.String("signed")},
	})
	if err != nil {
		return err
	}
	teaser, err := videograph.NewClip(ctx, "every-clip", &videograph.ClipArgs{
		ContentId: film.ID(),
		StartTime: pulumi.Float64(0),
		EndTime:   pulumi.Float64(1),
	})
	if err != nil {
		return err
	}
	event, err := videograph.NewLivestream(ctx, "every-livestream", &videograph.LivestreamArgs{
		Title:  pulumi.String("Every livestream"),
		Region: pulumi.String("us-east-1"),
	})
	if err != nil {
		return err
	}
	ready, err := videograph.NewContentReadiness(ctx, "every-readiness", &videograph.ContentReadinessArgs{
		ContentIds: pulumi.StringArray{film.ID(), teaser.ID()},
	})
	if err != nil {
		return err
	}
	films, err := videograph.NewContentLibrary(ctx, "every-library", &videograph.ContentLibraryArgs{
		Defaults: videograph.LibraryDefaultsArgs{PlaybackPolicy: pulumi.StringArray{pulumi.String("public")}},
		Contents: videograph.LibraryEntryMap{"one": videograph.LibraryEntryArgs{
			Title:    pulumi.String("One"),
			Content:  source,
			Metadata: pulumi.StringMap{"of": event.ID()},
		}},
	})
	if err != nil {
		return err
	}
	ctx.Export("Content", film.Status)
	ctx.Export("Clip", teaser.Status)
	ctx.Export("Livestream", event.Status)
	ctx.Export("ContentReadiness", ready.Contents.Index(pulumi.Int(1)).Status())
	ctx.Export("ContentLibrary", films.Contents.MapIndex(pulumi.String("one")).Status())
	return nil
}
`;

const yaml = ({ contentId, streamUUID, other }: Existing) => ({
    variables: `
    aContent: { fn::invoke: { function: videograph:getContent, arguments: { contentId: ${contentId} }, return: title } }
    someContents: { fn::invoke: { function: videograph:getContents, arguments: { title: Reefs }, return: contents } }
    aLivestream: { fn::invoke: { function: videograph:getLivestream, arguments: { streamUUID: ${streamUUID} } } }
    someLivestreams: { fn::invoke: { function: videograph:getLivestreams, arguments: { record: true }, return: livestreams } }
    someKeys: { fn::invoke: { function: videograph:getSigningKeys, arguments: { productTypeId: 1 }, return: keys } }
`,
    resources: `
    # With no more than its key as a secret.
    read-livestream:
        type: videograph:Livestream
        get: { id: ${other} }
    every-content:
        type: videograph:Content
        properties: { title: Every content, content: [{ url: "\${sourceUrl}" }], playbackPolicy: [signed] }
    every-clip:
        type: videograph:Clip
        properties: { contentId: "\${every-content.id}", startTime: 0, endTime: 1 }
    every-livestream:
        type: videograph:Livestream
        properties: { title: Every livestream, region: us-east-1 }
    every-readiness:
        type: videograph:ContentReadiness
        properties: { contentIds: ["\${every-content.id}", "\${every-clip.id}"] }
    every-library:
        type: videograph:ContentLibrary
        properties:
            defaults: { playbackPolicy: [public] }
            contents:
                one: { title: One, content: [{ url: "\${sourceUrl}" }], metadata: { of: "\${every-livestream.id}" } }
`,
    outputs: `
    getContent: \${aContent}
    getContents: \${someContents[0].title}
    getLivestream: \${aLivestream.title}
    readLivestream: \${read-livestream.title}
    getLivestreams: \${someLivestreams[0].title}
    getSigningKeys: \${someKeys[0].signingKeyId}
    Content: \${every-content.status}
    Clip: \${every-clip.status}
    Livestream: \${every-livestream.status}
    ContentReadiness: \${every-readiness.contents[1].status}
    ContentLibrary: \${every-library.contents.one.status}
`,
});

export const everything = { python, go, yaml };
/** The requests that create what the programs declare. */
export const creates = ["POST /contents", "POST /contents", "POST /contents/…/clips", "POST /livestreams"];

/** Holds what a program has exported against the table. `recorded`: the outputs as the state has them. */
export function checkEverything(
    runtime: Runtime,
    outputs: Readonly<Record<string, unknown>>,
    recorded: Readonly<Record<string, unknown>>,
): void {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "schema.json"), "utf8"));
    const names = (tokens: object) => Object.keys(tokens).map((token) => token.split(":").at(-1));
    assert.deepEqual(names(schema.functions).sort(), functions, "a function without a row");
    assert.deepEqual(names(schema.resources).sort(), resources, "a resource without a row");
    const forms = runtime === "yaml" ? [""] : ["", "Output"];
    const shown = {
        getContent: "Tides \u2028",
        getContents: "Reefs",
        getLivestream: "Harbour",
        getLivestreams: "Harbour",
    };
    for (const name of functions)
        for (const form of forms) {
            const row = `${name}${form}`;
            const { [row]: value } = outputs;
            if (row === "getLivestream" && runtime === "go")
                assert.match(String(value), /unexpected secret result returned to invoke call/);
            else if (name === "getSigningKeys") assert.match(String(value), /^\S+$/, row);
            else assert.equal(value, shown[name as keyof typeof shown], row);
            const isSecret = typeof recorded[row] === "object" && "ciphertext" in (recorded[row] ?? {});
            assert.equal(isSecret, secrets[runtime].includes(row), `${row} as a secret`);
        }
    if (runtime === "yaml") {
        assert.equal(outputs.readLivestream, "Elsewhere");
        assert.equal(recorded.readLivestream, "Elsewhere", "no secret");
    }
    for (const name of resources) assert.equal(outputs[name], name === "Livestream" ? "Idle" : "Ready", name);
}
