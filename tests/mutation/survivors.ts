/**
 * The list of changes that no test notices, each with the reason why that is right. A change is known by its file, the line
 * of code it begins on, and the text before and after it, so that the list outlives edits elsewhere in the file.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Survivor {
    /** Below `provider/src`. */
    file: string;
    /** The line that the changed code begins on. */
    line: string;
    original: string;
    replacement: string;
    reason: string;
}

export interface Score {
    killed: number;
    survived: number;
    /** Of the last complete run. */
    minutes: number;
}

export interface Survivors {
    /** By area. */
    scores: Record<string, Score>;
    survivors: Survivor[];
}

const path = join(import.meta.dirname, "survivors.json");

export function readSurvivors(): Survivors {
    return JSON.parse(readFileSync(path, "utf8"));
}

export function writeSurvivors({ scores, survivors }: Survivors): void {
    const sorted = survivors.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    writeFileSync(path, `${JSON.stringify({ scores, survivors: sorted }, undefined, 4)}\n`);
}

export function keyOf({ file, line, original, replacement }: Omit<Survivor, "reason">): string {
    return JSON.stringify([file, line, original, replacement]);
}

/** Code as entries quote it: its indentation and line breaks do not count. */
export function oneLine(code: string): string {
    return code.replace(/\s+/g, " ").trim();
}
