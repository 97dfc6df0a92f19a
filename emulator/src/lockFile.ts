/**
 * One process for each state file. The lock is a file beside it that names its owner and is touched every few seconds, so
 * that one left by a killed process counts for nothing: at once where the process can be looked up, soon where it ran on
 * another machine or in another container.
 */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

const touchMs = 2_000;
const staleMs = 10_000;

/** The locks of this process: its own number says nothing about those that an earlier process of that number left. */
const own = new Set<string>();

export class LockFile {
    readonly #path: string;
    readonly #timer: NodeJS.Timeout;

    /** Throws when another process has the file. */
    constructor(stateFile: string) {
        this.#path = `${stateFile}.lock`;
        if (!this.#create()) {
            const owner = readOwner(this.#path);
            if (this.#isAlive(owner)) {
                throw new Error(
                    `The state file ${stateFile} is in use by process ${owner?.pid ?? "?"} on ${owner?.host ?? "?"}. ` +
                        `Stop that emulator or choose another file. If it no longer runs, delete ${this.#path}`,
                );
            }
            rmSync(this.#path, { force: true });
            if (!this.#create())
                throw new Error(`The state file ${stateFile} is in use: another emulator just started`);
        }
        own.add(this.#path);
        this.#timer = setInterval(() => this.#touch(), touchMs).unref();
    }

    release(): void {
        clearInterval(this.#timer);
        own.delete(this.#path);
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

    #touch(): void {
        const now = new Date();
        try {
            utimesSync(this.#path, now, now);
        } catch {
            // Somebody deleted it, as the message above says they may.
        }
    }

    #isAlive(owner: { pid: number; host: string } | undefined): boolean {
        if (owner?.host === hostname()) {
            if (owner.pid === process.pid) return own.has(this.#path);
            return isRunning(owner.pid);
        }
        const touched = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        return Date.now() - touched < staleMs;
    }
}

function readOwner(path: string): { pid: number; host: string } | undefined {
    try {
        const { pid, host } = JSON.parse(readFileSync(path, "utf8"));
        return Number.isInteger(pid) && typeof host === "string" ? { pid, host } : undefined;
    } catch {
        return undefined; // being written, or not ours: its age decides
    }
}

function isRunning(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
