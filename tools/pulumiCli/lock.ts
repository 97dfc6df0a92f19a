/** One at a time, between processes of one machine: a file that holds the id of the process at work. */
import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while holding the lock. A lock whose process is gone is taken over; should two do that at once, both
 * work, which the caller's atomic rename makes harmless.
 */
export async function withLock<T>(
    path: string,
    work: () => Promise<T>,
    onWait: (holder: number) => void = () => {},
): Promise<T> {
    let told = false;
    while (!(await take(path))) {
        const holder = await holderOf(path);
        if (holder === undefined) await rm(path, { force: true });
        else {
            if (!told) onWait(holder);
            told = true;
            await sleep(500);
        }
    }
    try {
        return await work();
    } finally {
        await rm(path, { force: true });
    }
}

async function take(path: string): Promise<boolean> {
    // Written first and linked then, so that nobody ever reads a lock without its holder.
    const own = `${path}.${randomUUID()}`;
    await writeFile(own, String(process.pid));
    try {
        await link(own, path);
        return true;
    } catch (error) {
        if (isCode(error, "EEXIST")) return false;
        throw error;
    } finally {
        await rm(own, { force: true });
    }
}

/** The process that holds the lock; undefined when it is gone. */
async function holderOf(path: string): Promise<number | undefined> {
    const pid = Number(await readFile(path, "utf8").catch(() => ""));
    if (!Number.isInteger(pid) || pid <= 0) return undefined;
    try {
        process.kill(pid, 0);
        return pid;
    } catch (error) {
        return isCode(error, "EPERM") ? pid : undefined;
    }
}

function isCode(error: unknown, code: string): boolean {
    return error instanceof Error && "code" in error && error.code === code;
}
