import { nativeTypeOf } from "#provider/typeTokens";
import { type Language, spelled } from "./language";

export const yaml: Language = {
    file: "videograph-adopted.yaml",
    comment: "#",
    head: () => "resources:\n",
    declaration({ kind, entry, declared }) {
        const { stringify } = require("yaml") as typeof import("yaml");
        const resource = { type: nativeTypeOf(kind), properties: literal(declared), options: { protect: true } };
        const form = { indent: 4, lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" } as const;
        const lines = stringify({ [entry.name]: resource }, form)
            .trimEnd()
            .split("\n");
        return `${lines.map((line) => `    ${spelled(line)}`).join("\n")}\n`;
    },
};

/** `${` would begin an expression, and half of a surrogate pair becomes a replacement character, as in the engine. */
function literal(data: unknown): unknown {
    if (typeof data === "string") return data.replaceAll("${", "$$${").replace(/\p{Cs}/gu, "\ufffd");
    if (Array.isArray(data)) return data.map(literal);
    if (typeof data !== "object" || data === null) return data;
    return Object.fromEntries(Object.entries(data).map(([name, item]) => [name, literal(item)]));
}
