import type { Properties } from "#provider/lifecycle/index";
import type { Described } from "../entry";
import { block, enclosed, type Language, text } from "./language";

export const typescript: Language = {
    file: "videograph-adopted.ts",
    comment: "//",
    head: (native) => `import * as videograph from "pulumi-videograph${native ? "/native" : ""}";\n`,
    declaration({ kind, entry, declared, undeclared }) {
        const remark =
            undeclared.length === 0
                ? ""
                : `// Not managed, because a program cannot declare it: ${undeclared.join(", ")}.\n`;
        const args = `${text(entry.name)}, ${value(declared, 0)}`;
        return `\n${remark}new videograph.${kind}(${args}, { protect: true });\n`;
    },
};

/** An entry of a library, which waits for all of its contents. */
export function libraryEntry({ entry, declared }: Described): string {
    const { waitForReady: _, ...inputs } = declared;
    return `            ${key(entry.name)}: ${value({ ...inputs, importId: entry.id }, 3)},\n`;
}

function value(data: unknown, depth: number): string {
    if (typeof data === "string") return text(data);
    if (Array.isArray(data)) {
        const items = data.map((item) => value(item, depth + 1));
        return enclosed("[", items, "]", depth);
    }
    if (typeof data === "object" && data !== null) {
        const pairs = Object.entries(data as Properties).map(
            ([name, item]) => `${key(name)}: ${value(item, depth + 1)}`,
        );
        return depth > 0 ? enclosed("{", pairs, "}", depth, " ") : block("{", pairs, "}", depth);
    }
    return JSON.stringify(data);
}

function key(name: string): string {
    return /^[A-Za-z$_][\w$]*$/.test(name) ? name : text(name);
}
