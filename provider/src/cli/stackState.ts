/** Which objects the state of a stack knows, read from what `pulumi stack export` prints. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { typeOf } from "../kinds";
import type { Kind } from "./account";
import { CommandError } from "./commandLine";
import { keyOf } from "./names";
import { findProject } from "./project";
import { PulumiError, pulumi } from "./pulumi";
import type { Shell } from "./shell";

const resource = z.object({
    urn: z.string(),
    type: z.string().optional(),
    id: z.string().optional(),
    external: z.boolean().optional(),
});
const deployment = z.object({
    resources: z.array(resource).nullish(),
    pending_operations: z.array(z.object({ type: z.string().optional(), resource })).nullish(),
});
type Deployment = z.infer<typeof deployment>;
const exportSchema = z.object({ deployment: deployment.nullish() });

export interface StackState {
    /** The name of the resource that manages the object, by the object's key. */
    readonly managed: ReadonlyMap<string, string>;
    /** The same of resources that only read the object, as `Content.get` makes them. */
    readonly referenced: ReadonlyMap<string, string>;
    /** The names of all resources of this package. */
    readonly names: ReadonlySet<string>;
    /** The names of resources whose creation began and was not recorded as ended. */
    readonly creating: ReadonlySet<string>;
    /** Whose state it is; `undefined` when it has no resource that would tell. */
    readonly identity: StackIdentity | undefined;
}

/** The two names that a mark has. */
export interface StackIdentity {
    readonly project: string;
    readonly stack: string;
}

/** Reads the state of a stack by the Pulumi CLI; of the selected one by default. */
export async function exportedState(shell: Shell, stack: string | undefined): Promise<StackState> {
    const args = ["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])];
    return parseState(await pulumi(shell, ...args), `what \`pulumi ${args.join(" ")}\` printed`);
}

/** Reads a file that `pulumi stack export` wrote. */
export async function stateInFile(shell: Shell, path: string): Promise<StackState> {
    let text: string;
    try {
        text = await readFile(resolve(shell.cwd, path), "utf8");
    } catch (error) {
        throw new CommandError(`The state cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    }
    return parseState(text, path);
}

/**
 * The state of the stack at hand, for a command that can do without: outside of a project there is no such stack.
 */
export async function stateAtHand(shell: Shell, stack: string | undefined): Promise<StackState> {
    if (stack === undefined && findProject(shell.cwd) === undefined) return stateOf({});
    try {
        return await exportedState(shell, stack);
    } catch (error) {
        if (stack !== undefined || !(error instanceof PulumiError)) throw error;
        shell.talk.warn(`What the stack has already is not known: ${error.message}`);
        return stateOf({});
    }
}

function parseState(text: string, what: string): StackState {
    const parsed = exportSchema.safeParse(parse(text));
    if (!parsed.success) {
        throw new CommandError(`${what} is no state of a stack. Give what \`pulumi stack export\` writes.`);
    }
    return stateOf(parsed.data.deployment ?? {});
}

function stateOf({ resources, pending_operations }: Deployment): StackState {
    const mine = (resources ?? []).flatMap(({ type = "", id, urn, external = false }) => {
        const kind = kindOf(type);
        return kind === undefined ? [] : [{ key: keyOf({ kind, id: id ?? "" }), name: nameOf(urn), external }];
    });
    const byKey = (external: boolean) =>
        new Map(mine.filter((one) => one.external === external).map(({ key, name }) => [key, name]));
    return {
        managed: byKey(false),
        referenced: byKey(true),
        names: new Set(mine.map(({ name }) => name)),
        creating: new Set(
            (pending_operations ?? [])
                .filter(({ type }) => type === "creating")
                .map(({ resource: { urn } }) => nameOf(urn)),
        ),
        identity: (resources ?? []).map(({ urn }) => identityOf(urn)).find((identity) => identity !== undefined),
    };
}

/** Only kinds that have an object on the service. */
function kindOf(type: string): Kind | undefined {
    return (["Content", "Livestream"] as const).find((kind) => typeOf(kind) === type);
}

/** `urn:pulumi:<stack>::<project>::<types>::<name>`; a name may contain the separator. */
function nameOf(urn: string): string {
    return urn.split("::").slice(3).join("::");
}

function identityOf(urn: string): StackIdentity | undefined {
    const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
    return stack === undefined || project === undefined ? undefined : { project, stack };
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
