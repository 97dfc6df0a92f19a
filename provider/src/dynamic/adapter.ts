/** The adapter between a resource and the SDK's dynamic-provider process, which keeps that process's quirks from the resource. */
import type { dynamic } from "@pulumi/pulumi";
import { type Difference, type Lifecycle, LifecycleError, type Properties } from "../lifecycle";
import { messages } from "../messages";
import { hasReadableKeys } from "../session/propertyPath";
import { ResourceHost } from "../session/resourceHost";
import { marked } from "../session/secretValues";
import type { Session } from "../session/session";
import { ownSettingsKey, type SettingName } from "../session/settings";
import { attemptIn, declared, newAttempt, toState } from "../session/state";
import type { ResourceKind } from "../typeTokens";
import { failure } from "./failure";
import { kept, timeoutProblems, timeoutsOf, urnOf, withoutOrganization } from "./hidden";

/** The configuration as the SDK hands it to a dynamic provider. */
interface Config {
    get(key: string): string | undefined;
}

export class Adapter implements dynamic.ResourceProvider {
    readonly #session: Session;
    readonly #host: ResourceHost;
    readonly #secretOutput: string;
    readonly #kind: ResourceKind;

    constructor(session: Session, kind: ResourceKind, lifecycle: Lifecycle, secretOutput = "") {
        this.#session = session;
        this.#host = new ResourceHost(session, lifecycle);
        this.#kind = kind;
        this.#secretOutput = secretOutput;
    }

    /** Takes effect synchronously, because the SDK does not wait for it before it calls other methods. */
    async configure({ config }: { config: Config }): Promise<void> {
        const stack = (name: SettingName) => config.get(`videograph:${name}`);
        const own = (config.get(ownSettingsKey) ?? "").split(",") as SettingName[];
        this.#session.configure(Object.fromEntries(own.map((name) => [name, stack(name)])), stack);
    }

    async check(olds: Properties, program: Properties): Promise<dynamic.CheckResult> {
        return this.#plainly(async () => {
            const { organization, inputs: news } = withoutOrganization(program);
            this.#session.noteOrganization(organization);
            const { inputs, problems } = await this.#host.check({
                urn: urnOf(news, this.#kind),
                olds: Object.keys(olds).length === 0 ? undefined : declared(olds),
                news: declared(news),
            });
            const failures = [...problems, ...timeoutProblems(news)];
            const isNew = Object.keys(olds).length === 0;
            // The recorded one stays, so that nothing changes.
            const __attempt = isNew ? newAttempt(news.__attempt, this.#session.random) : olds.__attempt;
            const hidden = { ...kept(news), __provider: news.__provider, __attempt };
            return {
                inputs: toState({ ...inputs, ...hidden }),
                // A named property would be printed with its value, decrypted.
                failures: failures.map((reason) => ({ property: "", reason })),
            };
        });
    }

    async diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
        return this.#plainly(async () => {
            const urn = urnOf(news, this.#kind);
            return this.#result(await this.#host.diff({ urn, id, olds: declared(olds), news: declared(news) }), [
                olds,
                news,
            ]);
        });
    }

    async create(inputs: Properties): Promise<dynamic.CreateResult> {
        return this.#keeping(inputs, async () => {
            const request = { ...this.#request(inputs), inputs: declared(inputs) };
            const { id, outputs } = await this.#host.create(request);
            return { id, outs: this.#outputs(outputs, inputs) };
        });
    }

    async read(id: string, recorded: Properties): Promise<dynamic.ReadResult> {
        return this.#plainly(async () => {
            const request = { ...this.#request(recorded), id };
            if (recorded.__get === true) {
                const found = await this.#host.find(request);
                if (found !== undefined) return { id, props: { ...this.#outputs(found.outputs), __get: true } };
                throw new LifecycleError(messages.noSuchObject({ kind: this.#kind, id }));
            }
            const state = await this.#host.read({ ...request, olds: declared(recorded) });
            // An empty id tells the engine that the object was deleted.
            if (state === undefined) return { id: "", props: {} };
            return {
                id,
                props: this.#outputs(state.outputs, recorded),
                ...(state.inputs && { inputs: toState({ ...state.inputs, ...kept(recorded) }) }),
            };
        });
    }

    async update(id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult> {
        return this.#keeping(news, async () => {
            const request = { ...this.#request(news), id, olds: declared(olds), news: declared(news) };
            return { outs: this.#outputs(await this.#host.update(request), news) };
        });
    }

    async delete(id: string, recorded: Properties): Promise<void> {
        return this.#plainly(() => this.#host.delete({ ...this.#request(recorded), id, olds: declared(recorded) }));
    }

    #request(hidden: Properties) {
        return { urn: urnOf(hidden, this.#kind), timeouts: timeoutsOf(hidden), attempt: attemptIn(hidden) };
    }

    /**
     * `changes`: `undefined` makes the engine compare the inputs property by property; `true` stands for an update that is due
     * although the inputs may be equal, or whose paths the engine could not read; `false` for nothing to do although they may
     * differ.
     */
    #result(difference: Difference, sides: Properties[]): dynamic.DiffResult {
        if (difference.kind === "none") return { changes: false };
        const { kind, because } = difference;
        const replaces = kind === "replace" && { replaces: because };
        const isCompared = because.some((name) => this.#host.isInput(name)) && sides.every(hasReadableKeys);
        return isCompared ? { ...replaces } : { changes: true, ...replaces };
    }

    #outputs(outputs: Properties, hidden: Properties = {}): Properties {
        return marked(toState({ ...outputs, ...kept(hidden) }), { output: this.#secretOutput });
    }

    async #keeping<T>(inputs: Properties, body: () => Promise<T>): Promise<T> {
        try {
            return await body();
        } catch (error) {
            throw failure(error, (outputs) => ({
                ...this.#outputs(outputs, inputs),
                __provider: inputs.__provider,
            }));
        }
    }

    async #plainly<T>(body: () => Promise<T>): Promise<T> {
        try {
            return await body();
        } catch (error) {
            throw failure(error);
        }
    }
}
