/** The emulated service in a process of its own, so that its work is not counted as anybody else's. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface ServiceOptions {
    /** How long contents take to become Ready, in ms: evenly spread between these two. */
    readonly processing: readonly [from: number, to: number];
    /** How much later every answer comes, in ms. */
    readonly latency: number;
}

/** What the service saw since the last reset. Moments are ms since the epoch, by the machine's clock. */
export interface Observation {
    /** When each became Ready, and when the first answer left that said so. */
    readonly contents: readonly { readonly ready: number; readonly shown: number | undefined }[];
    readonly requests: number;
    /** When the last create arrived. */
    readonly lastCreate: number | undefined;
    /** The process's CPU time, in seconds. */
    readonly cpu: number;
}

export class Service implements AsyncDisposable {
    readonly #child: ChildProcess;
    /** The variables that point the provider at it. */
    readonly env: Readonly<Record<string, string>>;

    private constructor(child: ChildProcess, env: Record<string, string>) {
        this.#child = child;
        this.env = env;
    }

    static async start(options: ServiceOptions): Promise<Service> {
        const child = fork(join(import.meta.dirname, "serviceProcess.ts"), [JSON.stringify(options)], { execArgv: [] });
        return new Service(child, (await answerOf(child)) as Record<string, string>);
    }

    async observe(): Promise<Observation> {
        return (await this.#ask("observe")) as Observation;
    }

    /** Forgets all contents and requests. */
    async reset(): Promise<void> {
        await this.#ask("reset");
    }

    async [Symbol.asyncDispose](): Promise<void> {
        if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
        const ended = once(this.#child, "exit");
        // Its side ends when this one hangs up.
        this.#child.disconnect();
        await ended;
    }

    async #ask(question: "observe" | "reset"): Promise<unknown> {
        const answer = answerOf(this.#child);
        this.#child.send(question);
        return await answer;
    }
}

/** The next message; an error when the process ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
        const ended = once(child, "exit", { signal }).then(([code]) => {
            throw new Error(`The emulator's process ended with code ${code}`);
        });
        return (await Promise.race([once(child, "message", { signal }), ended]))[0];
    } finally {
        waiting.abort();
    }
}
