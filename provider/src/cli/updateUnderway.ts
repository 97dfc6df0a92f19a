/** Whether a run of Pulumi is at the stack right now, as far as its backend tells. */
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { parseJson } from "./json";
import { pulumi } from "./pulumi";
import type { Shell } from "./shell";
import type { StackIdentity } from "./stackState";

const whoamiSchema = z.object({ url: z.string() });
const stacksSchema = z.array(z.object({ name: z.string(), updateInProgress: z.boolean().optional() }));
const lockSchema = z.object({ pid: z.number(), username: z.string(), hostname: z.string() });

/** What is at the stack; `undefined` when nothing is, or the backend does not tell: buckets keep their locks to themselves. */
export async function updateUnderway(shell: Shell, identity: StackIdentity): Promise<string | undefined> {
    const { data: backend } = whoamiSchema.safeParse(parseJson(await pulumi(shell, "whoami", "--json")));
    if (backend?.url.startsWith("file://")) return lockIn(folderOf(backend.url), identity);
    const { data: stacks = [] } = stacksSchema.safeParse(parseJson(await pulumi(shell, "stack", "ls", "--json")));
    // Of another owner's the name has more parts.
    const mine = stacks.filter(({ name }) => name.split("/").at(-1) === identity.stack);
    return mine.some(({ updateInProgress }) => updateInProgress) ? "an update is in progress" : undefined;
}

/** Locks are files; a killed run leaves its own. */
async function lockIn(backend: string, { project, stack }: StackIdentity): Promise<string | undefined> {
    const locks = join(backend, ".pulumi", "locks", "organization", project, stack);
    const files = await readdir(locks).catch(() => []);
    const [file] = files.filter((name) => name.endsWith(".json"));
    if (file === undefined) return undefined;
    const { data: lock } = lockSchema.safeParse(parseJson(await readFile(join(locks, file), "utf8").catch(() => "")));
    return lock === undefined
        ? "it is locked"
        : `it is locked by process ${lock.pid} of ${lock.username} on ${lock.hostname}`;
}

/** `file://~` is the home folder, and `file://./x` below the working one: neither is a URL that Node would take. */
function folderOf(url: string): string {
    const path = url.slice("file://".length);
    if (path.startsWith("~")) return join(homedir(), path.slice(1));
    return path.startsWith("/") ? fileURLToPath(url) : path;
}
