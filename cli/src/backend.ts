/** The backend behind the Pulumi CLI: its other stacks, and whether a run of Pulumi is using a stack. Nothing is changed. */

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import * as z from "zod";
import { messages } from "#provider/messages/index";
import { keyOf } from "./account";
import { CommandError } from "./commandLine";
import { pulumiJson } from "./pulumi";
import type { Shell } from "./shell";
import { exportedState, type StackIdentity } from "./state";

const stacksSchema = z.array(z.object({ name: z.string(), updateInProgress: z.boolean().optional() }));
const whoamiSchema = z.object({ url: z.string() });

/** Which stack of the backend manages each object, by the object's key. A stack whose state cannot be read is named. */
export async function managers(shell: Shell): Promise<ReadonlyMap<string, { stack: string; resource: string }>> {
    const found = new Map<string, { stack: string; resource: string }>();
    const stacks = await stacksOf(shell);
    let count = 0;
    const readState = async ({ name: stack }: { name: string }) => {
        shell.terminal.progress(`Reading the states of the backend's stacks: ${++count} of ${stacks.length}`);
        try {
            for (const recorded of (await exportedState(shell, stack)).resources) {
                if (!recorded.external) found.set(keyOf(recorded), { stack, resource: recorded.name });
            }
        } catch (error) {
            if (!(error instanceof CommandError)) throw error;
            shell.terminal.warn(messages.stackUnreadable({ stack, error: error.message }));
        }
    };
    // Each export is a process of the CLI.
    await Readable.from(stacks).forEach(readState, { concurrency: 2 });
    return found;
}

function stacksOf(shell: Shell) {
    return pulumiJson(shell, stacksSchema, "a list of stacks", "stack", "ls", "--all", "--json");
}

/** `used`: a run holds the stack's lock. `unknown`: the lock cannot be read. The text says how or why. */
export type Use = { readonly is: "free" } | { readonly is: "used" | "unknown"; readonly text: string };

export async function useOf(shell: Shell, identity: StackIdentity): Promise<Use> {
    const { url } = await pulumiJson(shell, whoamiSchema, "the backend", "whoami", "--json");
    if (url.startsWith("file://")) return useOfFolder(folderOf(url, shell), url, identity);
    if (!/^https?:/.test(url)) return { is: "unknown", text: `no visible locks in the backend ${withoutQuery(url)}` };
    // The names of other owners' stacks have more parts.
    const mine = (await stacksOf(shell)).filter(({ name }) => name.split("/").at(-1) === identity.stack);
    if (mine.length === 0) return { is: "unknown", text: `no stack ${identity.stack} in the backend's list` };
    const isUsed = mine.some(({ updateInProgress }) => updateInProgress);
    return isUsed ? { is: "used", text: "an update in progress" } : { is: "free" };
}

/**
 * Locks are files, which killed runs leave behind. A missing lock counts only where the stack's own state is found as well.
 */
async function useOfFolder(folder: string, url: string, { project, stack }: StackIdentity): Promise<Use> {
    const state = join(folder, ".pulumi", "stacks", project, `${stack}.json`);
    if (![state, `${state}.gz`].some((path) => existsSync(path)))
        return { is: "unknown", text: `no state of the stack in ${folder}, ${withoutQuery(url)}` };
    const locks = join(folder, ".pulumi", "locks", "organization", project, stack);
    const files = await readdir(locks).catch((error) => (error.code === "ENOENT" ? [] : undefined));
    if (files === undefined) return { is: "unknown", text: `unreadable locks in ${locks}` };
    const lock = files.find((name) => name.endsWith(".json"));
    return lock === undefined ? { is: "free" } : { is: "used", text: `locked by ${join(locks, lock)}` };
}

/** As the CLI reads such a URL: `~` is the user's folder, whatever $HOME says, and other paths are relative to the working one. */
function folderOf(url: string, { cwd }: Shell): string {
    const path = decodeURI(withoutQuery(url).slice("file://".length));
    return resolve(cwd, /^~(?=$|[/\\])/.test(path) ? join(userInfo().homedir, path.slice(1)) : path);
}

function withoutQuery(url: string): string {
    return url.split("?", 1)[0] ?? "";
}
