/** The path of a property for messages, as a program writes it: `content[0].url`. */
export function pathText(path: readonly PropertyKey[]): string {
    return path
        .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
        .join("");
}
