/** One small program for each resource and function of the schema, and the same in each language. */
import { Item, inLanguages, Pairs, type Program, Ref, type Statement, type Value } from "./exampleLanguages.ts";

const content = (url: string) => [new Item("ContentSource", { url })];
const trailer: Statement = {
    variable: "trailer",
    token: "Content",
    args: { title: "Trailer", content: content("https://media.example.com/trailer.mp4") },
};
const film = (title: string, url: string) => new Item("LibraryEntry", { title, content: content(url) });
const lookup = (
    title: string,
    token: string,
    args: Record<string, Value>,
    exported: [string, string],
): [string, Program] => [token, { title, statements: [{ variable: "found", token, args }], exported }];

/** By the name of the resource or function. */
export const examples: ReadonlyMap<string, Program> = new Map([
    [
        "Content",
        {
            title: "A video that anyone can play",
            statements: [
                {
                    ...trailer,
                    args: { ...trailer.args, tags: ["trailer"], metadata: new Pairs({ season: "2" }) },
                },
            ],
            exported: ["playbackUrl", "playbackUrl"],
        },
    ],
    [
        "Clip",
        {
            title: "Half a minute of a video",
            statements: [
                trailer,
                {
                    variable: "teaser",
                    token: "Clip",
                    args: { contentId: new Ref("trailer", "id"), startTime: 12.5, endTime: 42.5, title: "Teaser" },
                },
            ],
            exported: ["playbackUrl", "playbackUrl"],
        },
    ],
    [
        "Livestream",
        {
            title: "A recorded live stream",
            statements: [
                {
                    variable: "stage",
                    token: "Livestream",
                    args: { title: "Main stage", region: "us-east-1", record: true },
                },
            ],
            exported: ["streamKey", "streamKey"],
        },
    ],
    [
        "ContentReadiness",
        {
            title: "One wait for what was created without one",
            statements: [
                { ...trailer, args: { ...trailer.args, waitForReady: false } },
                {
                    variable: "library",
                    token: "ContentReadiness",
                    args: { contentIds: [new Ref("trailer", "id")] },
                },
            ],
            exported: ["contents", "contents"],
        },
    ],
    [
        "ContentLibrary",
        {
            title: "A library of videos in one resource",
            statements: [
                {
                    variable: "films",
                    token: "ContentLibrary",
                    args: {
                        defaults: new Item("LibraryDefaults", { tags: ["archive"] }),
                        contents: new Pairs({
                            harbour: film("Harbour", "https://media.example.com/harbour.mp4"),
                            ice: film("Ice", "https://media.example.com/ice.mp4"),
                        }),
                    },
                },
            ],
            exported: ["contents", "contents"],
        },
    ],
    lookup("One content by its id", "getContent", { contentId: "<contentId>" }, ["title", "title"]),
    lookup("All contents with a tag", "getContents", { status: "Ready", tags: ["trailer"] }, ["contents", "contents"]),
    lookup("One livestream by its id", "getLivestream", { streamUUID: "<streamUUID>" }, ["title", "title"]),
    lookup("All recorded livestreams", "getLivestreams", { record: true }, ["livestreams", "livestreams"]),
    lookup("The signing keys for videos", "getSigningKeys", { productTypeId: 1 }, ["keys", "keys"]),
]);

/** The section of a description that Pulumi's documentation and SDKs show by language. */
export function examplesOf(name: string, goPackage: string): string {
    const program = examples.get(name);
    if (program === undefined) throw new Error(`There is no example of ${name}`);
    const blocks = Object.entries(inLanguages(program, goPackage)).map(
        ([language, text]) => `\`\`\`${language}\n${text}\`\`\``,
    );
    return [
        "{{% examples %}}",
        "## Example Usage",
        "{{% example %}}",
        `### ${program.title}`,
        ...blocks,
        "{{% /example %}}",
        "{{% /examples %}}",
    ].join("\n\n");
}
