/** The properties of a Clip. `resources/clip.ts` checks its start and its end against each other. */
import * as z from "zod/mini";
import { common } from "./common";
import { contentDefinition } from "./content";
import { define, inPlace, sentOnly } from "./definition";
import { atLeast, id, nonBlank, number, object } from "./schemas";

const seconds = () => z.optional(number("seconds").check(atLeast(0)));

export const clipDefinition = define("Clip", "contentId", () => ({
    inputs: object({
        contentId: sentOnly(z.optional(id()), {
            wire: "contentId",
            requiredForCreate: "the id of the content that it is cut from",
            quotable: true,
        }),
        startTime: sentOnly(seconds(), { wire: "startTimeInSecs", requiredForCreate: "where it begins, in seconds" }),
        endTime: sentOnly(seconds(), { wire: "endTimeInSecs", requiredForCreate: "where it ends, in seconds" }),
        title: inPlace(z.optional(nonBlank()), { default: "Clip", empty: "Clip" }),
        ...common(),
    }),
    outputs: contentDefinition.outputs,
}));
