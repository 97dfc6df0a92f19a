/** Values that a preview does not know yet. The engine sends this text in place of any of them, of whatever type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether the value is unknown or holds something unknown. */
export function hasUnknown(value: unknown): boolean {
    if (value === unknownValue) return true;
    return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

/** Whether the value at `path`, or what should hold it, is unknown. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
    let here = value;
    for (const key of path) {
        if (here === unknownValue) return true;
        if (typeof here !== "object" || here === null) return false;
        here = (here as Record<PropertyKey, unknown>)[key];
    }
    return here === unknownValue;
}
