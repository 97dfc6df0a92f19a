// The catalogue: one video per line, as JSON, and the settings of the fleet. Both are checked before anything is declared.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { indexOf, stackIndex } from "./shares";

const text = z.string().trim().min(1, "must not be empty");

// Strict: a misspelt key is an error and not a video without tags.
const video = z.strictObject({
    /** The video's identity: it names the resource and decides which stack has it. */
    key: text.refine((key) => !key.includes("::"), "must not contain ::"),
    title: text,
    /** Below the fleet's base URL, or a URL of its own. */
    source: text,
    description: text.optional(),
    tags: z.array(text).default([]),
    metadata: z.record(text, z.string()).default({}),
});

const settings = z.strictObject({
    /** Relative to this file. */
    catalogue: text,
    stacks: z.int().min(1),
    operator: z.strictObject({ organization: text, repository: text, branch: text, namespace: text }),
});

export type Video = z.infer<typeof video>;
export type Settings = z.infer<typeof settings>;

/** Thrown with one line for each problem, the first ten of them. */
export class InvalidCatalogue extends Error {}

export function readSettings(): Settings {
    const result = settings.safeParse(JSON.parse(readFileSync(settingsFile(), "utf8")));
    if (result.success) return result.data;
    throw new InvalidCatalogue(`fleet.json: ${z.prettifyError(result.error)}`);
}

/** Every stack reads the whole catalogue: a key that is there twice may have its lines in two shares only by a mistake in one. */
export function readCatalogue({ catalogue }: Settings): Video[] {
    const videos: Video[] = [];
    const problems: string[] = [];
    const lines = new Map<string, number>();
    for (const [at, line] of readFileSync(join(dirname(settingsFile()), catalogue), "utf8")
        .split("\n")
        .entries()) {
        if (line.trim() === "") continue;
        const parsed = parse(line);
        if ("problem" in parsed) {
            problems.push(`${catalogue}:${at + 1}: ${parsed.problem}`);
            continue;
        }
        const other = lines.get(parsed.key);
        if (other !== undefined) problems.push(`${catalogue}:${at + 1}: line ${other} has the key ${parsed.key} too`);
        lines.set(parsed.key, at + 1);
        videos.push(parsed);
    }
    if (problems.length === 0) return videos;
    const more = problems.length > 10 ? [`and ${problems.length - 10} more`] : [];
    throw new InvalidCatalogue(["The catalogue has errors:", ...problems.slice(0, 10), ...more].join("\n"));
}

/** The videos of one stack. */
export function shareOf(stack: string): Video[] {
    const fleet = readSettings();
    const index = stackIndex(stack);
    if (index === undefined || index >= fleet.stacks) {
        throw new InvalidCatalogue(`${stack} is not one of the ${fleet.stacks} stacks of fleet.json`);
    }
    return readCatalogue(fleet).filter(({ key }) => indexOf(key, fleet.stacks) === index);
}

function parse(line: string): Video | { problem: string } {
    let value: unknown;
    try {
        value = JSON.parse(line);
    } catch (error) {
        return { problem: error instanceof Error ? error.message : String(error) };
    }
    const result = video.safeParse(value);
    if (result.success) return result.data;
    return { problem: result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
}

function settingsFile(): string {
    return join(__dirname, "fleet.json");
}
