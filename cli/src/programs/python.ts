import { enclosed, type Language, wellFormed } from "./language";

export const python: Language = {
    file: "videograph_adopted.py",
    comment: "#",
    head: () => "import pulumi\nimport pulumi_videograph as videograph\n",
    declaration({ kind, entry, declared }) {
        const args = Object.entries(declared).map(([name, data]) => `    ${snake(name)}=${value(data, 1)},\n`);
        const options = "    opts=pulumi.ResourceOptions(protect=True),\n";
        return `\nvideograph.${kind}(\n    ${wellFormed(entry.name)},\n${args.join("")}${options})\n`;
    },
};

function value(data: unknown, depth: number): string {
    if (typeof data === "string") return wellFormed(data);
    if (typeof data === "boolean") return data ? "True" : "False";
    if (Array.isArray(data)) {
        const items = data.map((item) => value(item, depth + 1));
        return enclosed("[", items, "]", depth);
    }
    if (typeof data === "object" && data !== null) {
        const pairs = Object.entries(data).map(([name, item]) => `${wellFormed(name)}: ${value(item, depth + 1)}`);
        return enclosed("{", pairs, "}", depth);
    }
    return JSON.stringify(data);
}

/** As Pulumi's generator writes names: `mp4Support` is `mp4_support`. */
function snake(name: string): string {
    return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}
