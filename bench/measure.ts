/** One variant with one number of contents, once: a stack from its first `up` to its `destroy`, and what it cost. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { PulumiCli } from "../tools/pulumiCli/index.ts";
import type { Cost, Role } from "./processes.ts";
import { Project, type Run, type State } from "./project.ts";
import type { Observation, Service } from "./service.ts";
import { type Summary, summary } from "./statistics.ts";
import type { Variant } from "./variants.ts";

export const operations = ["up", "preview", "upAgain", "refresh", "destroy"] as const;
export type OperationName = (typeof operations)[number];

/** All times are in ms. */
export interface Measurement {
    /** Wall time of the CLI. */
    readonly times: Readonly<Record<OperationName, number>>;
    /** Requests per content. */
    readonly requests: Readonly<Record<OperationName, number>>;
    /** From a content's Ready to the first answer that says so. */
    readonly shown: Summary | undefined;
    /** From a content's Ready to the program's knowledge that its resource is complete; where each create waits. */
    readonly told: Summary | undefined;
    /** From the last Ready to the end of the first `up`. */
    readonly afterLastReady: number | undefined;
    readonly state: StateSize;
    /** Of the first `up`. */
    readonly costs: { readonly [role in Role | "service"]?: Cost };
    /** Of the first `up`, since its start. */
    readonly timeline: Timeline;
}

/** Bytes per content. */
export interface StateSize {
    /** Beyond the user's inputs and the engine's own record. */
    readonly beyond: number;
    /** Of the state's file. */
    readonly file: number;
}

export interface Timeline {
    /** The program's process began. */
    readonly program: number;
    /** It had loaded the SDK and the package. */
    readonly loaded: number;
    /** It had declared everything. */
    readonly declared: number;
    readonly firstRequest: number | undefined;
    readonly lastCreate: number | undefined;
    readonly lastReady: number | undefined;
}

/** What a program writes when it ends: see programs/videos.js. */
interface Moments {
    readonly started: number;
    readonly loaded: number;
    readonly declared: number;
    readonly told: Readonly<Record<string, number>>;
}

export interface Conditions {
    readonly cli: PulumiCli;
    readonly service: Service;
    readonly env: Readonly<Record<string, string>>;
    readonly profile: string | undefined;
    /** How long contents take, in ms. */
    readonly processing: readonly [from: number, to: number];
}

const { argsOf } = createRequire(import.meta.url)("./programs/videos.js") as {
    argsOf(number: number): Readonly<Record<string, unknown>>;
};

export async function measure(variant: Variant, count: number, conditions: Conditions): Promise<Measurement> {
    const { cli, service, env, profile, processing } = conditions;
    const pause = variant.pauses ? processing[1] : 0;
    const common = { ...service.env, BENCH_COUNT: String(count), BENCH_PAUSE: String(pause), ...env };
    await using project = await Project.create(cli, variant.program, common);
    const momentsFile = join(project.folder, "moments.json");
    const firstOnly = {
        BENCH_MOMENTS: momentsFile,
        ...(profile !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(profile, variant.name)}` }),
    };
    const args = variant.args(count);
    /** Runs the CLI and counts what it makes the service see. */
    const observed = async (run: () => Promise<Run>) => {
        const before = total(await service.observe());
        const { time } = await run();
        return { time, requests: (total(await service.observe()) - before) / count };
    };

    await service.reset();
    const first = await project.runWith(firstOnly, "up", "--yes", "--skip-preview", ...args);
    const observation = await service.observe();
    const moments = JSON.parse(await readFile(momentsFile, "utf8")) as Moments;
    const state = await project.state();
    const preview = await observed(() => project.run("preview", "--expect-no-changes", ...args));
    const upAgain = await observed(() => project.run("up", "--yes", "--skip-preview", "--expect-no-changes", ...args));
    const refresh = await observed(() => project.run("refresh", "--yes", "--skip-preview", ...args));
    const destroy = await observed(() => project.run("destroy", "--yes", "--skip-preview", ...args));

    const { contents } = observation;
    const missing = variant.service ? contents.filter(({ shown }) => shown === undefined).length : 0;
    if (missing > 0 || (variant.service && contents.length !== count)) {
        throw new Error(
            `${variant.name}: of ${count} contents ${contents.length} were made, ${missing} not seen Ready`,
        );
    }
    // Whoever waits for all of them can begin when the last one is created.
    const waitFrom = variant.eachWaits ? 0 : (observation.lastCreate ?? 0);
    const lastReady = latest(contents.map(({ ready }) => ready));
    const since = (moment: number | undefined) => (moment === undefined ? undefined : moment - first.started);
    return {
        times: {
            up: first.time,
            preview: preview.time,
            upAgain: upAgain.time,
            refresh: refresh.time,
            destroy: destroy.time,
        },
        requests: {
            up: total(observation) / count,
            preview: preview.requests,
            upAgain: upAgain.requests,
            refresh: refresh.requests,
            destroy: destroy.requests,
        },
        shown: summary(
            contents.flatMap(({ ready, shown }) => (shown === undefined ? [] : [shown - Math.max(ready, waitFrom)])),
        ),
        told: variant.service && variant.eachWaits ? summary(toldAfterReady(observation, moments)) : undefined,
        afterLastReady: lastReady === undefined ? undefined : first.started + first.time - lastReady,
        state: sizeOf(state, count),
        costs: { ...first.costs, ...(variant.service && { service: { memory: 0, cpu: observation.cpu } }) },
        timeline: {
            program: moments.started - first.started,
            loaded: moments.loaded - first.started,
            declared: moments.declared - first.started,
            firstRequest: since(observation.first),
            lastCreate: since(observation.lastCreate),
            lastReady: since(lastReady),
        },
    };
}

function total({ requests }: Observation): number {
    return Object.values(requests).reduce((sum, number) => sum + number, 0);
}

function toldAfterReady({ contents }: Observation, { told }: Moments): number[] {
    return contents.map(({ title, ready }) => {
        const moment = told[title.toLowerCase().replace(" ", "-")];
        if (moment === undefined) throw new Error(`The program was not told that ${title} is complete`);
        return moment - ready;
    });
}

/**
 * What a content costs in state beyond what cannot be avoided. The engine's own record of a resource (URN, type, id,
 * provider…) is what stands outside `inputs` and `outputs`; of these two everything counts but one copy of the user's
 * own inputs, so also the copy in the outputs, the provider's text and a ContentReadiness.
 */
function sizeOf({ resources, bytes }: State, count: number): StateSize {
    const properties = resources
        .filter(({ type }) => /^(pulumi-nodejs:dynamic|videograph:index|floor:index)\b/.test(type))
        .reduce((sum, { inputs, outputs }) => sum + jsonBytes(inputs) + jsonBytes(outputs), 0);
    const own = Array.from({ length: count }, (_, number) => jsonBytes(argsOf(number))).reduce((sum, n) => sum + n, 0);
    return { beyond: (properties - own) / count, file: bytes / count };
}

/** Bytes of its JSON without white space; the file may have some. */
function jsonBytes(value: unknown): number {
    return Buffer.byteLength(JSON.stringify(value ?? {}));
}

function latest(moments: readonly number[]): number | undefined {
    return moments.length === 0 ? undefined : moments.reduce((a, b) => Math.max(a, b));
}
