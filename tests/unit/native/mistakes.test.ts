/**
 * What people get wrong, and what they read: the same mistakes in each language, as its SDK sends them to the plugin. Each message names the
 * property and what to write, in the language's own words. What a compiler or an SDK refuses by itself never comes here.
 */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resourceProvider } from "../../../provider/dist/native/service.js";
import { programSpelling } from "../../../provider/dist/native/spelling.js";
import { defaultInputs } from "../../../provider/dist/resources/contentLibrary/entries.js";
import { Machine } from "../../support/machine.ts";
import { type Message, reasonsOf, requestOf } from "../../support/pluginProcess.ts";

const schema = await readFile(join(import.meta.dirname, "..", "..", "..", "schema.json"), "utf8");
const url = "https://media.example.com/a.mp4";
const content = [{ url }];
const film = { title: "Film", content };
const stage = { title: "Stage", region: "us-east-1" };
/** Each input of a content that a library's defaults may have: the longest correction lists them. */
const defaults = Object.keys(defaultInputs.shape);
const inLibrary = (entry: object, more: object = {}) => ({ contents: { a: { ...film, ...entry } }, ...more });

/** The words of TypeScript that other languages write otherwise. */
const words: Readonly<Record<string, readonly (readonly [ofTypeScript: string, own: string])[]>> = {
    nodejs: [],
    python: [
        ...defaults.map((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const),
        ["languageCode", "language_code"],
        ["waitForReady", "wait_for_ready"],
        ["xPos", "x_pos"],
        ["yPos", "y_pos"],
        ["supportClosedCaptions", "support_closed_captions"],
        ["playbackUrl", "playback_url"],
        ["dvrDurationInMins", "dvr_duration_in_mins"],
        ["streamKey", "stream_key"],
        ["contentIds", "content_ids"],
        ["contentId", "content_id"],
        ["startTime", "start_time"],
        ["endTime", "end_time"],
        ["maxDeletes", "max_deletes"],
        ["productTypeId", "product_type_id"],
        ["streamUUID", "stream_uuid"],
        ["accessTokenId", "access_token_id"],
        ["trustNotFound", "trust_not_found"],
        ["baseUrl", "base_url"],
        ["true or false", "True or False"],
        [
            "Object.fromEntries(list.map((video) => [video.slug, video])) in TypeScript",
            '{video["slug"]: video for video in videos}',
        ],
    ],
    go: [
        ["trailer.id", "trailer.ID()"],
        [".apply()", ".ApplyT()"],
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is YAML
    yaml: [["trailer.id", "${trailer.id}"]],
    dotnet: [
        ["trailer.id", "trailer.Id"],
        [".apply()", ".Apply()"],
    ],
};

/** What is declared, its inputs, and all that is said. */
const mistakes: readonly (readonly [type: string, inputs: object, said: readonly string[]])[] = [
    ["Content", { content }, ["title must be set [VG2001]"]],
    ["Content", { ...film, title: 5 }, ['title must be a string: put the number in quotes, such as "2" [VG2001]']],
    ["Content", { ...film, title: " " }, ["title must be a non-empty string [VG2001]"]],
    [
        "Content",
        { content, titel: "Film" },
        ["titel is not a known property: remove it, or correct it to `title` [VG2006]", "title must be set [VG2001]"],
    ],
    [
        "Content",
        { ...film, playbackPolicy: ["pubic"] },
        ['playbackPolicy[0] must be one of "public", "signed" [VG2001]'],
    ],
    [
        "Content",
        { ...film, playbackPolicy: "public" },
        ['playbackPolicy must be a list of "public", "signed" or both, such as ["signed"] [VG2001]'],
    ],
    [
        "Content",
        { ...film, playbackPolicy: ["public", "public"] },
        ["playbackPolicy must be without repetitions: write each value once [VG2001]"],
    ],
    [
        "Content",
        { ...film, title: "Teaser of <pulumi.output.Output object at 0x7f2a>" },
        [
            "title has the text of an Output or another object in place of its value. Use `pulumi.Output.format`, or `.apply()` [VG2041]",
        ],
    ],
    ["Content", { title: "Film" }, ['content is required (such as [{ "url": "https://…" }]) [VG2002]']],
    [
        "Content",
        { title: "Film", content: { url } },
        ['content must be a list of at least one source, such as [{ "url": "https://…" }] [VG2001]'],
    ],
    [
        "Content",
        { title: "Film", content: [{ url: "media.example.com/a.mp4" }] },
        [
            'content[0].url must be a URL that begins with https:// or http://: the service downloads it, so put a local file into a bucket first (the guide "From a local file") [VG2001]',
        ],
    ],
    [
        "Content",
        { title: "Film", content: [{ url: "./a.mp4" }] },
        [
            'content[0].url must be a URL that begins with https:// or http://: the service downloads it, so put a local file into a bucket first (the guide "From a local file") [VG2001]',
        ],
    ],
    [
        "Content",
        { title: "Film", content: [{ url: "https:/media.example.com/a.mp4" }] },
        [
            "content[0].url must be a URL that needs no repair: `https://` and a host, without spaces at its ends, tabs, line ends and backslashes [VG2001]",
        ],
    ],
    [
        "Content",
        { ...film, watermark: [{ url, xPos: 5 }] },
        ['watermark[0].xPos must be a string, such as "40px" or "70%" [VG2001]'],
    ],
    [
        "Content",
        { ...film, watermark: [{ url, yPos: "5" }] },
        [
            'watermark[0].yPos is not one of the known values (such as "40px" or "70%"). If it is a typo, correct it now: a later change replaces the resource. [VG2004]',
        ],
    ],
    [
        "Content",
        { ...film, watermark: [{ url, xpos: "5px" }] },
        ["watermark[0].xpos is not a known property: remove it, or correct it to `xPos` [VG2006]"],
    ],
    [
        "Content",
        { ...film, thumbnail: { position: "1s", width: 10, height: 0 } },
        [
            "thumbnail.position must be a whole number of seconds without quotes, such as 1 [VG2001]",
            "thumbnail.height must be 1 or more [VG2001]",
        ],
    ],
    [
        "Content",
        { ...film, thumbnail: { position: 1, width: 10, height: 10 }, waitForReady: false },
        [
            "thumbnail needs a Ready content, and nothing waits for it while waitForReady is false. Remove one of the two [VG4028]",
        ],
    ],
    ["Content", { ...film, mp4Support: "yes" }, ["mp4Support must be true or false, without quotes [VG2001]"]],
    ["Content", { ...film, tags: ["a", ""] }, ["tags[1] must be a non-empty string [VG2001]"]],
    ["Content", { ...film, tags: "a" }, ['tags must be a list, such as ["…"] [VG2001]']],
    [
        "Content",
        { ...film, metadata: { season: 2 } },
        ['metadata.season must be a string: put the number in quotes, such as "2" [VG2001]'],
    ],
    [
        "Content",
        { ...film, metadata: { managed_by: "me" } },
        ["metadata.managed_by is reserved: it names the stack that manages the object. Use another key [VG2003]"],
    ],
    [
        "Content",
        { ...film, description: { released: "2026-01-01" } },
        ["description must be a string, and not an object [VG2001]"],
    ],
    [
        "Content",
        {
            ...film,
            subtitle: [
                { url, languageCode: "de" },
                { url, languageCode: "DE" },
            ],
        },
        [
            "subtitle[1].languageCode repeats subtitle[0]: only one subtitle per languageCode is allowed (case-insensitive). Remove one [VG2005]",
        ],
    ],
    [
        "Content",
        { ...film, subtitle: [{ url, languageCode: "english" }] },
        [
            'subtitle[0].languageCode is not one of the known values (such as "en" or "pt-BR"). If it is a typo, correct it now: a later change replaces the resource. [VG2004]',
        ],
    ],
    [
        "Content",
        { ...film, subtitle: [{ url, lang: "de" }] },
        [
            "subtitle[0].lang is not a known property: remove it, or correct it to one of `url`, `name`, `languageCode`, `supportClosedCaptions` [VG2006]",
        ],
    ],
    [
        "Content",
        { ...film, playbackUrl: url },
        ["playbackUrl is an output, which the service makes: remove it [VG2050]"],
    ],
    [
        "Content",
        { ...film, importId: "9e1c" },
        [
            "importId is not a property of this resource: set the resource option `import` to the id, or run `pulumi import` [VG8004]",
        ],
    ],
    [
        "Livestream",
        { title: "Stage" },
        [
            "region is required (us-east-1, us-west-1, ap-south-1 or another one: as an input, as videograph:region or as VIDEOGRAPH_REGION) [VG2002]",
        ],
    ],
    [
        "Livestream",
        { ...stage, region: "us-est-1" },
        [
            "region is not one of the known values (us-east-1, us-west-1, ap-south-1). If it is a typo, correct it to `us-east-1` now: a later change replaces the resource. [VG2004]",
        ],
    ],
    [
        "Livestream",
        { ...stage, dvrDurationInMins: "2h" },
        ["dvrDurationInMins must be a whole number of minutes without quotes, such as 1 [VG2001]"],
    ],
    ["Livestream", { ...stage, dvrDurationInMins: -1 }, ["dvrDurationInMins must be 0 or more [VG2001]"]],
    [
        "Livestream",
        { ...stage, dvrDurationInMins: 1.5 },
        ["dvrDurationInMins must be a whole number of minutes [VG2001]"],
    ],
    [
        "Livestream",
        { ...stage, streamKey: "a" },
        ["streamKey is an output, which the service makes: remove it [VG2050]"],
    ],
    [
        "Clip",
        { contentId: "My film", startTime: "00:05" },
        [
            "contentId must be an id, such as trailer.id, and no title or URL [VG2001]",
            "startTime must be a number of seconds without quotes, such as 1 [VG2001]",
            "endTime is required (where it ends, in seconds) [VG2002]",
        ],
    ],
    ["Clip", { contentId: "9e1c", startTime: 20, endTime: 5 }, ["endTime must be after startTime [VG2001]"]],
    ["ContentReadiness", { contentIds: "9e1c" }, ['contentIds must be a list, such as ["…"] [VG2001]']],
    ["ContentReadiness", { contentIds: [] }, []],
    ["ContentLibrary", inLibrary({}, { catalogue: "{}" }), ["declare either contents or catalogue, not both [VG2030]"]],
    [
        "ContentLibrary",
        { defaults: { tags: ["a"] } },
        [
            'contents is required (such as { "trailer": { "title": "…", "content": [{ "url": "https://…" }] } }, or catalogue) [VG2002]',
        ],
    ],
    [
        "ContentLibrary",
        { contents: [film] },
        [
            "contents must be an object whose keys name the videos, such as Object.fromEntries(list.map((video) => [video.slug, video])) in TypeScript: a position is no name [VG2001]",
        ],
    ],
    [
        "ContentLibrary",
        { contents: { a: { content, playbackPolicy: ["pubic"] } } },
        [
            'contents["a"].title must be set [VG2001]',
            'contents["a"].playbackPolicy[0] must be one of "public", "signed" [VG2001]',
        ],
    ],
    [
        "ContentLibrary",
        inLibrary({ waitForReady: false, playbackPolicies: ["public"] }),
        [
            'contents["a"].waitForReady is not for a library: a library always waits until its contents are Ready. Remove it [VG2053]',
            'contents["a"].playbackPolicies is not a known property: remove it, or correct it to `playbackPolicy` [VG2006]',
        ],
    ],
    [
        "ContentLibrary",
        inLibrary({}, { defaults: { playbackPolicy: ["pubic"], title: "A" } }),
        [
            `defaults.title is not a known property: remove it, or correct it to one of ${defaults.map((name) => `\`${name}\``).join(", ")} [VG2006]`,
            'defaults.playbackPolicy[0] must be one of "public", "signed" [VG2001]',
        ],
    ],
    [
        "ContentLibrary",
        inLibrary({}, { maxDeletes: "10" }),
        ["maxDeletes must be a whole number without quotes, such as 1 [VG2001]"],
    ],
    [
        "ContentLibrary",
        { contents: { "a/b": film } },
        ['contents["a/b"] needs another key: unique, not empty, and without `/` and `::` [VG2032]'],
    ],
    [
        "ContentLibrary",
        { catalogue: '[{ "title": "A" }]' },
        [
            "catalogue is one JSON document, and must be lines: each a JSON object of one video, with its key. Or parse the document in the program, and declare contents [VG2054]",
        ],
    ],
    [
        "ContentLibrary",
        { catalogue: '{ "key": "a", "titel": "A" }\nno JSON' },
        ["catalogue, line 2 is not a JSON object with a key [VG2031]"],
    ],
    ["getContent", { contentId: "" }, ["contentId must be a non-empty string [VG2001]"]],
    ["getContents", { tag: ["a"] }, ["tag is not a known property: remove it, or correct it to `tags` [VG2006]"]],
    [
        "getSigningKeys",
        { productTypeId: "video" },
        ["productTypeId must be a whole number without quotes, such as 1 [VG2001]"],
    ],
    [
        "getLivestream",
        { streamUuid: "a" },
        [
            "streamUuid is not a known property: remove it, or correct it to `streamUUID` [VG2006]",
            "streamUUID must be set [VG2001]",
        ],
    ],
    [
        "Provider",
        { acessTokenId: "a" },
        ["acessTokenId is not a known property: remove it, or correct it to `accessTokenId` [VG2006]"],
    ],
    [
        "Provider",
        { baseUrl: "media.example.com", trustNotFound: "yes" },
        [
            "trustNotFound must be true or false [VG2001]",
            "baseUrl: The base URL must be like https://api.videograph.ai: it starts with https:// (http:// only for localhost, 127.0.0.1 and [::1]) and has no user name, password, query or fragment. [VG1002]",
        ],
    ],
];

describe("a mistake in a program", () => {
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-mistakes-"));
    });
    after(() => rm(folder, { recursive: true }));

    for (const [language, own] of Object.entries(words))
        it(`is said in the words of ${language}`, async () => {
            await writeFile(join(folder, "Pulumi.yaml"), `name: films\nruntime: ${language}\n`);
            const process = new Machine().start();
            process.session.dependencies.inProgramSpelling = programSpelling(schema, folder);
            const service = resourceProvider(process.session, schema, "0.1.0") as Record<string, Message>;
            for (const [type, inputs, inTypeScript] of mistakes) {
                const problems = await problemsOf(service, type, inputs);
                const expected = inTypeScript.map((text) =>
                    own.reduce((said, [from, to]) => said.replaceAll(from, to), text),
                );
                assert.deepEqual([...problems, ...process.said.splice(0)], expected);
            }
        });

    it("in the option ignoreChanges is said: the engine takes any path", async () => {
        const process = new Machine().start();
        const service = resourceProvider(process.session, schema, "0.1.0") as Record<string, Message>;
        const urn = "urn:pulumi:dev::films::videograph:index:Content::x";
        const request = requestOf("diff", { urn, id: "1", olds: film, oldInputs: film, news: film });
        const right = ["title", "metadata.season", "content[0].url", '["tags"]', "*"];
        // One option for all resources of a stack may name what only others have.
        request.setIgnorechangesList([...right, "dvrDurationInMins", "titel", "PlaybackPolicy", '["mp4support"]']);
        await new Promise<void>((resolve, reject) =>
            service.diff({ request }, (error: Error | null) => (error ? reject(error) : resolve())),
        );
        assert.deepEqual(
            process.said
                .filter((line) => /VG2060/.test(line))
                .map((line) => /names (\w+),.*`(\w+)`/.exec(line)?.slice(1)),
            [
                ["titel", "title"],
                ["PlaybackPolicy", "playbackPolicy"],
                ["mp4support", "mp4Support"],
            ],
        );
    });
});

/** The problems of a resource, of a provider or of a function's arguments, as the engine asks for them. */
function problemsOf(service: Record<string, Message>, type: string, inputs: object): Promise<string[]> {
    const urn = (token: string) => `urn:pulumi:dev::films::${token}::x`;
    const [method, fields] = /^get/.test(type)
        ? ["invoke", { tok: `videograph:index:${type}`, args: inputs }]
        : type === "Provider"
          ? ["checkConfig", { urn: urn("pulumi:providers:videograph"), news: inputs }]
          : ["check", { urn: urn(`videograph:index:${type}`), news: inputs }];
    return new Promise((resolve, reject) =>
        service[method]({ request: requestOf(method, fields) }, (error: Error | null, answer: Message) =>
            error ? reject(error) : resolve(reasonsOf(answer)),
        ),
    );
}
