/**
 * Asks the CLI whether the stack's recorded state has an object. The engine shows a provider nothing of a resource that
 * `up --replace` names before it creates the new one, so a create that finds an open journal entry cannot tell that case from
 * a checkpoint that was lost, nor from an object that was moved to another stack. Nor can a `destroy` tell which creates of
 * killed runs the state has. Only then is this asked, once per process and stack. No answer (no CLI on the PATH) means "not
 * known".
 */
import { execFile } from "node:child_process";
import type { RecordedQuery, RecordedState, StackQuery } from "../lifecycle";
import { randomPart } from "../lifecycle/create/marker";
import { parseUrn } from "../urn";

const timeoutMs = 30_000;
/** The only organization of a self-managed backend. Those of older CLIs do not know it in a stack's name. */
const selfManaged = "organization";
/** A state of a thousand resources has a few megabytes. */
const maxOutputBytes = 2 ** 30;

/** How far this machine's clock and that of the backend may be apart. */
const clockMarginMs = 3_600_000;
/** So many stacks of other projects are asked: each takes a run of the CLI. */
const maxOthers = 20;

/** The last runs of a stack that are looked at. */
const maxRuns = 100;
/** Times of runs are cut to the second. */
const secondMs = 1_000;

/** A run as the stack's history has it. */
interface Run {
    startTime?: string;
    endTime?: string;
    result?: string;
}

interface StackName {
    name: string;
    /** When it was last written; some backends do not say it. */
    lastUpdate?: string;
}

/** Runs the CLI, and gives what it prints; `undefined` when it fails. */
export type PulumiCommand = (args: readonly string[], signal: AbortSignal) => Promise<string | undefined>;

export class ExportedState implements RecordedState {
    readonly #pulumi: PulumiCommand;
    /** The recorded resources of each stack that was asked for, as JSON by the stack's name; `undefined` where the CLI failed. */
    readonly #resources = new Map<string, Promise<string | undefined>>();
    readonly #runs = new Map<string, Promise<Run[]>>();
    #ofProject: Promise<StackName[]> | undefined;
    #ofBackend: Promise<StackName[]> | undefined;

    constructor(pulumi: PulumiCommand) {
        this.#pulumi = pulumi;
    }

    async has(
        marker: string,
        urn: string,
        { anyStack, organization, since, signal }: RecordedQuery,
    ): Promise<boolean | undefined> {
        const stack = stackOf(urn, organization);
        if (stack === undefined) return undefined;
        // The name in it may be another by now.
        const text = `:${randomPart(marker)}`;
        const isHere = (await this.#resourcesOf(stack, signal))?.includes(text);
        if (isHere === true || !anyStack) return isHere;
        // `state move` may have given the object to another stack, also to one of another project.
        this.#ofProject ??= this.#stacks([], signal);
        const ofProject = await this.#ofProject;
        if (await this.#isIn(ofProject, text, signal)) return true;
        this.#ofBackend ??= this.#stacks(["--all"], signal);
        const known = new Set(ofProject.map(({ name }) => name));
        const others = (await this.#ofBackend).filter(({ name }) => !known.has(name));
        return (await this.#isIn(writtenSince(since, others), text, signal)) || isHere;
    }

    async #isIn(stacks: readonly StackName[], text: string, signal: AbortSignal): Promise<boolean> {
        for (const { name } of stacks) {
            if ((await this.#resourcesOf(name, signal))?.includes(text)) return true;
        }
        return false;
    }

    async #stacks(which: readonly string[], signal: AbortSignal): Promise<StackName[]> {
        return listIn(await this.#pulumi(["stack", "ls", ...which, "--json"], signal));
    }

    async succeeded(time: number, urn: string, { organization, signal }: StackQuery): Promise<boolean> {
        const stack = stackOf(urn, organization);
        if (stack === undefined) return false;
        const runs = this.#runs.get(stack) ?? this.#runsOf(stack, signal);
        this.#runs.set(stack, runs);
        return (await runs).some(
            ({ startTime = "", endTime = "", result }) =>
                result === "succeeded" && Date.parse(startTime) <= time && time < Date.parse(endTime) + secondMs,
        );
    }

    async #runsOf(stack: string, signal: AbortSignal): Promise<Run[]> {
        const which = ["--stack", stack, "--json", "--page-size", String(maxRuns)];
        return listIn(await this.#pulumi(["stack", "history", ...which], signal));
    }

    #resourcesOf(stack: string, signal: AbortSignal): Promise<string | undefined> {
        const known = this.#resources.get(stack);
        if (known !== undefined) return known;
        const resources = this.#pulumi(["stack", "export", "--stack", stack], signal).then(recordedResources);
        this.#resources.set(stack, resources);
        return resources;
    }
}

/** There may be very many stacks. Whichever has the object was written after its create. */
function writtenSince(since: number, stacks: readonly StackName[]): StackName[] {
    const writtenAt = ({ lastUpdate = "" }: StackName) => Date.parse(lastUpdate) || Number.MAX_VALUE;
    return stacks
        .filter((stack) => writtenAt(stack) >= since - clockMarginMs)
        .sort((a, b) => writtenAt(b) - writtenAt(a))
        .slice(0, maxOthers);
}

/** The list that the CLI prints; an empty one where it prints none. */
function listIn<T>(shown: string | undefined): T[] {
    try {
        const list = JSON.parse(shown ?? "");
        return Array.isArray(list) ? list : [];
    } catch {
        return [];
    }
}

/** As the CLI names it. */
function stackOf(urn: string, organization: string | undefined): string | undefined {
    const { project, stack } = parseUrn(urn) ?? {};
    const isNamed = organization === undefined || organization === selfManaged;
    return stack === undefined || isNamed ? stack : `${organization}/${project}/${stack}`;
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
