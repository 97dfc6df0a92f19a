/** One small program for each resource and function of the schema, and the same in each language. */
import { csharp, go, java, python, typescript, yaml } from "./exampleLanguages.ts";

/** A value of a program: `Ref` is an output of a resource before it, `Item` an object of one of the schema's types. */
export type Value = string | number | boolean | Value[] | Ref | Item | Pairs;
export class Ref {
    readonly variable: string;
    readonly property: string;
    constructor(variable: string, property: string) {
        this.variable = variable;
        this.property = property;
    }
}
export class Item {
    readonly type: string;
    readonly fields: Record<string, Value>;
    constructor(type: string, fields: Record<string, Value>) {
        this.type = type;
        this.fields = fields;
    }
}
export class Pairs {
    readonly pairs: Record<string, Value>;
    constructor(pairs: Record<string, Value>) {
        this.pairs = pairs;
    }
}

export interface Statement {
    variable: string;
    /** A resource's class, or a function's name. */
    token: string;
    args: Record<string, Value>;
}

export interface Program {
    title: string;
    statements: Statement[];
    /** What it exports: a name, and an output of the last statement. */
    exported: [name: string, property: string];
}

export function isFunction({ token }: Statement): boolean {
    return token.startsWith("get");
}

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

/** The program in every language. `goPackage` is the import path of Go's SDK. */
export function inLanguages(program: Program, goPackage: string): Record<string, string> {
    return {
        typescript: typescript(program),
        python: python(program),
        go: go(program, goPackage),
        csharp: csharp(program),
        java: java(program),
        yaml: yaml(program),
    };
}

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
