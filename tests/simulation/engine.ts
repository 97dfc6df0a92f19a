/**
 * What the Pulumi engine does with a dynamic provider, as far as state is concerned: which calls it makes in which order,
 * and what it writes after each. The written state outlives every process; the provider is the real adapter.
 */
import { isDeepStrictEqual } from "node:util";
import type { Adapter } from "../../provider/dist/dynamic/adapter.js";
import type { SimulatedProcess } from "./machine.ts";
import type { Declared, Kind, Properties, Saved, Stack } from "./stack.ts";

export type Provider = Record<Kind, Pick<Adapter, "check" | "diff" | "create" | "read" | "update" | "delete">>;

/** How the engine writes its state. */
export interface Checkpoints {
    /** With `PULUMI_SKIP_CHECKPOINTS` there is one write: the last one, after the plugins were closed. */
    skipped: boolean;
    /** Whether the n-th write of this run fails: a full disk, expired credentials of a bucket. */
    fails(write: number): boolean;
}

export interface RunOptions {
    checkpoints: Checkpoints;
    /** Names of `--replace`: replaced without a diff, and checked without their old inputs. */
    replaced: ReadonlySet<string>;
    /** How often an `onError` hook wants a failed create tried again, and how long it waits before that, in ms. */
    retries: { times: number; pause: number };
    sleep(ms: number): Promise<void>;
}

/** One run of the CLI over a state. */
export class EngineRun {
    readonly #stack: Stack;
    readonly #provider: Provider;
    readonly #process: SimulatedProcess;
    readonly #options: RunOptions;
    /** The state in memory. */
    readonly #state: Saved[];
    readonly failures: string[] = [];
    /** The objects that the provider was asked to delete. */
    readonly deletes = new Set<string>();
    /** How often the provider was called. */
    calls = 0;
    /** After the first Ctrl-C, or a failure: what is under way goes on, nothing new begins. */
    #stopped = false;
    #dirty = false;
    /** A write of the state has failed. */
    lostCheckpoint = false;
    #writes = 0;

    constructor(stack: Stack, provider: Provider, process: SimulatedProcess, options: RunOptions) {
        this.#stack = stack;
        this.#provider = provider;
        this.#process = process;
        this.#options = options;
        this.#state = stack.saved.map((saved) => ({ ...saved }));
    }

    get state(): readonly Saved[] {
        return this.#state;
    }

    stop(): void {
        this.#stopped = true;
    }

    async up(): Promise<void> {
        const steps: Promise<void>[] = [];
        for (const declared of this.#stack.program) {
            // Its inputs are outputs of the others.
            if (declared.kind === "ContentReadiness") await Promise.all(steps);
            if (this.#stopped) break;
            // Checks and diffs are serial, creates and updates are not.
            await this.#attempt(async () => {
                const step = await this.#plan(declared);
                if (step !== undefined) steps.push(this.#attempt(step));
            });
        }
        await Promise.all(steps);
        if (this.#stopped) return;
        const urns = new Set(this.#stack.program.map((declared) => this.#stack.urnOf(declared)));
        const leaving = this.#state.filter((saved) => saved.pendingDelete || !urns.has(saved.urn));
        await Promise.all(leaving.map((saved) => this.#attempt(() => this.#delete(saved))));
    }

    async refresh(): Promise<void> {
        const present = this.#state.filter((saved) => !saved.pendingDelete);
        await Promise.all(present.map((saved) => this.#attempt(() => this.#refresh(saved))));
    }

    async destroy(): Promise<void> {
        await Promise.all([...this.#state].map((saved) => this.#attempt(() => this.#delete(saved))));
    }

    /** The run ends by itself. The plugins are closed before what is not written yet is written. */
    async end(closePlugins: () => Promise<void>): Promise<void> {
        await closePlugins();
        if (this.#dirty) await this.#attempt(() => this.#write());
    }

    async #attempt(step: () => Promise<void>): Promise<void> {
        try {
            await step();
        } catch (error) {
            this.failures.push(error instanceof Error ? error.message : String(error));
            this.#stopped = true;
        }
    }

    /** What the engine does before and after each step, so that the state knows it. */
    async #checkpoint(): Promise<void> {
        this.#dirty = true;
        if (!this.#options.checkpoints.skipped) await this.#write();
    }

    async #write(): Promise<void> {
        await this.#process.step();
        if (this.#options.checkpoints.fails(++this.#writes)) {
            this.lostCheckpoint = true;
            throw new Error("the checkpoint cannot be written");
        }
        this.#stack.saved = this.#state.map((saved) => ({ ...saved }));
        this.#dirty = false;
    }

    async #refresh(saved: Saved): Promise<void> {
        this.calls++;
        const { id, props, inputs } = await this.#provider[saved.kind].read(saved.id, copy(saved.outputs));
        await this.#process.step();
        if (id === "" || id === undefined) this.#forget(saved);
        else {
            saved.outputs = copy(props) as Properties;
            if (inputs !== undefined) saved.inputs = { ...copy(inputs as Properties), __provider: "constant" };
            saved.failed = false;
        }
        await this.#checkpoint();
    }

    async #plan(declared: Declared): Promise<(() => Promise<void>) | undefined> {
        const provider = this.#provider[declared.kind];
        const saved = this.#adopt(declared);
        const replaced = saved !== undefined && this.#options.replaced.has(declared.name);
        const olds = saved === undefined || replaced ? {} : saved.inputs;
        this.calls++;
        const checked = await provider.check(copy(olds), this.#news(declared));
        await this.#process.step();
        if (checked.failures !== undefined && checked.failures.length > 0) {
            throw new Error(checked.failures.map(({ reason }) => reason).join("; "));
        }
        const inputs = checked.inputs as Properties;
        if (saved === undefined) return () => this.#create(declared, inputs);
        if (replaced) return this.#replacement(declared, inputs, saved);
        const { changes, replaces = [] } = await provider.diff(saved.id, copy(saved.outputs), copy(inputs));
        await this.#process.step();
        if (replaces.length > 0) return this.#replacement(declared, inputs, saved);
        const differs = changes ?? !isDeepStrictEqual(saved.inputs, inputs);
        if (differs || saved.failed) return () => this.#update(saved, inputs);
        saved.inputs = inputs;
        this.#dirty = true;
        return undefined;
    }

    #news(declared: Declared): Properties {
        const hidden = { __provider: "constant", __urn: this.#stack.shortUrnOf(declared) };
        if (declared.kind !== "ContentReadiness") return copy({ ...declared.inputs, ...hidden });
        const contents = this.#state.filter(({ kind, pendingDelete }) => kind === "Content" && !pendingDelete);
        return { contentIds: contents.map(({ id }) => id), ...hidden };
    }

    /** The resource in the state, under its URN or under that of its alias, which it then changes. */
    #adopt(declared: Declared): Saved | undefined {
        const { kind, alias } = declared;
        const urn = this.#stack.urnOf(declared);
        const aliasUrn = alias === undefined ? urn : this.#stack.urnOf({ name: alias, kind });
        const found =
            this.#state.find((one) => one.urn === urn && !one.pendingDelete) ??
            this.#state.find((one) => one.urn === aliasUrn && !one.pendingDelete);
        if (found !== undefined) found.urn = urn;
        return found;
    }

    #replacement(declared: Declared, inputs: Properties, saved: Saved): () => Promise<void> {
        return async () => {
            if (declared.deleteBeforeReplace) await this.#delete(saved);
            await this.#create(declared, inputs, declared.deleteBeforeReplace ? undefined : saved);
        };
    }

    async #create(declared: Declared, inputs: Properties, replaced?: Saved): Promise<void> {
        // The pending operation.
        await this.#checkpoint();
        const { created, error } = await this.#created(declared, inputs);
        await this.#process.step();
        if (created !== undefined) {
            if (replaced !== undefined) replaced.pendingDelete = true;
            const { kind } = declared;
            const urn = this.#stack.urnOf(declared);
            this.#state.push({ urn, kind, inputs, ...created, failed: error !== undefined, pendingDelete: false });
        }
        await this.#checkpoint();
        if (error !== undefined) throw error;
    }

    /** What the last try gave: an `onError` hook may want more of them, after a partial failure too. */
    async #created(declared: Declared, inputs: Properties) {
        const { times, pause } = this.#options.retries;
        for (let retry = 0; ; retry++) {
            this.calls++;
            try {
                const { id, outs } = await this.#provider[declared.kind].create(copy(inputs));
                return { created: { id, outputs: copy(outs) as Properties }, error: undefined };
            } catch (error) {
                await this.#process.step();
                if (retry < times) {
                    await this.#options.sleep(pause);
                    continue;
                }
                const created = isPartial(error) ? { id: error.id, outputs: copy(error.properties) } : undefined;
                return { created, error };
            }
        }
    }

    async #update(saved: Saved, inputs: Properties): Promise<void> {
        await this.#checkpoint();
        this.calls++;
        try {
            const { outs } = await this.#provider[saved.kind].update(saved.id, copy(saved.outputs), copy(inputs));
            await this.#process.step();
            Object.assign(saved, { inputs, outputs: copy(outs), failed: false });
        } catch (error) {
            await this.#process.step();
            // The old inputs stay.
            if (isPartial(error)) Object.assign(saved, { outputs: copy(error.properties), failed: true });
            await this.#checkpoint();
            throw error;
        }
        await this.#checkpoint();
    }

    async #delete(saved: Saved): Promise<void> {
        await this.#checkpoint();
        this.calls++;
        this.deletes.add(saved.id);
        await this.#provider[saved.kind].delete(saved.id, copy(saved.outputs));
        await this.#process.step();
        this.#forget(saved);
        await this.#checkpoint();
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
