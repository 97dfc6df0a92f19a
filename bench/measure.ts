/** One variant with one number of contents, once: a stack from its first `up` to its `destroy`, and what it cost. */
import { createRequire } from "node:module";
import type { PulumiCli } from "../tools/pulumiCli/index.ts";
import { type Cost, Project, type Role, type Run, type State } from "./project.ts";
import type { Observation, Service } from "./service.ts";
import { type Summary, summary } from "./statistics.ts";
import type { Variant } from "./variants.ts";

type Operation = "up" | "preview" | "upAgain" | "refresh" | "destroy";

export interface Measurement {
    /** Wall time of the CLI, in ms. */
    readonly times: Readonly<Record<Operation, number>>;
    /** Requests per content. */
    readonly requests: Readonly<Record<Operation, number>>;
    /** From a content's Ready to the first answer that says so, in ms. */
    readonly noticed: Summary | undefined;
    /** From the last Ready to the end of the first `up`, in ms. */
    readonly afterLastReady: number | undefined;
    /** Bytes per content: beyond the user's inputs and the engine's own record, and of the state's file. */
    readonly state: { readonly beyond: number; readonly file: number };
    /** Of the first `up`. */
    readonly costs: { readonly [role in Role | "emulator"]?: Cost };
}

interface Conditions {
    readonly cli: PulumiCli;
    readonly service: Service;
    readonly env: Readonly<Record<string, string>>;
    /** The longest that a content takes. */
    readonly processingMs: number;
}

const { argsOf } = createRequire(import.meta.url)("./programs/videos.js") as {
    argsOf(number: number): Readonly<Record<string, unknown>>;
};

export async function measure(variant: Variant, count: number, conditions: Conditions): Promise<Measurement> {
    const { cli, service, env, processingMs } = conditions;
    await using project = await Project.create(cli, variant.program, {
        ...service.env,
        BENCH_COUNT: String(count),
        BENCH_PAUSE: String(variant.pauses ? processingMs : 0),
        BENCH_OUTPUTS: variant.outputs ? "yes" : "",
        ...env,
    });
    const parallel = variant.parallel ? ["--parallel", String(count)] : [];
    await service.reset();
    const runs: Partial<Record<Operation, Run & { requests: number }>> = {};
    const run = async (operation: Operation, ...args: string[]) => {
        const before = (await service.observe()).requests;
        const ended = await project.run(...args, ...parallel);
        const observation = await service.observe();
        runs[operation] = { ...ended, requests: (observation.requests - before) / count };
        return { ...ended, observation };
    };
    const first = await run("up", "up", "--yes", "--skip-preview");
    const state = await project.state();
    await run("preview", "preview", "--expect-no-changes");
    await run("upAgain", "up", "--yes", "--skip-preview", "--expect-no-changes");
    await run("refresh", "refresh", "--yes", "--skip-preview");
    await run("destroy", "destroy", "--yes", "--skip-preview");
    const of = (value: (run: Run & { requests: number }) => number) =>
        Object.fromEntries(Object.entries(runs).map(([name, one]) => [name, value(one)])) as Record<Operation, number>;
    const { observation } = first;
    const ready = observation.contents.map((content) => content.ready);
    return {
        times: of(({ time }) => time),
        requests: of(({ requests }) => requests),
        noticed: summary(noticedAfter(variant, count, observation)),
        afterLastReady: ready.length === 0 ? undefined : first.started + first.time - Math.max(...ready),
        state: sizeOf(state, count),
        costs: { ...first.costs, ...(ready.length > 0 && { emulator: { memory: 0, cpu: observation.cpu } }) },
    };
}

function noticedAfter({ title, waits }: Variant, count: number, { contents, lastCreate = 0 }: Observation): number[] {
    const shown = contents.filter((content) => content.shown !== undefined).length;
    if (waits !== "none" && (contents.length !== count || shown !== count)) {
        throw new Error(`${title}: of ${count} contents ${contents.length} were created, ${shown} were seen Ready.`);
    }
    // A wait for all of them begins when the last one is created.
    const from = waits === "each" ? 0 : lastCreate;
    return contents.flatMap((content) =>
        content.shown === undefined ? [] : [content.shown - Math.max(content.ready, from)],
    );
}

/**
 * What a content costs in state beyond what cannot be avoided. The engine's own record of a resource is what stands
 * outside `inputs` and `outputs`; of these two everything counts but one copy of the user's own inputs.
 */
function sizeOf({ resources, bytes }: State, count: number): Measurement["state"] {
    const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? {}));
    const properties = resources
        .filter(({ type }) => /^(pulumi-nodejs:dynamic|videograph:index|floor:index)\b/.test(type))
        .reduce((sum, { inputs, outputs }) => sum + size(inputs) + size(outputs), 0);
    const own = Array.from({ length: count }, (_, number) => size(argsOf(number))).reduce((sum, one) => sum + one, 0);
    return { beyond: (properties - own) / count, file: bytes / count };
}
