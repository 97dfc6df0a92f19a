/**
 * Asks the CLI whether the stack's recorded state has an object. The engine shows a provider nothing of a resource that
 * `up --replace` names before it creates the new one, so a create that finds an open journal entry cannot tell that case from
 * a checkpoint that was lost, nor from an object that was moved to another stack. Nor can a `destroy` tell which creates of
 * killed runs the state has. Only then is this asked, once per process and stack. No answer (no CLI on the PATH, another
 * organization's stack) means "not known".
 */
import { execFile } from "node:child_process";
import type { RecordedState } from "../lifecycle";
import { randomPart } from "../lifecycle/create/marker";
import { parseUrn } from "../urn";

const timeoutMs = 30_000;
/** A state of a thousand resources has a few megabytes. */
const maxOutputBytes = 2 ** 30;

export class ExportedState implements RecordedState {
    readonly #variables: NodeJS.ProcessEnv;
    /** Of each stack that was asked for, by name; `undefined` where the CLI failed. */
    readonly #texts = new Map<string, Promise<string | undefined>>();
    #names: Promise<string[]> | undefined;

    constructor(variables: NodeJS.ProcessEnv) {
        this.#variables = variables;
    }

    async has(
        marker: string,
        urn: string,
        { anyStack, signal }: { anyStack: boolean; signal: AbortSignal },
    ): Promise<boolean | undefined> {
        const stack = parseUrn(urn)?.stack;
        if (stack === undefined) return undefined;
        // The name in it may be another by now.
        const text = `:${randomPart(marker)}`;
        const isHere = (await this.#export(stack, signal))?.includes(text);
        if (isHere === true || !anyStack) return isHere;
        // `state move` may have given the object to another stack.
        this.#names ??= this.#stacks(signal);
        for (const name of await this.#names) {
            if (name !== stack && (await this.#export(name, signal))?.includes(text)) return true;
        }
        return isHere;
    }

    #export(stack: string, signal: AbortSignal): Promise<string | undefined> {
        const known = this.#texts.get(stack);
        if (known !== undefined) return known;
        const text = this.#pulumi(["stack", "export", "--stack", stack], signal);
        this.#texts.set(stack, text);
        return text;
    }

    async #stacks(signal: AbortSignal): Promise<string[]> {
        try {
            const stacks = JSON.parse((await this.#pulumi(["stack", "ls", "--json"], signal)) ?? "[]");
            return (stacks as { name: string }[]).map(({ name }) => name);
        } catch {
            return [];
        }
    }

    /** What the CLI prints; `undefined` when it fails. */
    #pulumi(args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
        const env = { ...this.#variables, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, signal, timeout: timeoutMs, maxBuffer: maxOutputBytes, windowsHide: true };
        return new Promise((resolve) => {
            execFile("pulumi", [...args, "--non-interactive"], options, (error, stdout) =>
                resolve(error === null ? stdout : undefined),
            );
        });
    }
}
