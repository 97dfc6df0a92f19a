/** Serves a resource type to the process that runs the SDK's dynamic providers. The quirks of that process stay in this file. */

import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import * as z from "zod/mini";
import { plainDigest } from "../evidence/digest";
import { parseDuration } from "../inputs/duration";
import { hasReadableKeys, type Properties, type Timeouts } from "../inputs/values";
import { LifecycleError, messageOf, messages } from "../messages";
import { PartialFailure } from "../operation/operation";
import { lifecycles } from "../resources";
import { markedWhere, withSecretsMarked } from "../secretValues/marks";
import { ResourceHost, toState } from "../session/resourceHost";
import type { Session } from "../session/session";
import { type Settings, settingNames } from "../session/settings";
import type { ResourceKind } from "../typeTokens";
import { ownSettingKey, stackSettingKey } from "../typeTokens";

/** An empty id tells the engine that the object does not exist any more. */
const gone: dynamic.ReadResult = { id: "", props: {} };

export class Adapter implements dynamic.ResourceProvider {
    readonly #host: ResourceHost;
    readonly #kind: ResourceKind;

    constructor(session: Session, kind: ResourceKind) {
        this.#host = new ResourceHost(session, lifecycles[kind]);
        this.#kind = kind;
    }

    /** Must not await: the SDK calls other methods before this promise resolves. */
    async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
        const settingsBy = (keyOf: (name: string) => string): Settings =>
            Object.fromEntries(settingNames.map((name) => [name, config.get(keyOf(name))]));
        this.#host.session.configure(settingsBy(ownSettingKey), settingsBy(stackSettingKey));
    }

    async check(olds: Properties, news: Properties): Promise<dynamic.CheckResult> {
        return withSdkErrors(async () => {
            const { inputs, problems } = await this.#host.check({ urn: urnOf(news), olds, news });
            const { __provider } = news;
            return {
                inputs: this.#marked({ ...keptHiddenInputs(news), ...inputs, __provider }),
                // If a failure named its property, the engine would print the property's value, decrypted.
                failures: problems.map((reason) => ({ property: "", reason })),
            };
        });
    }

    async diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
        return withSdkErrors(async () => {
            const difference = await this.#host.diff({ urn: urnOf(news), id, olds, news });
            // `__plain` proves that a library has no secrets. Without it, values that the state has in plain may be secrets now: an update records them again.
            if (difference.kind === "none")
                return { changes: olds.__plain !== undefined && news.__plain === undefined };
            const { kind, because } = difference;
            const replaces = kind === "replace" && { replaces: because };
            // Without `changes` the engine compares the inputs by itself, and shows what has changed. It does not compare outputs, and it fails at keys whose
            // paths it cannot parse.
            const isChanged = this.#host.changesInput(because, { urn: urnOf(news), news });
            const isCompared = isChanged && [olds, news].every(hasReadableKeys);
            return isCompared ? { ...replaces } : { changes: true, ...replaces };
        });
    }

    async create(inputs: Properties): Promise<dynamic.CreateResult> {
        const recorded = (outputs: Properties) => this.#newOutputs(outputs, inputs);
        return withSdkErrors(async () => {
            const { id, outputs } = await this.#host.create({ ...this.#request(inputs), inputs });
            return { id, outs: recorded(outputs) };
        }, recorded);
    }

    async read(id: string, recorded: Properties): Promise<dynamic.ReadResult> {
        return withSdkErrors(async () => {
            const request = { ...this.#request(recorded), id };
            if (recorded.__get === true) {
                const found = await this.#host.find(request);
                if (found !== undefined) return { id, props: { ...this.#toOutputs(found.outputs), __get: true } };
                // With the outputs of an earlier read this is a refresh, not the program's `.get`: the object was deleted since.
                if (recorded.__meta !== undefined) return gone;
                throw new LifecycleError(messages.noSuchObject({ object: `${this.#kind} ${id}` }));
            }
            const state = await this.#host.read({ ...request, olds: recorded });
            if (state === undefined) return gone;
            return {
                id: state.id ?? id,
                props: this.#toOutputs(state.outputs, recorded),
                ...(state.inputs && { inputs: toState({ ...state.inputs, ...keptHiddenInputs(recorded) }) }),
            };
        });
    }

    async update(id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult> {
        const failed = (outputs: Properties) => this.#withEarlierMarked(outputs, news);
        return withSdkErrors(async () => {
            const outputs = await this.#host.update({ ...this.#request(news), id, olds, news });
            return { outs: this.#newOutputs(outputs, news) };
        }, failed);
    }

    async delete(id: string, recorded: Properties): Promise<void> {
        return withSdkErrors(() => this.#host.delete({ ...this.#request(recorded), id, olds: recorded }));
    }

    #request(hidden: Properties) {
        return { urn: urnOf(hidden), timeouts: timeoutsOf(hidden) };
    }

    #toOutputs(outputs: Properties, hidden: Properties = {}): Properties {
        return this.#marked({ ...outputs, ...keptHiddenInputs(hidden) });
    }

    #marked(properties: Properties): Properties {
        return withSecretsMarked(toState(properties), this.#host.lifecycle.definition);
    }

    /** The outputs after a create or an update. `__entries` of a library has all its inputs, so it is a secret unless `__plain` proves that none of them is. */
    #newOutputs(outputs: Properties, inputs: Properties): Properties {
        const { __plain, ...others } = inputs;
        const isPlain = __plain === plainDigest(others);
        const recorded = this.#toOutputs(outputs, { ...inputs, __plain: isPlain ? __plain : undefined });
        // The SDK adds `__provider` only where an operation succeeds. Without it, the record of a failed create could not be deleted.
        return { ...markedWhere(recorded, (name) => name === "__entries" && !isPlain), __provider: inputs.__provider };
    }

    /** The outputs after a failed update. Values of the earlier program may be among them, and the SDK does not tell which are secrets: all are marked. */
    #withEarlierMarked(outputs: Properties, news: Properties): Properties {
        const isLeft = (name: string) =>
            name === "__entries" || (this.#host.isInput(name) && !isDeepStrictEqual(outputs[name], news[name]));
        return markedWhere(this.#newOutputs(outputs, news), isLeft);
    }
}

/** The hidden inputs, which the outputs have to keep: a read or a delete gets the outputs alone. */
function keptHiddenInputs({ __urn, __timeouts, __attempt, __plain }: Properties): Properties {
    return { __urn, __timeouts, __attempt, __plain };
}

function urnOf({ __urn }: Properties): string {
    return typeof __urn === "string" ? __urn : "";
}

/** In a state that somebody has changed, a value of another type counts as left out: the default limit holds. */
const recordedTimeouts = z.catch(z.record(z.string(), z.catch(z.string(), "")), {});

function timeoutsOf({ __timeouts }: Properties): Timeouts {
    const texts = Object.entries(z.parse(recordedTimeouts, __timeouts));
    return Object.fromEntries(texts.map(([name, text]) => [name, parseDuration(text)]));
}

/**
 * Makes errors that the SDK can take: it hangs at `throw undefined`, and takes any error with an `id` for a resource that was created. `outputsOf`: makes the
 * outputs of a partial failure, which is such a resource.
 */
export async function withSdkErrors<T>(
    method: () => Promise<T>,
    outputsOf?: (outputs: Properties) => Properties,
): Promise<T> {
    try {
        return await method();
    } catch (error) {
        const plain = withoutStack(messageOf(error));
        if (!(error instanceof PartialFailure) || outputsOf === undefined) throw plain;
        throw Object.assign(plain, { id: error.id, properties: outputsOf(error.outputs), reasons: [plain.message] });
    }
}

/** The SDK prints `${error}: ${error.stack}` of an error in read, delete and diff, on the stack's row. The resource's row has the message already. */
const printedName = "pulumi-videograph";
const printedStack = "see the error of the resource";

function withoutStack(message: string): Error {
    return Object.assign(new Error(message), { toString: () => printedName, stack: printedStack });
}

/** Drops the lines that the SDK prints of these errors. */
export function dropPrintedErrors(): void {
    const print = console.error;
    console.error = (...texts: unknown[]) => {
        if (texts[0] !== `${printedName}: ${printedStack}`) print(...texts);
    };
}
