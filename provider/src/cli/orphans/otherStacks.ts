/**
 * The states of all stacks of the backend. A marker names the stack that created an object; after `pulumi stack rename` and
 * `pulumi state move` another one owns it. So an object is an orphan only when no state has it.
 */
import * as z from "zod";
import { messages } from "../../messages";
import type { Listed } from "../account";
import { CommandError } from "../commandLine";
import { keyOf } from "../names";
import { PulumiError, pulumiJson } from "../pulumi";
import type { Shell } from "../shell";
import { exportedState } from "../stackState";

const stacksSchema = z.array(z.object({ name: z.string() }));

/** Each export is a process of the CLI. */
const exportsAtOnce = 2;

/** The stack that owns each object, by the object's key; objects that no stack owns are missing. */
export async function ownersOf(shell: Shell, objects: readonly Listed[]): Promise<ReadonlyMap<string, string>> {
    const owners = new Map<string, string>();
    if (objects.length === 0) return owners;
    const wanted = new Set(objects.map(keyOf));
    const names = await allStacks(shell);
    let started = 0;
    const readNext = async (): Promise<void> => {
        for (let name = names[started++]; name !== undefined; name = names[started++]) {
            shell.talk.progress(`Reading the state of stack ${Math.min(started, names.length)} of ${names.length}`);
            for (const recorded of (await stateOf(shell, name)).resources) {
                if (!recorded.external && wanted.has(keyOf(recorded))) owners.set(keyOf(recorded), name);
            }
        }
    };
    await Promise.all(Array.from({ length: exportsAtOnce }, readNext));
    return owners;
}

async function allStacks(shell: Shell): Promise<string[]> {
    const stacks = await pulumiJson(shell, stacksSchema, "a list of stacks", "stack", "ls", "--all", "--json");
    return stacks.map(({ name }) => name);
}

async function stateOf(shell: Shell, name: string) {
    try {
        return await exportedState(shell, name);
    } catch (error) {
        if (!(error instanceof PulumiError)) throw error;
        throw new CommandError(messages.stackUnreadable({ stack: name, error: error.message }));
    }
}
