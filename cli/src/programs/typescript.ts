import type { Described } from "../entry";
import { type Language, type Literals, literal, text } from "./language";

const literals: Literals = {
    key: (name) => (/^[A-Za-z$_][\w$]*$/.test(name) ? name : text(name)),
    ...{ yes: "true", no: "false", pad: " " },
};

export const typescript: Language = {
    file: "videograph-adopted.ts",
    comment: "//",
    head: (native) => `import * as videograph from "pulumi-videograph${native ? "/native" : ""}";\n`,
    declaration({ kind, entry, declared }) {
        const args = `${text(entry.name)}, ${literal(declared, literals, 0)}`;
        return `\nnew videograph.${kind}(${args}, { protect: true });\n`;
    },
};

/** An entry of a library, which waits for all of its contents. */
export function libraryEntry({ entry, declared }: Described): string {
    const { waitForReady: _, ...inputs } = declared;
    return `            ${literals.key(entry.name)}: ${literal({ ...inputs, importId: entry.id }, literals, 3)},\n`;
}
