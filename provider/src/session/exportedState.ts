/**
 * Asks the CLI whether the stack's recorded state has an object. The engine shows a provider nothing of a resource that
 * `up --replace` names before it creates the new one, so a create that finds an open journal entry cannot tell that case from
 * a checkpoint that was lost. Only then is this asked, once per process. No answer (no CLI on the PATH, another organization's
 * stack) means "not known".
 */
import { execFile } from "node:child_process";
import type { RecordedState } from "../lifecycle";
import { parseUrn } from "../urn";

const timeoutMs = 30_000;
/** A state of a thousand resources has a few megabytes. */
const maxOutputBytes = 2 ** 30;

export class ExportedState implements RecordedState {
    readonly #variables: NodeJS.ProcessEnv;
    #text: Promise<string> | undefined;

    constructor(variables: NodeJS.ProcessEnv) {
        this.#variables = variables;
    }

    async has(marker: string, urn: string, signal: AbortSignal): Promise<boolean> {
        const stack = parseUrn(urn)?.stack;
        if (stack === undefined) return false;
        // One process serves one stack.
        this.#text ??= this.#export(stack, signal);
        return (await this.#text).includes(JSON.stringify(marker).slice(1, -1));
    }

    #export(stack: string, signal: AbortSignal): Promise<string> {
        const env = { ...this.#variables, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, signal, timeout: timeoutMs, maxBuffer: maxOutputBytes, windowsHide: true };
        return new Promise((resolve) => {
            execFile("pulumi", ["stack", "export", "--stack", stack, "--non-interactive"], options, (error, stdout) =>
                resolve(error === null ? stdout : ""),
            );
        });
    }
}
