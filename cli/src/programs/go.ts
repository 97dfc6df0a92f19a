import { pluginDownloadURL } from "#provider/session/pluginSource";
import { enclosed, type Language, text } from "./language";

export const go: Language = {
    file: "videograph-adopted.go",
    comment: "//",
    head: () => `package main

import (
\t"${pluginDownloadURL?.replace("github://api.", "")}/sdk/go/videograph"
\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
\tpulumi.Run(func(ctx *pulumi.Context) error {
`,
    declaration({ kind, entry, declared }) {
        const args = Object.entries(declared).map(([name, data]) => {
            // The only inputs with a choice of texts.
            const type = /playbackPolicy$/i.test(name) ? "videograph.PlaybackPolicy" : "pulumi.String";
            return `\t\t\t${name.charAt(0).toUpperCase()}${name.slice(1)}: ${value(type, data)},\n`;
        });
        const open = `\t\tif _, err := videograph.New${kind}(ctx, ${text(entry.name)}, &videograph.${kind}Args{\n`;
        return `${open}${args.join("")}\t\t}, pulumi.Protect(true)); err != nil {\n\t\t\treturn err\n\t\t}\n`;
    },
    tail: "\t\treturn nil\n\t})\n}\n",
};

/** @param type - of the texts in it */
function value(type: string, data: unknown): string {
    if (typeof data === "boolean") return `pulumi.Bool(${data})`;
    if (typeof data === "number") return `pulumi.Int(${data})`;
    if (typeof data === "string") return `${type}(${text(data)})`;
    if (Array.isArray(data)) {
        const items = data.map((item) => value(type, item));
        return enclosed(`${type}Array{`, items, "}", 3);
    }
    const pairs = Object.entries(data ?? {}).map(([name, item]) => `${text(name)}: ${value(type, item)}`);
    return enclosed("pulumi.StringMap{", pairs, "}", 3);
}
