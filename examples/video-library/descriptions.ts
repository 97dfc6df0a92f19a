// Descriptions of videos: a folder of YAML or JSON files, read and checked before anything is declared.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import * as z from "zod";

const text = z.string().trim().min(1, "must not be empty");

// Strict: a misspelt key is an error and not a video without tags.
const schema = z.strictObject({
    title: text,
    description: text.optional(),
    /** Below the library's base address, or an address of its own. */
    source: text,
    playback: z.enum(["public", "signed"]).default("public"),
    tags: z.array(text).default([]),
    metadata: z.record(text, z.string()).default({}),
    /** The path the file had before it was moved: without it a moved file is another video. */
    formerly: text.optional(),
});

export interface Description extends z.infer<typeof schema> {
    /** The file's path in the folder, without its ending: "lighthouse/keepers". */
    readonly path: string;
}

/** Thrown with one line for each problem of each file. */
export class InvalidDescriptions extends Error {}

/** Reads all descriptions in a folder and its subfolders, sorted by path. */
export function readDescriptions(folder: string): Description[] {
    const descriptions: Description[] = [];
    const problems: string[] = [];
    const files = new Map<string, string>();
    for (const name of globSync("**/*.{yaml,yml,json}", { cwd: folder }).sort()) {
        const file = join(folder, name);
        const path = name.replaceAll("\\", "/").replace(/\.\w+$/, "");
        const other = files.get(path);
        if (other !== undefined) problems.push(`${file}: ${other} describes a video of the same name`);
        files.set(path, file);

        const read = parse(readFileSync(file, "utf8"));
        if ("problems" in read) problems.push(...read.problems.map((problem) => `${file}${problem}`));
        else descriptions.push({ ...read, path });
    }
    if (files.size === 0) problems.push(`${folder}: there are no descriptions (*.yaml, *.yml or *.json)`);
    if (problems.length > 0) {
        throw new InvalidDescriptions(`Fix these descriptions:\n${problems.join("\n")}`);
    }
    return descriptions;
}

/** One description, or its problems, each to be put behind the file's name. JSON is YAML. */
function parse(content: string): z.infer<typeof schema> | { problems: string[] } {
    const lineCounter = new LineCounter();
    const document = parseDocument(content, { lineCounter, prettyErrors: false });
    if (document.errors.length > 0) {
        return {
            problems: document.errors.map(({ pos, message }) => `:${lineCounter.linePos(pos[0]).line}: ${message}`),
        };
    }
    const result = schema.safeParse(document.toJS());
    if (result.success) return result.data;
    return {
        problems: result.error.issues.map(({ path, message }) => {
            if (path.length === 0) return `: ${message}`;
            const node: unknown = document.getIn(path, true);
            const line = hasRange(node) ? `:${lineCounter.linePos(node.range[0]).line}` : "";
            return `${line}: ${path.join(".")}: ${message}`;
        }),
    };
}

function hasRange(node: unknown): node is { range: [number, ...number[]] } {
    return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}
