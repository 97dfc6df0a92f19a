/** Stands between a lifecycle and the SDK's dynamic-provider process, whose quirks end here. */
import type { dynamic } from "@pulumi/pulumi";
import { type JournalEntry, type Lifecycle, LifecycleError, type Properties } from "../lifecycle";
import { abandonedCreates } from "../lifecycle/create/abandoned";
import { metaOf } from "../lifecycle/state/hidden";
import { type ResourceKind, typeOf } from "../resources/kinds";
import type { Config, Runtime } from "../session/runtime";
import { markedUrn, shortUrn, wholeUrn } from "../urn";
import { failure, plainFailure } from "./failure";
import { toState, withSecret } from "./wire";

export class Adapter implements dynamic.ResourceProvider {
    readonly #runtime: Runtime;
    readonly #lifecycle: Lifecycle;
    readonly #secretOutput: string;
    readonly #kind: ResourceKind;
    readonly #tell = (error: unknown) => this.#runtime.tell(error);

    constructor(runtime: Runtime, kind: ResourceKind, lifecycle: Lifecycle, secretOutput = "") {
        this.#runtime = runtime;
        this.#kind = kind;
        this.#lifecycle = lifecycle;
        this.#secretOutput = secretOutput;
    }

    async configure(request: { config: Config }): Promise<void> {
        this.#runtime.configure(request.config);
    }

    async check(olds: Properties, news: Properties): Promise<dynamic.CheckResult> {
        return this.#plainly(async () => {
            const before = Object.keys(olds).length === 0 ? undefined : olds;
            if (before !== undefined) this.#runtime.managed.noteRecorded(this.#urnOf(news));
            const { inputs, problems } = this.#lifecycle.check(withoutNulls(news), before, this.#runtime.settings);
            const all = [...this.#runtime.problems(), ...problems];
            // A named property would be printed with its value, decrypted.
            return { inputs: toState(inputs), failures: all.map((reason) => ({ property: "", reason })) };
        });
    }

    async diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
        return this.#plainly(async () => {
            const row = this.#runtime.row(this.#urnOf(news));
            this.#runtime.managed.note(id, row.urn);
            const { mark, env } = metaOf(olds);
            // The state has the resource: nothing is pending any more.
            if (mark !== undefined) await this.#runtime.journal.close(mark);
            const difference = this.#lifecycle.diff(id, olds, news, row);
            if (difference.changes !== false) return difference;
            const abandoned = await abandonedCreates(this.#runtime.journal, row.urn, mark);
            if (abandoned.length === 0) return difference;
            // Other credentials may be those of another environment, or a rotated token of the same one.
            const now = this.#runtime.fingerprint;
            const mayBeHere = ({ fingerprint, fruitless = [] }: JournalEntry) =>
                fingerprint === env || (now !== undefined && !fruitless.includes(now));
            if (!abandoned.some(mayBeHere)) return difference;
            row.info("An interrupted replacement may have left an object behind, which this update removes.");
            return { changes: true };
        });
    }

    async create(inputs: Properties): Promise<dynamic.CreateResult> {
        return this.#keeping(inputs, () =>
            this.#runtime.operate(this.#urnOf(inputs), async (operation) => {
                const { id, outputs } = await this.#lifecycle.create(inputs, operation);
                return { id, outs: this.#outputs(outputs) };
            }),
        );
    }

    async read(id: string, recorded: Properties): Promise<dynamic.ReadResult> {
        const olds = this.#withUrn(recorded);
        return this.#plainly(() =>
            this.#runtime.operate(this.#urnOf(olds), async (operation) => {
                if (olds.__get === true) {
                    const outputs = await this.#lifecycle.find(id, operation);
                    if (outputs === undefined) {
                        throw new LifecycleError(
                            `${this.#kind}.get: there is no ${this.#kind} ${id}, or these credentials cannot see it.`,
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
            this.#runtime.operate(this.#urnOf(news), async (operation) => ({
                outs: this.#outputs(await this.#lifecycle.update(id, olds, news, operation)),
            })),
        );
    }

    async delete(id: string, recorded: Properties): Promise<void> {
        const olds = this.#withUrn(recorded);
        return this.#plainly(() =>
            this.#runtime.operate(this.#urnOf(olds), (operation) => this.#lifecycle.delete(id, olds, operation)),
        );
    }

    #urnOf({ __urn }: Properties): string | undefined {
        return typeof __urn === "string" && __urn !== "" ? wholeUrn(__urn, typeOf(this.#kind)) : undefined;
    }

    /** The outputs with the URN, for which they have `true` where the mark tells it. */
    #withUrn(recorded: Properties): Properties {
        if (recorded.__urn !== true) return recorded;
        return { ...recorded, __urn: markedUrn(metaOf(recorded).mark) };
    }

    #outputs({ __urn, ...rest }: Properties): Properties {
        const { mark } = metaOf(rest);
        this.#runtime.finished(mark);
        const told = typeof __urn === "string" && shortUrn(__urn, typeOf(this.#kind)) === markedUrn(mark);
        const outputs = { ...rest, __urn: told ? true : __urn };
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
