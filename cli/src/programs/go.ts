import type { Type } from "#provider/inputs/definition";
import { packageHome } from "../commandLine";
import { enclosed, type Language, text } from "./language";

export const go: Language = {
    file: "videograph-adopted.go",
    comment: "//",
    head: () => `package main

import (
\t"github.com/${packageHome()}/sdk/go/videograph"
\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
\tpulumi.Run(func(ctx *pulumi.Context) error {
`,
    declaration({ kind, entry, declared }, { inputs }) {
        const args = Object.entries(declared).map(([name, data]) => {
            const type = inputs[name]?.type ?? { kind: "string" };
            return `\t\t\t${name.charAt(0).toUpperCase()}${name.slice(1)}: ${value(type, data)},\n`;
        });
        const open = `\t\tif _, err := videograph.New${kind}(ctx, ${text(entry.name)}, &videograph.${kind}Args{\n`;
        return `${open}${args.join("")}\t\t}, pulumi.Protect(true)); err != nil {\n\t\t\treturn err\n\t\t}\n`;
    },
    tail: "\t\treturn nil\n\t})\n}\n",
};

function value(type: Type, data: unknown): string {
    if (typeof data === "boolean") return `pulumi.Bool(${data})`;
    if (typeof data === "number") return `pulumi.Int(${data})`;
    if (typeof data === "string") return `${goType(type)}(${text(data)})`;
    if (type.kind === "list" && Array.isArray(data)) {
        const items = data.map((item) => value(type.of, item));
        return enclosed(`${goType(type.of)}Array{`, items, "}", 3);
    }
    const pairs = Object.entries(data ?? {}).map(
        ([name, item]) => `${text(name)}: pulumi.String(${text(String(item))})`,
    );
    return enclosed("pulumi.StringMap{", pairs, "}", 3);
}

/** The only input with a choice of texts is the playback policy. */
function goType(type: Type): string {
    return type.kind === "string" && type.oneOf !== undefined ? "videograph.PlaybackPolicy" : "pulumi.String";
}
