// Which stack has which video. The key of a video decides, so that every program computes the same and nothing has to be recorded.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Settings {
    /** The file with the videos, one per line. */
    readonly catalogue: string;
    /** How many stacks share them. */
    readonly stacks: number;
    /** How many videos one update of a stack may delete or replace. */
    readonly maxDeletes: number;
}

export function readSettings(): Settings {
    const settings = JSON.parse(readFileSync(join(__dirname, "fleet.json"), "utf8")) as Settings;
    if (Number.isInteger(settings.stacks) && settings.stacks > 0) return settings;
    throw new Error("fleet.json: stacks must be a whole number of 1 or more");
}

export function stackName(index: number): string {
    return `library-${String(index).padStart(3, "0")}`;
}

/** The lines of the catalogue that belong to a stack. */
export function shareOf(stack: string): string[] {
    const index = stackNames().indexOf(stack);
    if (index < 0) throw new Error(`${stack} is not one of the stacks of fleet.json: ${stackNames().join(", ")}`);
    return shares()[index] ?? [];
}

export function stackNames(): string[] {
    return Array.from({ length: readSettings().stacks }, (_, index) => stackName(index));
}

/** All lines, by the number of their stack. */
export function shares(): string[][] {
    const { catalogue, stacks } = readSettings();
    const all = Array.from({ length: stacks }, (): string[] => []);
    const lines = readFileSync(join(__dirname, catalogue), "utf8").split("\n");
    for (const [at, line] of lines.entries()) {
        if (line.trim() !== "") all[indexOf(keyOf(line, `${catalogue}:${at + 1}`), stacks)]?.push(line);
    }
    return all;
}

function keyOf(line: string, where: string): string {
    try {
        const { key } = JSON.parse(line) as { key?: unknown };
        if (typeof key === "string") return key;
    } catch {}
    throw new Error(`${where}: must be a JSON object with a key`);
}

/**
 * The jump consistent hash of Lamping and Veach (https://arxiv.org/abs/1406.2294). A video that is added or removed moves no
 * other. One stack more takes its fair share from all the others, and no video moves between those.
 */
export function indexOf(key: string, stacks: number): number {
    let seed = createHash("sha256").update(key).digest().readBigUInt64BE();
    let index = 0;
    for (let next = 0; next < stacks; ) {
        index = next;
        seed = BigInt.asUintN(64, seed * 2862933555777941757n + 1n);
        next = Math.floor((index + 1) * (2 ** 31 / (Number(seed >> 33n) + 1)));
    }
    return index;
}
