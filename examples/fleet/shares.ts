// Which stack has which video. The key of a video decides, so that every program computes the same and nothing has to be recorded.
import { createHash } from "node:crypto";

const prefix = "library-";

export function stackName(index: number): string {
    return `${prefix}${String(index).padStart(3, "0")}`;
}

/** The stack's number, or undefined when it is not one of the fleet's. */
export function stackIndex(name: string): number | undefined {
    const digits = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    return /^\d{3,}$/.test(digits) ? Number(digits) : undefined;
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
