/**
 * Asks the CLI whether the stack's recorded state has an object. The engine shows a provider nothing of a resource that
 * `up --replace` names before it creates the new one, so a create that finds an open journal entry cannot tell that case from
 * a checkpoint that was lost, nor from an object that was moved to another stack. Nor can a `destroy` tell which creates of
 * killed runs the state has. Only then is this asked, once per process and stack. No answer (no CLI on the PATH) means "not
 * known".
 */
import { execFile } from "node:child_process";
import type { RecordedQuery, RecordedState } from "../lifecycle";
import { randomPart } from "../lifecycle/create/marker";
import { parseUrn } from "../urn";

const timeoutMs = 30_000;
/** The only organization of a self-managed backend. Those of older CLIs do not know it in a stack's name. */
const selfManaged = "organization";
/** A state of a thousand resources has a few megabytes. */
const maxOutputBytes = 2 ** 30;

/** Runs the CLI, and gives what it prints; `undefined` when it fails. */
export type PulumiCommand = (args: readonly string[], signal: AbortSignal) => Promise<string | undefined>;

export class ExportedState implements RecordedState {
    readonly #pulumi: PulumiCommand;
    /** The recorded resources of each stack that was asked for, as JSON by the stack's name; `undefined` where the CLI failed. */
    readonly #resources = new Map<string, Promise<string | undefined>>();
    #names: Promise<string[]> | undefined;

    constructor(pulumi: PulumiCommand) {
        this.#pulumi = pulumi;
    }

    async has(
        marker: string,
        urn: string,
        { anyStack, organization, signal }: RecordedQuery,
    ): Promise<boolean | undefined> {
        const { project, stack: name } = parseUrn(urn) ?? {};
        if (name === undefined) return undefined;
        const isNamed = organization === undefined || organization === selfManaged;
        const stack = isNamed ? name : `${organization}/${project}/${name}`;
        // The name in it may be another by now.
        const text = `:${randomPart(marker)}`;
        const isHere = (await this.#resourcesOf(stack, signal))?.includes(text);
        if (isHere === true || !anyStack) return isHere;
        // `state move` may have given the object to another stack.
        this.#names ??= this.#stacks(signal);
        for (const name of await this.#names) {
            if ((await this.#resourcesOf(name, signal))?.includes(text)) return true;
        }
        return isHere;
    }

    #resourcesOf(stack: string, signal: AbortSignal): Promise<string | undefined> {
        const known = this.#resources.get(stack);
        if (known !== undefined) return known;
        const resources = this.#pulumi(["stack", "export", "--stack", stack], signal).then(recordedResources);
        this.#resources.set(stack, resources);
        return resources;
    }

    async #stacks(signal: AbortSignal): Promise<string[]> {
        try {
            const stacks = JSON.parse((await this.#pulumi(["stack", "ls", "--json"], signal)) ?? "[]");
            return (stacks as { name: string }[]).map(({ name }) => name);
        } catch {
            return [];
        }
    }
}

/**
 * Without the pending operations: a create that the provider had answered when the engine was killed may be among them, with
 * all its outputs, and the engine creates its resource again.
 */
function recordedResources(exported: string | undefined): string | undefined {
    if (exported === undefined) return undefined;
    try {
        return JSON.stringify(JSON.parse(exported).deployment?.resources ?? []);
    } catch {
        return undefined;
    }
}

/** The CLI on the PATH. */
export function pulumiOf(variables: NodeJS.ProcessEnv): PulumiCommand {
    const env = { ...variables, PULUMI_SKIP_UPDATE_CHECK: "true" };
    return (args, signal) => {
        const options = { env, signal, timeout: timeoutMs, maxBuffer: maxOutputBytes, windowsHide: true };
        return new Promise((resolve) => {
            execFile("pulumi", [...args, "--non-interactive"], options, (error, stdout) =>
                resolve(error === null ? stdout : undefined),
            );
        });
    };
}
