/** Content, for the standard set of tests. */
import type { ContentChange } from "videograph-emulator";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import { returnedFields, wireBody } from "../../provider/dist/definitions/definition.js";
import { otherContents } from "./clipKind.ts";
import { type InputsOf, type Kind, metadataOf, pairs, type ReturnedOf, type ServiceObject } from "./standard.ts";

type Sent = InputsOf<typeof contentDefinition, "inPlace" | "createOnly" | "subtitles">;
type InPlace = InputsOf<typeof contentDefinition, "inPlace">;
type Returned = ReturnedOf<typeof contentDefinition, "inPlace" | "createOnly">;

export const contentKind: Kind = {
    className: "Content",
    path: "/contents",
    minimal: (testbed) => ({ title: "Trailer", content: [{ url: testbed.media.video() }] }),
    every: (testbed) =>
        ({
            title: "Trailer",
            content: [{ url: testbed.media.video() }],
            playbackPolicy: ["signed"],
            description: "The second season",
            tags: ["drama", "trailer"],
            metadata: { season: "2", language: "en" },
            mp4Support: true,
            saveOriginalCopy: true,
            testVideo: true,
            watermark: [{ url: testbed.media.video("logo.png"), xPos: "70%", yPos: "15px", opacity: "0.5" }],
            subtitle: [
                {
                    url: testbed.media.video("en.vtt"),
                    name: "English",
                    languageCode: "en",
                    supportClosedCaptions: true,
                },
            ],
        }) satisfies Record<Sent, unknown>,
    inPlace: {
        title: "Another title",
        description: "Another description",
        tags: ["comedy"],
        metadata: { season: "3" },
        saveOriginalCopy: false,
    } satisfies Record<InPlace, unknown>,
    replacing: (testbed) =>
        ({
            content: [{ url: testbed.media.video("another.mp4") }],
            playbackPolicy: ["public", "signed"],
            mp4Support: false,
            testVideo: false,
            watermark: [{ url: testbed.media.video("logo.png"), xPos: "10%", yPos: "15px", opacity: "0.5" }],
            subtitle: [
                {
                    url: testbed.media.video("de.vtt"),
                    name: "Deutsch",
                    languageCode: "de",
                    supportClosedCaptions: true,
                },
            ],
        }) satisfies Record<Exclude<Sent, InPlace>, unknown>,
    reset: { description: "", tags: [], metadata: {}, saveOriginalCopy: false } satisfies Record<
        Exclude<InPlace, "title">,
        unknown
    >,
    drift: {
        title: "Changed outside",
        description: "Changed outside",
        tags: ["outside"],
        metadata: { season: "9" },
        saveOriginalCopy: false,
        mp4Support: false,
        playbackPolicy: ["public"],
        // The service's answers do not show testVideo.
    } satisfies Record<Exclude<Returned, "testVideo">, unknown>,
    computed: ["status", "playbackUrl", "thumbnailUrl", "duration", "resolution", "createdOn"],
    objects: (emulator) => new Map(otherContents(emulator).map((content) => [content.contentId, { ...content }])),
    change: (emulator, id, property, value) => {
        const mark = emulator.content(id)?.metadata.filter(({ key }) => key === "managed_by") ?? [];
        const change = property === "metadata" ? [...pairs(value), ...mark] : value;
        emulator.updateContent(id, { [property]: change } as ContentChange);
    },
    remove: (emulator, id) => emulator.deleteContent(id),
    add: (emulator, args) => {
        const fields = returnedFields(contentDefinition);
        return emulator.addContent(wireBody(fields, args) as { title: string }).contentId;
    },
    property: contentProperty,
};

/** The emulator's record in the program's spelling. */
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
