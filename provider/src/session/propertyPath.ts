/** Property paths as the engine writes and reads them. */

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
    if (typeof value !== "object" || value === null) return true;
    return Object.entries(value).every(([key, item]) => isReadableKey(key) && hasReadableKeys(item));
}
