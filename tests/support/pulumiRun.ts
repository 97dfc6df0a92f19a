/** One run of the real Pulumi CLI: a child process whose output is kept and that can be interrupted and killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { hasEnded } from "./processes.ts";

/** So long no run takes, however busy the machine is: compilers included. */
const hangsAfterMs = 600_000;

export interface RunResult {
    readonly command: readonly string[];
    /** Exit code; null when a signal ended it. */
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
    /** Both streams, in the order they came. */
    readonly output: string;
}

export class PulumiRun {
    readonly #child: ChildProcess;
    #stdout = "";
    #stderr = "";
    #output = "";
    /** Resolves when the CLI has ended, however it did; rejects only when it hangs or cannot be started. */
    readonly result: Promise<RunResult>;

    constructor(command: string, args: readonly string[], cwd: string, env: Record<string, string>) {
        // In a process group of its own, as a shell starts it.
        const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
        this.#child = child;
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
            this.#stdout += text;
            this.#output += text;
        });
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
            this.#stderr += text;
            this.#output += text;
        });
        this.result = this.#finish([command, ...args]);
        // Whoever awaits it learns of a failure; a test that fails earlier must not bring down the process.
        this.result.catch(() => {});
    }

    /** What it has printed so far. */
    get output(): string {
        return this.#output;
    }

    /** One Ctrl-C: a terminal sends it to the whole process group. */
    interrupt(): void {
        if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGINT");
    }

    /** A signal to the CLI alone, as a runner of CI jobs sends it. */
    signal(name: "SIGINT" | "SIGTERM"): void {
        this.#child.kill(name);
    }

    /** Stops the CLI where it is: it neither hears nor writes anything until it is killed. */
    freeze(): void {
        this.#child.kill("SIGSTOP");
    }

    /** `kill -9`: no goodbye. */
    kill(): void {
        this.#child.kill("SIGKILL");
    }

    get ended(): boolean {
        return hasEnded(this.#child);
    }

    async #finish(command: readonly string[]): Promise<RunResult> {
        let hung = false;
        const watchdog = setTimeout(() => {
            hung = true;
            this.kill();
        }, hangsAfterMs);
        // "exit" and not "close": a provider process that outlives a killed CLI holds the pipes open.
        const [code, signal] = (await once(this.#child, "exit").finally(() => clearTimeout(watchdog))) as [
            number | null,
            NodeJS.Signals | null,
        ];
        await this.#drained();
        const result = { command, code, signal, stdout: this.#stdout, stderr: this.#stderr, output: this.#output };
        if (hung) throw new Error(`${describe(result)}\nIt hung for ${hangsAfterMs / 1000} s.`);
        return result;
    }

    /** Everything the CLI wrote is read. Another process may hold the pipes: then, until nothing has come for half a second. */
    async #drained(): Promise<void> {
        const { stdout, stderr } = this.#child;
        const closed = new Promise((resolve) => this.#child.once("close", resolve));
        for (let before = -1; !(stdout?.closed && stderr?.closed) && this.#output.length > before; ) {
            before = this.#output.length;
            // What came while this process was not running is read before the second one.
            await Promise.race([closed, sleep(500).then(() => immediate())]);
        }
        stdout?.destroy();
        stderr?.destroy();
    }
}

export function describe(result: RunResult): string {
    return `${result.command.join(" ")} ended with ${result.signal ?? `code ${result.code}`} and said:\n${result.output}`;
}
