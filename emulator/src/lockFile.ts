/** One process for each state file: a file next to it names its owner. One that a killed process left is ignored. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

/** The locks of this process: a pid says nothing about files that an earlier process with the same pid left. */
const ownLocks = new Set<string>();

export class LockFile {
    readonly #path: string;

    /** Throws when another process has the file. */
    constructor(stateFile: string) {
        this.#path = `${stateFile}.lock`;
        if (!this.#create()) {
            const owner = readOwner(this.#path);
            if (owner.host !== hostname() || this.#isAlive(owner.pid)) {
                throw new Error(
                    `The state file ${stateFile} is in use by process ${owner.pid} on ${owner.host}. Stop that emulator or ` +
                        `choose another file. If it no longer runs, delete ${this.#path}`,
                );
            }
            rmSync(this.#path, { force: true });
            if (!this.#create())
                throw new Error(`The state file ${stateFile} is in use by an emulator that just started`);
        }
        ownLocks.add(this.#path);
    }

    release(): void {
        ownLocks.delete(this.#path);
        rmSync(this.#path, { force: true });
    }

    #create(): boolean {
        try {
            writeFileSync(this.#path, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: "wx" });
            return true;
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
            throw error;
        }
    }

    #isAlive(pid: number): boolean {
        if (pid === process.pid) return ownLocks.has(this.#path);
        try {
            return process.kill(pid, 0);
        } catch (error) {
            return (error as NodeJS.ErrnoException).code === "EPERM";
        }
    }
}

function readOwner(path: string): { pid: number; host: string } {
    try {
        return JSON.parse(readFileSync(path, "utf8"));
    } catch {
        return { pid: 0, host: "an unknown machine" }; // being written, or not ours
    }
}
