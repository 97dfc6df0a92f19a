/** The kinds of resources that the standard set of tests is about: every input with its values, and the objects of the service. */
import type { ContentChange, Emulator, LivestreamChange } from "videograph-emulator";
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import { type Changed, type Definition, returnedFields, wireBody } from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import type { Args } from "../support/program.ts";
import type { Testbed } from "../support/testbed.ts";

/** An object as the service holds it, whichever kind it is of. */
export type ServiceObject = Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly metadata: readonly { key: string; value: string }[];
};

/** The values of an input: the program's, which are no default, and those that others make of it. A kind that lacks one does not compile. */
type ValuesOf<I> = {
    readonly value: unknown;
    /** What the program changes it to. */
    readonly other: unknown;
    // What somebody else changes it to; undefined where the service's answers do not show it.
} & (I extends Changed<"sentOnly" | "subtitles"> ? unknown : { readonly outside: unknown }) &
    // What the service has once the program leaves it out; undefined where a program cannot, or the answers do not show it.
    (I extends Changed<"inPlace"> ? { readonly reset: unknown } : unknown);

type Tested = Changed<"inPlace" | "createOnly" | "sentOnly" | "subtitles">;
type InputsOf<D extends Definition> = {
    [Name in keyof D["inputs"]["shape"] as D["inputs"]["shape"][Name] extends Tested ? Name : never]: ValuesOf<
        D["inputs"]["shape"][Name]
    >;
};

export interface Kind {
    readonly definition: Definition;
    /** The collection's path below the API's prefix. */
    readonly path: string;
    minimal(testbed: Testbed): Args;
    inputs(testbed: Testbed): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    /** The outputs a created object must have besides its inputs. */
    readonly computed: readonly string[];
    objects(emulator: Emulator): Map<string, ServiceObject>;
    change(emulator: Emulator, id: string, property: string, value: unknown): void;
    remove(emulator: Emulator, id: string): void;
    /** Adds an object from outside that fits the arguments; returns its id. */
    add(emulator: Emulator, args: Args): string;
    /** The object's property in the program's spelling, without the mark. */
    property(object: ServiceObject, name: string): unknown;
}

/** The pairs a program knows of: all but the mark of the create. */
function metadataOf(object: ServiceObject): Record<string, string> {
    const own = object.metadata.filter(({ key }) => key !== "managed_by");
    return Object.fromEntries(own.map(({ key, value }) => [key, value]));
}

/** A change of one property from outside, as the service holds it: the mark stays. */
function changeOf(object: Pick<ServiceObject, "metadata"> | undefined, property: string, value: unknown): object {
    if (property !== "metadata") return { [property]: value };
    const mark = object?.metadata.filter(({ key }) => key === "managed_by") ?? [];
    return { metadata: [...pairs(value), ...mark] };
}

function pairs(metadata: unknown): { key: string; value: string }[] {
    return Object.entries(metadata as Record<string, string>).map(([key, value]) => ({ key, value }));
}

/** The emulator's record of a content in the program's spelling. */
function contentProperty(object: ServiceObject, name: string): unknown {
    const camel = (text: string) => text.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
    // The service adds an id and a time to each subtitle.
    const items = (list: unknown) =>
        (list as Record<string, unknown>[]).map(({ uuid: _, createdOn: __, ...item }) =>
            Object.fromEntries(Object.entries(item).map(([key, value]) => [camel(key), value])),
        );
    switch (name) {
        case "content":
            return (object.sourceUrls as string[]).map((url) => ({ url }));
        case "metadata":
            return metadataOf(object);
        case "watermark":
        case "subtitle":
            return items(object[name]);
        default:
            return object[name];
    }
}

const sourceTitle = "What clips are cut from";

/** The id of a content that is Ready, 10 s long and nobody's. */
function clipSource(emulator: Emulator, name = ""): string {
    const title = `${sourceTitle} ${name}`;
    const found = emulator.contents().find((content) => content.title === title);
    return (found ?? emulator.addContent({ title })).contentId;
}

const text = { value: "The second season", other: "Another description", outside: "Changed outside", reset: "" };
const tags = { value: ["drama", "trailer"], other: ["comedy"], outside: ["outside"], reset: [] };
const metadata = {
    value: { season: "2", language: "en" },
    other: { season: "3" },
    outside: { season: "9" },
    reset: {},
};
const title = { value: "Trailer", other: "Another title", outside: "Changed outside", reset: undefined };

const content: Kind = {
    definition: contentDefinition,
    path: "/contents",
    minimal: (testbed) => ({ title: "Trailer", content: [{ url: testbed.media.video() }] }),
    inputs: ({ media }) => {
        const watermark = { url: media.video("logo.png"), xPos: "70%", yPos: "15px", opacity: "0.5" };
        const subtitle = (languageCode: string) => [
            {
                ...{ url: media.video(`${languageCode}.vtt`), name: languageCode, languageCode },
                supportClosedCaptions: true,
            },
        ];
        return {
            title,
            content: { value: [{ url: media.video() }], other: [{ url: media.video("another.mp4") }] },
            playbackPolicy: { value: ["signed"], other: ["public", "signed"], outside: ["public"] },
            description: text,
            tags,
            metadata,
            mp4Support: { value: true, other: false, outside: false },
            saveOriginalCopy: { value: true, other: false, outside: false, reset: false },
            testVideo: { value: true, other: false, outside: undefined },
            watermark: { value: [watermark], other: [{ ...watermark, xPos: "10%" }] },
            subtitle: { value: subtitle("en"), other: subtitle("de") },
        } satisfies InputsOf<typeof contentDefinition>;
    },
    computed: ["status", "playbackUrl", "thumbnailUrl", "duration", "resolution", "createdOn"],
    objects: (emulator) => {
        const others = emulator.contents().filter((one) => one.clip === null && !one.title.startsWith(sourceTitle));
        return new Map(others.map((one) => [one.contentId, { ...one }]));
    },
    change: (emulator, id, property, value) =>
        emulator.updateContent(id, changeOf(emulator.content(id), property, value) as ContentChange),
    remove: (emulator, id) => emulator.deleteContent(id),
    add: (emulator, args) =>
        emulator.addContent(wireBody(returnedFields(contentDefinition), args) as { title: string }).contentId,
    property: contentProperty,
};

const clip: Kind = {
    ...content,
    definition: clipDefinition,
    minimal: ({ emulator }) => ({ contentId: clipSource(emulator), startTime: 0, endTime: 2.5, title: "Teaser" }),
    inputs: ({ emulator }) =>
        ({
            contentId: { value: clipSource(emulator), other: clipSource(emulator, "another") },
            startTime: { value: 1, other: 2 },
            endTime: { value: 3, other: 10 },
            title: { ...title, reset: "Clip" },
            description: text,
            tags,
            metadata,
        }) satisfies InputsOf<typeof clipDefinition>,
    objects: (emulator) => {
        const clips = emulator.contents().filter((one) => one.clip !== null);
        return new Map(clips.map((one) => [one.contentId, { ...one }]));
    },
    add: (emulator, args) => {
        const id = content.add(emulator, { ...args, playbackPolicy: ["public"] });
        const { contentId, startTime, endTime } = args;
        emulator.updateContent(id, { clip: { contentId, startTime, endTime } } as ContentChange);
        return id;
    },
    property: (object, name) =>
        name === "metadata" ? metadataOf(object) : { ...object, ...(object.clip as ServiceObject) }[name],
};

const livestream: Kind = {
    definition: livestreamDefinition,
    path: "/livestreams",
    minimal: () => ({ title: "Main stage", region: "us-east-1" }),
    inputs: () =>
        ({
            title,
            region: { value: "us-west-1", other: "ap-south-1", outside: undefined },
            record: { value: true, other: false, outside: undefined },
            description: text,
            dvrDurationInMins: { value: 30, other: 60, outside: undefined, reset: undefined },
            tags,
            metadata,
            playbackPolicy: { value: ["signed"], other: ["public"], outside: undefined },
            recordingsPlaybackPolicy: { value: ["public", "signed"], other: ["signed"], outside: undefined },
        }) satisfies InputsOf<typeof livestreamDefinition>,
    computed: ["status", "streamKey", "rtmpUrl", "rtmpsUrl", "playbackUrl", "createdOn"],
    objects: (emulator) => new Map(emulator.livestreams().map((stream) => [stream.streamUUID, { ...stream }])),
    change: (emulator, id, property, value) =>
        emulator.updateLivestream(id, changeOf(emulator.livestream(id), property, value) as LivestreamChange),
    remove: (emulator, id) => emulator.deleteLivestream(id),
    add: (emulator, args) => {
        const { streamUUID } = emulator.addLivestream({ title: String(args.title) });
        emulator.updateLivestream(streamUUID, { ...args, metadata: pairs(args.metadata) } as LivestreamChange);
        return streamUUID;
    },
    property: (stream, name) => (name === "metadata" ? metadataOf(stream) : stream[name]),
};

export const kinds: readonly Kind[] = [content, clip, livestream];
