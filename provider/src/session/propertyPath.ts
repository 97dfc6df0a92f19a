/** Property paths as the engine writes and reads them. */
import { somePart } from "../inputs/values";

/**
 * Whether the engine can parse a path that it has written with this key: an empty one becomes `metadata.`, and the quote after a backslash
 * looks escaped. Otherwise whatever is planned for the resource fails (`ParsePropertyPath` of pulumi/pulumi).
 */
export function isReadableKey(key: string): boolean {
    return key !== "" && !key.endsWith("\\");
}

export function hasReadableKeys(value: unknown): boolean {
    return !somePart(value, (part, key) => !isReadableKey(key) || !hasReadableKeys(part));
}
