/**
 * What the Pulumi engine does with its providers, as far as state is concerned: which calls it makes in which order, and
 * what it writes after each. The written state outlives every process; behind each provider is the real package.
 */
import { isDeepStrictEqual } from "node:util";
import type { SimulatedProcess } from "./machine.ts";
import { copy, PartiallyFailed, type Provider } from "./provider.ts";
import {
    type Declared,
    type Face,
    faceOf,
    faces,
    type Pending,
    type Properties,
    type Saved,
    type Stack,
} from "./stack.ts";

/** The providers that a run needs: of a stack that is moving from one face to the other, both. */
export type Providers = Partial<Record<Face, Provider>>;

/** What the engine has in place of a text that a preview does not know yet. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

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
    /** Between a provider's answer and the engine's own step. */
    lag(): Promise<void>;
}

/** One run of the CLI over a state. */
export class EngineRun {
    readonly #stack: Stack;
    readonly #providers: Providers;
    readonly #process: SimulatedProcess;
    readonly #options: RunOptions;
    /** The state in memory. */
    readonly #state: Saved[];
    readonly failures: string[] = [];
    /** When the first Ctrl-C was the only one, in virtual time. */
    cancelledAt: number | undefined;
    /** The objects that the provider was asked to delete. */
    readonly deletes = new Set<string>();
    /** Whether nothing is to be left. */
    destroys = false;
    /** The resources that were updated. */
    readonly updated = new Set<string>();
    /** How often the provider was called. */
    calls = 0;
    /** After the first Ctrl-C, or a failure: what is under way goes on, nothing new begins. */
    #stopped = false;
    #dirty = false;
    #dryRun = false;
    /** A write of the state has failed. */
    lostCheckpoint = false;
    #writes = 0;

    constructor(stack: Stack, providers: Providers, process: SimulatedProcess, options: RunOptions) {
        this.#stack = stack;
        this.#providers = providers;
        this.#process = process;
        this.#options = options;
        this.#state = stack.saved.map((saved) => ({ ...saved }));
        this.#pending = [...stack.pending];
    }

    /** Creates under way, and those of killed runs: the engine forgets them never. */
    readonly #pending: Pending[];

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

    /** `pulumi preview`: what it says of the outputs of the resources that an `up` would update, by URN. */
    async preview(): Promise<ReadonlyMap<string, Properties>> {
        const promised = new Map<string, Properties>();
        this.#dryRun = true;
        for (const declared of this.#stack.program) {
            // What is to be imported is read, and nothing is known of it here.
            if (this.#idToImport(declared) !== undefined) continue;
            await this.#attempt(async () => {
                const provider = this.#providerOf(this.#stack.urnOf(declared));
                const { step, inputs, saved } = await this.#decide(declared, this.#adopt(declared));
                const resource = { urn: this.#stack.urnOf(declared), kind: declared.kind };
                if (step === "create" || step === "replace") await provider.previewCreate?.(resource, inputs);
                if (step !== "update" || saved === undefined) return;
                promised.set(saved.urn, (await provider.previewUpdate?.(saved, saved, inputs)) ?? {});
            });
        }
        return promised;
    }

    async refresh(): Promise<void> {
        const present = this.#state.filter((saved) => !saved.pendingDelete);
        await Promise.all(present.map((saved) => this.#attempt(() => this.#refresh(saved))));
    }

    async destroy(): Promise<void> {
        this.destroys = true;
        await Promise.all([...this.#state].map((saved) => this.#attempt(() => this.#delete(saved))));
    }

    /** The run ends by itself. The plugins are closed before what is not written yet is written. */
    async end(closePlugins: () => Promise<void>): Promise<void> {
        await this.cancel();
        await closePlugins();
        if (this.#dirty) await this.#attempt(() => this.#write());
    }

    /** Once at the first Ctrl-C, and once more at the end of every operation. */
    async cancel(): Promise<void> {
        for (const face of faces) await this.#providers[face]?.cancel?.();
    }

    /** The one that a resource of this type belongs to. */
    #providerOf(urn: string): Provider {
        const provider = this.#providers[faceOf(urn)];
        if (provider === undefined) throw new Error(`no provider was started for ${urn}`);
        return provider;
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
        this.#stack.pending = this.#pending.map((pending) => ({ ...pending }));
        this.#stack.saved = this.#state.map((saved) => ({ ...saved }));
        this.#dirty = false;
    }

    async #refresh(saved: Saved): Promise<void> {
        this.calls++;
        const found = await this.#providerOf(saved.urn).read(saved, saved.id, saved);
        await this.#process.step();
        if (found === undefined) this.#forget(saved);
        else Object.assign(saved, { inputs: found.inputs, outputs: found.outputs, failed: false });
        await this.#checkpoint();
    }

    async #plan(declared: Declared): Promise<(() => Promise<void>) | undefined> {
        const importId = this.#idToImport(declared);
        if (importId !== undefined) await this.#import(declared, importId);
        const { step, inputs, saved } = await this.#decide(declared, this.#adopt(declared));
        if (step === "create" || saved === undefined) return () => this.#create(declared, inputs);
        saved.importId = this.#stack.declaration(declared).importId;
        if (step === "replace") return this.#replacement(declared, inputs, saved);
        if (step === "update") return () => this.#update(saved, inputs);
        saved.inputs = inputs;
        this.#dirty = true;
        return undefined;
    }

    /** What a resource needs. */
    async #decide(declared: Declared, saved: Saved | undefined) {
        const resource = { urn: this.#stack.urnOf(declared), kind: declared.kind };
        const provider = this.#providerOf(resource.urn);
        const replaced = saved !== undefined && this.#options.replaced.has(declared.name);
        const olds = saved === undefined || replaced ? {} : saved.inputs;
        this.calls++;
        const { inputs, failures } = await provider.check(resource, olds, this.#news(declared));
        await this.#process.step();
        if (failures.length > 0) throw new Error(failures.join("; "));
        if (saved === undefined) return { step: "create", inputs, saved } as const;
        if (replaced) return { step: "replace", inputs, saved } as const;
        const { differs, replaces } = await provider.diff(resource, saved, inputs);
        await this.#process.step();
        if (replaces) return { step: "replace", inputs, saved } as const;
        const isDue = differs ?? !isDeepStrictEqual(saved.inputs, inputs);
        return { step: isDue || saved.failed ? "update" : "same", inputs, saved } as const;
    }

    #news(declared: Declared): Properties {
        const { inputs } = this.#stack.declaration(declared);
        if (declared.kind !== "ContentReadiness") return copy(inputs);
        // A program names what it declares, not what is leaving it.
        const urns = new Set(this.#stack.program.map((one) => this.#stack.urnOf(one)));
        const contents = this.#state.filter(
            ({ kind, urn, pendingDelete }) => kind === "Content" && !pendingDelete && urns.has(urn),
        );
        const unknown = this.#dryRun ? this.#stack.program.filter((one) => this.#isNewContent(one)) : [];
        return { ...copy(inputs), contentIds: [...contents.map(({ id }) => id), ...unknown.map(() => unknownText)] };
    }

    #isNewContent(declared: Declared): boolean {
        return declared.kind === "Content" && this.#adopt(declared) === undefined;
    }

    /** The id in the `import` option of a resource that does not have this object yet. */
    #idToImport(declared: Declared): string | undefined {
        const { importId } = this.#stack.declaration(declared);
        const existing = this.#adopt(declared);
        return (existing?.importId ?? existing?.id) === importId ? undefined : importId;
    }

    /** The `import` option: the object as it is goes into the state, and only then is compared with the program. */
    async #import(declared: Declared, id: string): Promise<void> {
        const { kind } = declared;
        const urn = this.#stack.urnOf(declared);
        await this.#checkpoint();
        this.calls++;
        const found = await this.#providerOf(urn).read({ urn, kind }, id);
        await this.#process.step();
        if (found === undefined) throw new Error(`resource '${id}' does not exist`);
        this.#state.push({ urn, kind, ...found, importId: id, failed: false, pendingDelete: false });
        await this.#checkpoint();
    }

    /** The resource in the state, under its URN or under that of its alias, which it then changes. */
    #adopt(declared: Declared): Saved | undefined {
        const { kind, name, alias = name } = declared;
        const urn = this.#stack.urnOf(declared);
        // The native types have the dynamic ones as aliases, and a name's alias counts with each of them.
        const known = this.#stack.face === "native" ? faces : (["dynamic"] as const);
        const urns = [name, alias].flatMap((one) => known.map((face) => this.#stack.urnOf({ name: one, kind }, face)));
        const candidates = this.#state.filter(({ pendingDelete }) => !pendingDelete);
        const found = urns.map((one) => candidates.find((saved) => saved.urn === one)).find((one) => one !== undefined);
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
        const pending: Pending = { urn: this.#stack.urnOf(declared) };
        this.#pending.push(pending);
        await this.#checkpoint();
        const { created, error } = await this.#created(declared, inputs);
        if (created !== undefined) Object.assign(pending, { id: created.id, outputs: created.outputs });
        await this.#options.lag();
        await this.#process.step();
        this.#pending.splice(this.#pending.indexOf(pending), 1);
        if (created !== undefined) {
            if (replaced !== undefined) replaced.pendingDelete = true;
            const { kind } = declared;
            const urn = this.#stack.urnOf(declared);
            const { importId } = this.#stack.declaration(declared);
            this.#state.push({ urn, kind, importId, inputs, ...created, pendingDelete: false });
        }
        await this.#checkpoint();
        if (error !== undefined) throw error;
    }

    /** What the last try gave: an `onError` hook may want more of them, after a partial failure too. */
    async #created(declared: Declared, inputs: Properties) {
        const { times, pause } = this.#options.retries;
        const resource = { urn: this.#stack.urnOf(declared), kind: declared.kind };
        for (let retry = 0; ; retry++) {
            this.calls++;
            try {
                const made = await this.#providerOf(resource.urn).create(resource, inputs);
                if (made.id === "") throw new Error("the provider returned no id");
                return { created: { ...made, failed: false }, error: undefined };
            } catch (error) {
                await this.#process.step();
                if (retry < times) {
                    await this.#options.sleep(pause);
                    continue;
                }
                return { created: partOf(error), error };
            }
        }
    }

    async #update(saved: Saved, inputs: Properties): Promise<void> {
        await this.#checkpoint();
        this.calls++;
        try {
            const outputs = await this.#providerOf(saved.urn).update(saved, saved, inputs);
            await this.#process.step();
            Object.assign(saved, { inputs, outputs, failed: false });
            this.updated.add(saved.urn);
        } catch (error) {
            await this.#process.step();
            // The old inputs stay.
            const part = partOf(error);
            if (part !== undefined) Object.assign(saved, { outputs: part.outputs, failed: part.failed });
            await this.#checkpoint();
            throw error;
        }
        await this.#checkpoint();
    }

    async #delete(saved: Saved): Promise<void> {
        await this.#checkpoint();
        this.calls++;
        this.deletes.add(saved.id);
        await this.#providerOf(saved.urn).delete(saved, saved);
        await this.#process.step();
        this.#forget(saved);
        await this.#checkpoint();
    }

    #forget(saved: Saved): void {
        const index = this.#state.indexOf(saved);
        if (index >= 0) this.#state.splice(index, 1);
    }
}

/** What of a failed operation reaches the state. Without reasons the next `up` does not know that it failed. */
function partOf(error: unknown): { id: string; outputs: Properties; failed: boolean } | undefined {
    if (!(error instanceof PartiallyFailed) || error.id === "") return undefined;
    return { id: error.id, outputs: error.outputs, failed: error.reasons.length > 0 };
}
