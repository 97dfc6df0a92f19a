/** The path of a property, for messages. */

/** `content[0].url`, as a program writes it. */
export function pathText(path: readonly PropertyKey[]): string {
    return path
        .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
        .join("");
}
