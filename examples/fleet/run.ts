// Runs one command on many stacks by Pulumi's Automation API, some at a time, and reports on all of them together.
import { ConcurrentUpdateError, type EngineEvent, LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";

export interface Share {
    readonly stack: string;
    readonly videos: number;
}

interface Selected extends Share {
    readonly selected: Stack;
}

export interface RunOptions {
    readonly sideBySide: number;
    /** Release the lock of a run that was killed. */
    readonly cancel: boolean;
}

type Command = "preview" | "up" | "destroy";

/** Creates the stacks that do not exist yet. One after the other: the CLI notes in one file which stack was selected last. */
export async function selectStacks(shares: readonly Share[], existing: ReadonlySet<string>): Promise<Selected[]> {
    const selected: Selected[] = [];
    for (const share of shares) {
        const args = { stackName: share.stack, workDir: __dirname };
        const stack = existing.has(share.stack) ? LocalWorkspace.selectStack(args) : LocalWorkspace.createStack(args);
        selected.push({ ...share, selected: await stack });
    }
    return selected;
}

/** Whether all went well. A stack that fails keeps no other from running; Ctrl-C starts no more, and waits for those that run. */
export async function runAll(command: Command, stacks: readonly Selected[], options: RunOptions): Promise<boolean> {
    const report = new Report(stacks);
    const waiting = [...stacks];
    let interrupted = false;
    const interrupt = () => {
        // The CLIs get it from the terminal as well, and end in order.
        interrupted = true;
    };
    process.on("SIGINT", interrupt);
    const lane = async () => {
        for (let next = waiting.shift(); next !== undefined && !interrupted; next = waiting.shift()) {
            await runOne(command, next, options, report);
        }
    };
    await Promise.all(Array.from({ length: Math.max(1, options.sideBySide) }, lane));
    process.off("SIGINT", interrupt);
    return report.end();
}

async function runOne(command: Command, share: Selected, { cancel }: RunOptions, report: Report): Promise<void> {
    const run = report.start(share);
    const stack = share.selected;
    const options = { onEvent: (event: EngineEvent) => run.event(event), color: "never" as const };
    const attempt = async () => {
        if (command === "preview") return (await stack.preview(options)).changeSummary;
        const result = command === "up" ? await stack.up(options) : await stack.destroy(options);
        return result.summary.resourceChanges;
    };
    try {
        const changes = await attempt().catch(async (error: unknown) => {
            if (!(cancel && error instanceof ConcurrentUpdateError)) throw error;
            await stack.cancel();
            return await attempt();
        });
        run.succeeded(changes ?? {});
    } catch (error) {
        run.failed(error);
    }
}

/** Progress over all stacks, and what failed. */
class Report {
    readonly #stacks: readonly Share[];
    readonly #runs: StackRun[] = [];
    readonly #timer: NodeJS.Timeout;
    #last = "";

    constructor(stacks: readonly Share[]) {
        this.#stacks = stacks;
        this.#timer = setInterval(() => this.#progress(), 5_000).unref();
    }

    start({ stack, videos }: Share): StackRun {
        const run = new StackRun(stack, videos, (line) => console.log(line));
        this.#runs.push(run);
        return run;
    }

    end(): boolean {
        clearInterval(this.#timer);
        this.#progress();
        const failed = this.#runs.filter(({ problems }) => problems.length > 0);
        for (const { stack, problems } of failed) {
            console.error(`\n${stack} failed:`);
            for (const problem of problems.slice(0, 10)) console.error(`  ${problem.replaceAll("\n", "\n  ")}`);
            if (problems.length > 10) console.error(`  and ${problems.length - 10} more`);
        }
        const left = this.#stacks.length - this.#runs.length;
        if (left > 0) console.error(`\n${left} of ${this.#stacks.length} stacks were not run.`);
        if (failed.length + left > 0) console.error("\nRun the same command again: what is done stays done.");
        return failed.length + left === 0;
    }

    #progress(): void {
        const number = (value: number) => value.toLocaleString("en-US");
        const ended = this.#runs.filter(({ ended }) => ended).length;
        const done = this.#runs.reduce((sum, { done }) => sum + done, 0);
        const all = this.#stacks.reduce((sum, { videos }) => sum + videos, 0);
        const failed = this.#runs.filter(({ problems }) => problems.length > 0).length;
        const line = `${ended} of ${this.#stacks.length} stacks, ${number(done)} of ${number(all)} videos, ${failed} failed`;
        if (line !== this.#last) console.log(line);
        this.#last = line;
    }
}

class StackRun {
    readonly stack: string;
    readonly problems: string[] = [];
    /** Videos that the engine is done with, whatever there was to do. */
    done = 0;
    ended = false;
    readonly #videos: number;
    readonly #say: (line: string) => void;
    readonly #started = performance.now();

    constructor(stack: string, videos: number, say: (line: string) => void) {
        this.stack = stack;
        this.#videos = videos;
        this.#say = say;
    }

    event({ resOutputsEvent, diagnosticEvent }: EngineEvent): void {
        const step = resOutputsEvent?.metadata;
        if (step?.type.endsWith(":Content") && step.op !== "delete" && this.done < this.#videos) {
            this.done += 1;
        }
        if (diagnosticEvent?.severity === "error") this.#problem(diagnosticEvent.message, diagnosticEvent.urn);
    }

    succeeded(changes: Readonly<Record<string, number>>): void {
        const { same: _, ...changed } = changes;
        const list = Object.entries(changed).map(([op, count]) => `${count} ${op}`);
        this.#end(list.length > 0 ? list.join(", ") : "nothing to do");
    }

    failed(error: unknown): void {
        if (error instanceof ConcurrentUpdateError) {
            this.#problem(
                "It is locked: another run is under way, or a killed one has left its lock (--cancel releases it).",
            );
        } else if (this.problems.length === 0) {
            this.#problem(error instanceof Error ? error.message : String(error));
        }
        this.#end("failed");
    }

    #end(what: string): void {
        this.ended = true;
        this.#say(`${this.stack}: ${what} (${Math.round((performance.now() - this.#started) / 1000)} s)`);
    }

    #problem(message: string, urn?: string): void {
        // The engine's marks for colors.
        const text = message.replace(/<\{%.*?%\}>/g, "").trim();
        const name = urn?.split("::").at(-1);
        const line = name === undefined || name === "" ? text : `${name}: ${text}`;
        if (text !== "" && !this.problems.includes(line)) this.problems.push(line);
    }
}
