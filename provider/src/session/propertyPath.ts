/** Property paths as the engine writes and reads them. */
import { somePart } from "../inputs/values";

/**
 * Whether the engine can parse a path that it has written with this key. It writes an empty one as `metadata.`, and the quote
 * after a backslash looks escaped to it: whatever is planned for the resource then fails (`ParsePropertyPath` and
 * `PropertyPath.String` of pulumi/pulumi, sdk/go/common/resource/properties_path.go).
 */
export function isReadableKey(key: string): boolean {
    return key !== "" && !key.endsWith("\\");
}

/** Whether all keys in the value are such. */
export function hasReadableKeys(value: unknown): boolean {
    return !somePart(value, (part, key) => !isReadableKey(key) || !hasReadableKeys(part));
}
