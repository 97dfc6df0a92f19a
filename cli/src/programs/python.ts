import { type Language, type Literals, literal, text } from "./language";

const literals: Literals = { key: text, yes: "True", no: "False", pad: "" };

export const python: Language = {
    file: "videograph_adopted.py",
    comment: "#",
    head: () => "import pulumi\nimport pulumi_videograph as videograph\n",
    declaration({ kind, entry, declared }) {
        const args = Object.entries(declared).map(
            ([name, data]) => `    ${snake(name)}=${literal(data, literals, 1)},\n`,
        );
        const options = "    opts=pulumi.ResourceOptions(protect=True),\n";
        return `\nvideograph.${kind}(\n    ${text(entry.name)},\n${args.join("")}${options})\n`;
    },
};

/** As Pulumi's generator writes names: `mp4Support` is `mp4_support`. */
function snake(name: string): string {
    return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}
