import { nativeTypeOf } from "#provider/typeTokens";
import { type Language, spelled } from "./language";

export const yaml: Language = {
    file: "videograph-adopted.yaml",
    comment: "#",
    head: () => "resources:\n",
    declaration({ kind, entry, declared }) {
        const { stringify } = require("yaml") as typeof import("yaml");
        const properties = JSON.parse(JSON.stringify(declared), (_, data) => expressionless(data));
        const resource = { type: nativeTypeOf(kind), properties, options: { protect: true } };
        const form = { indent: 4, lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" } as const;
        const lines = stringify({ [entry.name]: resource }, form)
            .trimEnd()
            .split("\n");
        return `${lines.map((line) => `    ${spelled(line)}`).join("\n")}\n`;
    },
};

/** `${` would begin an expression, and half of a surrogate pair becomes a replacement character, as in the engine. */
function expressionless(data: unknown): unknown {
    return typeof data === "string" ? data.replaceAll("${", "$$${").replace(/\p{Cs}/gu, "\ufffd") : data;
}
