/** Values that a preview does not know yet. Which outputs stay unknown in a native preview: native/previews.ts. */
import { mapParts, somePart } from "./values";

/** The placeholder for any unknown value, of whatever type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's own unknown values: of a text, a boolean, a number, a list and an object. */
const engineUnknowns = new Set<unknown>([
    unknownValue,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

export function normalizeUnknowns(value: unknown): unknown {
    if (typeof value === "string") return value.length === 36 && engineUnknowns.has(value) ? unknownValue : value;
    return mapParts(value, normalizeUnknowns);
}

export function hasUnknown(value: unknown): boolean {
    return value === unknownValue || somePart(value, hasUnknown);
}
