/** The properties of a Clip. `resources/clip.ts` checks its start and its end against each other. */

import { description, importId, metadata, tags, title } from "./common";
import { contentDefinition } from "./content";
import { type Definition, id } from "./definition";

const seconds = { kind: "number", unit: "seconds", min: 0 } as const;

export const clipDefinition = {
    name: "Clip",
    idName: "contentId",
    inputs: {
        contentId: {
            type: id,
            change: "createOnly",
            requiredForCreate: "the id of the content that it is cut from",
            writeOnly: true,
            quotable: true,
        },
        startTime: {
            type: seconds,
            wire: "startTimeInSecs",
            change: "createOnly",
            requiredForCreate: "where it begins, in seconds",
            writeOnly: true,
        },
        endTime: {
            type: seconds,
            wire: "endTimeInSecs",
            change: "createOnly",
            requiredForCreate: "where it ends, in seconds",
            writeOnly: true,
        },
        title: {
            ...title,
            required: false,
            default: "Clip",
            empty: "Clip",
        },
        description,
        tags,
        metadata,
        importId,
    },
    outputs: contentDefinition.outputs,
} as const satisfies Definition;
