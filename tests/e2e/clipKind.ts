/** Clip, for the standard set of tests. It is cut from contents of others. */
import type { ContentChange, ContentSnapshot, Emulator } from "videograph-emulator";
import type { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentKind } from "./contentKind.ts";
import { type InputsOf, type Kind, metadataOf, type ServiceObject } from "./standard.ts";

type InPlace = InputsOf<typeof clipDefinition, "inPlace">;
type CreateOnly = InputsOf<typeof clipDefinition, "createOnly">;

const sourceTitle = "What clips are cut from";

/** The id of a content that is Ready, 10 s long and nobody's. */
function source(emulator: Emulator, name = ""): string {
    const title = `${sourceTitle} ${name}`;
    const found = emulator.contents().find((content) => content.title === title);
    return (found ?? emulator.addContent({ title })).contentId;
}

/** The contents that are neither clips nor what clips are cut from. */
export function otherContents(emulator: Emulator): ContentSnapshot[] {
    return emulator.contents().filter(({ clip, title }) => clip === null && !title.startsWith(sourceTitle));
}

export const clipKind: Kind = {
    ...contentKind,
    className: "Clip",
    minimal: ({ emulator }) => ({ contentId: source(emulator), startTime: 0, endTime: 2.5, title: "Teaser" }),
    every: ({ emulator }) =>
        ({
            ...{ contentId: source(emulator), startTime: 1, endTime: 3, title: "Teaser" },
            ...{ description: "A kiss", tags: ["drama", "teaser"], metadata: { season: "2", language: "en" } },
        }) satisfies Record<InPlace | CreateOnly, unknown>,
    inPlace: {
        ...{ title: "Another title", description: "Another", tags: ["comedy"], metadata: { season: "3" } },
    } satisfies Record<InPlace, unknown>,
    replacing: ({ emulator }) =>
        ({ contentId: source(emulator, "another"), startTime: 2, endTime: 10 }) satisfies Record<CreateOnly, unknown>,
    reset: { title: "Clip", description: "", tags: [], metadata: {} } satisfies Record<InPlace, unknown>,
    drift: {
        ...{ title: "Outside", description: "Outside", tags: ["outside"], metadata: { season: "9" } },
    } satisfies Record<InPlace, unknown>,
    objects: (emulator) =>
        new Map(
            emulator
                .contents()
                .filter(({ clip }) => clip !== null)
                .map((clip) => [clip.contentId, { ...clip }]),
        ),
    add: (emulator, args) => {
        const id = contentKind.add(emulator, { ...args, playbackPolicy: ["public"] });
        const { contentId, startTime, endTime } = args;
        emulator.updateContent(id, { clip: { contentId, startTime, endTime } } as ContentChange);
        return id;
    },
    property: (object, name) =>
        name === "metadata" ? metadataOf(object) : { ...object, ...(object.clip as ServiceObject) }[name],
};
