/** Stands between a lifecycle and the SDK's dynamic-provider process, whose quirks end here. */
import type { dynamic } from "@pulumi/pulumi";
import { type Lifecycle, LifecycleError, type Properties } from "../lifecycle";
import { abandonedCreates } from "../lifecycle/abandoned";
import { metaOf } from "../lifecycle/hidden";
import { failure, plainFailure } from "./failure";
import type { Config, Runtime } from "./runtime";
import { toState, withSecret } from "./state";

export class Adapter implements dynamic.ResourceProvider {
    readonly #runtime: Runtime;
    readonly #lifecycle: Lifecycle;
    readonly #secretOutput: string;
    readonly #noun: string;
    readonly #tell = (error: unknown) => this.#runtime.tell(error);

    constructor(runtime: Runtime, noun: string, lifecycle: Lifecycle, secretOutput = "") {
        this.#runtime = runtime;
        this.#noun = noun;
        this.#lifecycle = lifecycle;
        this.#secretOutput = secretOutput;
    }

    async configure(request: { config: Config }): Promise<void> {
        this.#runtime.configure(request.config);
    }

    async check(olds: Properties, news: Properties): Promise<dynamic.CheckResult> {
        return this.#plainly(async () => {
            const before = Object.keys(olds).length === 0 ? undefined : olds;
            if (before !== undefined) this.#runtime.managed.noteRecorded(urnOf(news));
            const { inputs, problems } = this.#lifecycle.check(withoutNulls(news), before, this.#runtime.settings);
            const all = [...this.#runtime.problems(), ...problems];
            // A named property would be printed with its value, decrypted.
            return { inputs: toState(inputs), failures: all.map((reason) => ({ property: "", reason })) };
        });
    }

    async diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
        return this.#plainly(async () => {
            const row = this.#runtime.row(news.__urn);
            this.#runtime.managed.note(id, row.urn);
            const { mark, env } = metaOf(olds);
            // The state has the resource: nothing is pending any more.
            if (mark !== undefined) await this.#runtime.journal.close(mark);
            const difference = this.#lifecycle.diff(id, olds, news, row);
            if (difference.changes !== false) return difference;
            const abandoned = await abandonedCreates(this.#runtime.journal, row.urn, mark);
            // Those of other environments are found when this one is in use again.
            const here = (fingerprint: string) => fingerprint === env || fingerprint === this.#runtime.fingerprint;
            if (!abandoned.some(({ fingerprint }) => here(fingerprint))) return difference;
            row.info("An interrupted replacement may have left an object behind, which this update removes.");
            return { changes: true };
        });
    }

    async create(inputs: Properties): Promise<dynamic.CreateResult> {
        return this.#keeping(inputs, () =>
            this.#runtime.operate(inputs.__urn, async (operation) => {
                const { id, outputs } = await this.#lifecycle.create(inputs, operation);
                return { id, outs: this.#outputs(outputs) };
            }),
        );
    }

    async read(id: string, olds: Properties): Promise<dynamic.ReadResult> {
        return this.#plainly(() =>
            this.#runtime.operate(olds.__urn, async (operation) => {
                if (olds.__get === true) {
                    const outputs = await this.#lifecycle.find(id, operation);
                    if (outputs === undefined) {
                        throw new LifecycleError(
                            `${this.#noun}.get: there is no ${this.#noun} ${id}, or these credentials cannot see it.`,
                        );
                    }
                    return { id, props: { ...this.#outputs(outputs), __get: true } };
                }
                const state = await this.#lifecycle.read(id, olds, operation);
                // An empty id tells the engine that the object is gone.
                if (state === undefined) return { id: "", props: {} };
                return { id, props: this.#outputs(state.outputs), inputs: toState(state.inputs) };
            }),
        );
    }

    async update(id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult> {
        return this.#keeping(news, () =>
            this.#runtime.operate(news.__urn, async (operation) => ({
                outs: this.#outputs(await this.#lifecycle.update(id, olds, news, operation)),
            })),
        );
    }

    async delete(id: string, olds: Properties): Promise<void> {
        return this.#plainly(() =>
            this.#runtime.operate(olds.__urn, (operation) => this.#lifecycle.delete(id, olds, operation)),
        );
    }

    #outputs(outputs: Properties): Properties {
        this.#runtime.finished(metaOf(outputs).mark);
        return toState(this.#secretOutput === "" ? outputs : withSecret(outputs, this.#secretOutput));
    }

    async #keeping<T>(inputs: Properties, body: () => Promise<T>): Promise<T> {
        try {
            return await body();
        } catch (error) {
            throw failure(error, this.#tell, ({ outputs }) => ({
                ...this.#outputs(outputs),
                __provider: inputs.__provider,
            }));
        }
    }

    async #plainly<T>(body: () => Promise<T>): Promise<T> {
        try {
            return await body();
        } catch (error) {
            throw plainFailure(error, this.#tell);
        }
    }
}

/** JavaScript programs write `null` for "not set". */
function withoutNulls(properties: Properties): Properties {
    return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

function urnOf({ __urn }: Properties): string | undefined {
    return typeof __urn === "string" && __urn !== "" ? __urn : undefined;
}
