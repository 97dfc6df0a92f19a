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

/** Moments are ms since the epoch, by the machine's clock, which all processes share. */
export interface ObservedContent {
    readonly title: string;
    /** When its create was accepted. */
    readonly accepted: number;
    /** When it became Ready. */
    readonly ready: number;
    /** When the first answer left that said so; undefined when none did. */
    readonly shown: number | undefined;
}

/** What the service saw since the last reset. */
export interface Observation {
    readonly contents: readonly ObservedContent[];
    /** Requests by kind. */
    readonly requests: Readonly<Record<RequestKind, number>>;
    /** When the first request arrived. */
    readonly first: number | undefined;
    /** When the last create arrived. */
    readonly lastCreate: number | undefined;
    /** The process's CPU time, in seconds. */
    readonly cpu: number;
}

export type RequestKind = "create" | "get" | "list" | "update" | "delete";

/** What this process and the service's say to each other. */
export type Question = "observe" | "reset";
export type Answer = { env: Record<string, string> } | { observation: Observation } | { done: true };

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
        const answer = await answerOf(child);
        if (!("env" in answer)) throw new Error("The emulator's process did not begin with its address");
        return new Service(child, answer.env);
    }

    async observe(): Promise<Observation> {
        const answer = await this.#ask("observe");
        if (!("observation" in answer)) throw new Error("The emulator's process answered something else");
        return answer.observation;
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

    async #ask(question: Question): Promise<Answer> {
        const answer = answerOf(this.#child);
        this.#child.send(question);
        return await answer;
    }
}

/** The next message; an error when the process ends instead. */
async function answerOf(child: ChildProcess): Promise<Answer> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
        const ended = once(child, "exit", { signal }).then(([code]) => {
            throw new Error(`The emulator's process ended with code ${code}`);
        });
        const [message] = await Promise.race([once(child, "message", { signal }), ended]);
        return message as Answer;
    } finally {
        waiting.abort();
    }
}
