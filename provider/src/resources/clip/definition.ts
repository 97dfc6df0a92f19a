/** The properties of a Clip. */
import { type Definition, words } from "../../inputs/definition";
import { description, importIdOf, metadataOf, tags, title } from "../commonInputs";
import { contentDefinition } from "../content/definition";

const seconds = { kind: "number", min: 0 } as const;

export const clipDefinition = {
    name: "Clip",
    idName: "contentId",
    inputs: {
        contentId: {
            doc: "The id of the content that it is cut from. If that is not Ready yet, the create waits for it. Required unless `importId` is given. A change replaces the clip.",
            type: words,
            change: "createOnly",
            requiredForCreate: "the id of the content that it is cut from",
            writeOnly: true,
            quotable: true,
        },
        startTime: {
            doc: "Where it begins, in seconds from the beginning of the content. Required unless `importId` is given. A change replaces the clip.",
            type: seconds,
            wire: "startTimeInSecs",
            change: "createOnly",
            requiredForCreate: "where it begins, in seconds",
            writeOnly: true,
        },
        endTime: {
            doc: "Where it ends, in seconds from the beginning of the content: after `startTime`, and not after the end of the content. Required unless `importId` is given. A change replaces the clip.",
            type: seconds,
            wire: "endTimeInSecs",
            change: "createOnly",
            requiredForCreate: "where it ends, in seconds",
            writeOnly: true,
        },
        title: {
            ...title,
            doc: 'The title. Default `"Clip"`. When you remove it from the program, it is reset to `"Clip"`. Changed in place.',
            required: false,
            default: "Clip",
            empty: "Clip",
        },
        description,
        tags,
        metadata: metadataOf("clip"),
        importId: importIdOf("clip", ", and so is one that has Failed"),
    },
    outputs: contentDefinition.outputs,
} as const satisfies Definition;
