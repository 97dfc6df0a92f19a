/**
 * What the Pulumi engine does with a dynamic provider, as far as state is concerned: which calls it makes in which order,
 * and what it saves after each. The state outlives every process; the provider is the real adapter.
 */
import { isDeepStrictEqual } from "node:util";
import type { Adapter } from "../../provider/dist/dynamic/adapter.js";
import type { SimulatedProcess } from "./process.ts";

export type Kind = "Content" | "Livestream";
type Properties = Record<string, unknown>;

export interface Declared {
    name: string;
    kind: Kind;
    inputs: Properties;
    deleteBeforeReplace: boolean;
}

export interface Saved {
    urn: string;
    kind: Kind;
    id: string;
    inputs: Properties;
    outputs: Properties;
    /** It has init errors: the next `up` updates it whatever `diff` says. */
    failed: boolean;
    /** A replacement has taken its place; it waits to be deleted. */
    pendingDelete: boolean;
}

export type Provider = Record<Kind, Adapter>;

export function urnOf({ name, kind }: Declared): string {
    return `urn:pulumi:sim::sim::pulumi-nodejs:dynamic/videograph:${kind}::${name}`;
}

/** One run of the CLI over a state. */
export class EngineRun {
    readonly #state: Saved[];
    readonly #provider: Provider;
    readonly #process: SimulatedProcess;
    readonly failures: string[] = [];
    /** After the first Ctrl-C, or a failure: what is under way goes on, nothing new begins. */
    #stopped = false;
    planned = 0;

    constructor(state: Saved[], provider: Provider, process: SimulatedProcess) {
        this.#state = state;
        this.#provider = provider;
        this.#process = process;
    }

    stop(): void {
        this.#stopped = true;
    }

    async up(program: readonly Declared[]): Promise<void> {
        const steps: Promise<void>[] = [];
        for (const declared of program) {
            if (this.#stopped) break;
            // Checks and diffs are serial, creates and updates are not.
            await this.#attempt(async () => {
                const step = await this.#plan(declared);
                if (step !== undefined) {
                    this.planned++;
                    steps.push(this.#attempt(step));
                }
            });
        }
        await Promise.all(steps);
        if (this.#stopped) return;
        const urns = new Set(program.map(urnOf));
        const leaving = this.#state.filter((saved) => saved.pendingDelete || !urns.has(saved.urn));
        await Promise.all(leaving.map((saved) => this.#attempt(() => this.#delete(saved))));
    }

    async refresh(): Promise<void> {
        await Promise.all(
            this.#state
                .filter((saved) => !saved.pendingDelete)
                .map((saved) =>
                    this.#attempt(async () => {
                        const { id, props, inputs } = await this.#provider[saved.kind].read(
                            saved.id,
                            copy(saved.outputs),
                        );
                        await this.#process.step();
                        if (id === "" || id === undefined) this.#forget(saved);
                        else {
                            saved.outputs = copy(props) as Properties;
                            if (inputs !== undefined)
                                saved.inputs = { ...copy(inputs as Properties), __provider: "constant" };
                            saved.failed = false;
                        }
                    }),
                ),
        );
    }

    async destroy(): Promise<void> {
        await Promise.all([...this.#state].map((saved) => this.#attempt(() => this.#delete(saved))));
    }

    async #attempt(step: () => Promise<void>): Promise<void> {
        try {
            await step();
        } catch (error) {
            this.failures.push(error instanceof Error ? error.message : String(error));
            this.#stopped = true;
        }
    }

    async #plan(declared: Declared): Promise<(() => Promise<void>) | undefined> {
        const urn = urnOf(declared);
        const provider = this.#provider[declared.kind];
        const saved = this.#state.find((one) => one.urn === urn && !one.pendingDelete);
        const news = { ...declared.inputs, __provider: "constant", __urn: urn };
        const checked = await provider.check(copy(saved?.inputs ?? {}), copy(news));
        if (checked.failures !== undefined && checked.failures.length > 0) {
            throw new Error(checked.failures.map(({ reason }) => reason).join("; "));
        }
        const inputs = checked.inputs as Properties;
        if (saved === undefined) return () => this.#create(declared, inputs);
        const { changes, replaces = [] } = await provider.diff(saved.id, copy(saved.outputs), copy(inputs));
        if (replaces.length > 0) {
            return async () => {
                if (declared.deleteBeforeReplace) await this.#delete(saved);
                await this.#create(declared, inputs, declared.deleteBeforeReplace ? undefined : saved);
            };
        }
        const differs = changes ?? !isDeepStrictEqual(saved.inputs, inputs);
        if (differs || saved.failed) return () => this.#update(saved, inputs);
        saved.inputs = inputs;
        return undefined;
    }

    async #create(declared: Declared, inputs: Properties, replaced?: Saved): Promise<void> {
        const record = (id: string, outputs: unknown, failed: boolean) => {
            const saved = {
                urn: urnOf(declared),
                kind: declared.kind,
                id,
                inputs,
                outputs: copy(outputs) as Properties,
            };
            if (replaced !== undefined) replaced.pendingDelete = true;
            this.#state.push({ ...saved, failed, pendingDelete: false });
        };
        try {
            const { id, outs } = await this.#provider[declared.kind].create(copy(inputs));
            await this.#process.step();
            record(id, outs, false);
        } catch (error) {
            await this.#process.step();
            if (isPartial(error)) record(error.id, error.properties, true);
            throw error;
        }
    }

    async #update(saved: Saved, inputs: Properties): Promise<void> {
        try {
            const { outs } = await this.#provider[saved.kind].update(saved.id, copy(saved.outputs), copy(inputs));
            await this.#process.step();
            Object.assign(saved, { inputs, outputs: copy(outs), failed: false });
        } catch (error) {
            await this.#process.step();
            // The old inputs stay.
            if (isPartial(error)) Object.assign(saved, { outputs: copy(error.properties), failed: true });
            throw error;
        }
    }

    async #delete(saved: Saved): Promise<void> {
        await this.#provider[saved.kind].delete(saved.id, copy(saved.outputs));
        await this.#process.step();
        this.#forget(saved);
    }

    #forget(saved: Saved): void {
        const index = this.#state.indexOf(saved);
        if (index >= 0) this.#state.splice(index, 1);
    }
}

/** How the SDK recognises a partial failure. */
function isPartial(error: unknown): error is Error & { id: string; properties: Properties } {
    return error instanceof Error && "id" in error && "properties" in error;
}

/** Everything crosses the wire as JSON. */
function copy<T>(value: T): T {
    return JSON.parse(JSON.stringify(value)) as T;
}
