// Runs one command on many stacks by Pulumi's Automation API, some at a time, and reports on all of them together.
import { ConcurrentUpdateError, type EngineEvent, LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";

export interface RunOptions {
    readonly sideBySide: number;
    /** Release the lock of a run that was killed. */
    readonly cancel: boolean;
}

type Command = "preview" | "up" | "destroy";

/** Whether all went well. A stack that fails keeps no other from running; Ctrl-C starts no more, and waits for those that run. */
export async function runAll(command: Command, names: readonly string[], options: RunOptions): Promise<boolean> {
    const waiting: Stack[] = [];
    // One after the other: the CLI notes in one file which stack was selected last.
    for (const stackName of names) {
        waiting.push(await LocalWorkspace.createOrSelectStack({ stackName, workDir: __dirname }));
    }
    let interrupted = false;
    process.on("SIGINT", () => {
        // The CLIs get it from the terminal as well, and end in order.
        interrupted = true;
    });
    const failed: string[] = [];
    const lane = async () => {
        for (let next = waiting.shift(); next !== undefined; next = interrupted ? undefined : waiting.shift()) {
            if (!(await runOne(command, next, options))) failed.push(next.name);
        }
    };
    await Promise.all(Array.from({ length: Math.max(1, options.sideBySide) }, lane));
    const ended = names.length - waiting.length;
    console.log(
        `${ended} of ${names.length} stacks, ${failed.length} failed${failed.map((name) => ` ${name}`).join()}`,
    );
    if (failed.length + waiting.length > 0) console.error("Run the same command again: what is done stays done.");
    return failed.length + waiting.length === 0;
}

async function runOne(command: Command, stack: Stack, { cancel }: RunOptions): Promise<boolean> {
    const started = performance.now();
    const say = (text: string) => console.log(`${stack.name}: ${text.trim().replaceAll("\n", "\n  ")}`);
    const options = { onEvent: reporter(say), color: "never" as const };
    const attempt = async () => {
        if (command === "preview") return (await stack.preview(options)).changeSummary;
        return (await (command === "up" ? stack.up(options) : stack.destroy(options))).summary.resourceChanges;
    };
    try {
        const changes = await attempt().catch(async (error: unknown) => {
            if (!(cancel && error instanceof ConcurrentUpdateError)) throw error;
            await stack.cancel();
            return await attempt();
        });
        const { same: _, ...changed } = changes ?? {};
        const list = Object.entries(changed).map(([op, count]) => `${count} ${op}`);
        say(`${list.join(", ") || "nothing to do"} (${Math.round((performance.now() - started) / 1000)} s)`);
        return true;
    } catch (error) {
        const isLocked = error instanceof ConcurrentUpdateError;
        say(isLocked ? "failed: another run is under way, or a killed one has left its lock (--cancel)" : "failed");
        return false;
    }
}

/** Shows errors at once, and every five seconds how far the library is. */
function reporter(say: (text: string) => void): (event: EngineEvent) => void {
    let next = 0;
    const said = new Set<string>();
    return ({ diagnosticEvent: line }) => {
        // Without the engine's marks for colors.
        const text = (line?.message ?? "").replace(/<\{%.*?%\}>/g, "");
        const isDue = line?.ephemeral === true && /^[\d,]+\/[\d,]+ /.test(text) && performance.now() > next;
        if (isDue) next = performance.now() + 5_000;
        const isNew = line?.severity === "error" && !said.has(text);
        said.add(isNew ? text : "");
        if (isDue || isNew) say(text);
    };
}
