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

    /** Must not await: the SDK calls other methods before this promise resolves, and they would lack the settings. */
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
                // No failure names its property: otherwise the engine would print the property's value, decrypted.
                failures: problems.map((reason) => ({ property: "", reason })),
            };
        });
    }

    async diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
        return withSdkErrors(async () => {
            const difference = await this.#host.diff({ urn: urnOf(news), id, olds, news });
            // The record has `__plain` and the program does not: a value that the state stores in plain may be a secret now. The update stores it
            // again, encrypted.
            if (difference.kind === "none")
                return { changes: olds.__plain !== undefined && news.__plain === undefined };
            const { kind, because } = difference;
            const replaces = kind === "replace" && { replaces: because };
            // Without `changes`, the engine compares the inputs by itself, and shows what has changed. It does not compare outputs, and it fails at a
            // key whose path it cannot parse: in these cases it gets `changes: true`.
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
                // If the record has outputs of an earlier read (`__meta`), this is a refresh of a `.get`, and not its first read: the object was
                // deleted since.
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

    /**
     * The outputs after a create or an update. `__entries` of a library has all its inputs. So it is marked as a secret, unless `__plain` proves that
     * no input is one.
     */
    #newOutputs(outputs: Properties, inputs: Properties): Properties {
        const { __plain, ...others } = inputs;
        const isPlain = __plain === plainDigest(others);
        const recorded = this.#toOutputs(outputs, { ...inputs, __plain: isPlain ? __plain : undefined });
        // The SDK adds `__provider` only after a success. Without this property, the record of a failed create could not be deleted.
        return { ...markedWhere(recorded, (name) => name === "__entries" && !isPlain), __provider: inputs.__provider };
    }

    /**
     * The outputs after a failed update. Inputs that differ from the program's may be those of the earlier program. The SDK does not tell which of
     * them are secrets, so all of them are marked.
     */
    #withEarlierMarked(outputs: Properties, news: Properties): Properties {
        const isLeft = (name: string) =>
            name === "__entries" || (this.#host.isInput(name) && !isDeepStrictEqual(outputs[name], news[name]));
        return markedWhere(this.#newOutputs(outputs, news), isLeft);
    }
}

/** The hidden inputs that the outputs have to repeat: a read or a delete gets only the outputs. */
function keptHiddenInputs({ __urn, __timeouts, __attempt, __plain }: Properties): Properties {
    return { __urn, __timeouts, __attempt, __plain };
}

function urnOf({ __urn }: Properties): string {
    return typeof __urn === "string" ? __urn : "";
}

/** Reads the time limits in a state. If somebody has edited one so that it is no text, it counts as left out, and the default applies. */
const recordedTimeouts = z.catch(z.record(z.string(), z.catch(z.string(), "")), {});

function timeoutsOf({ __timeouts }: Properties): Timeouts {
    const texts = Object.entries(z.parse(recordedTimeouts, __timeouts));
    return Object.fromEntries(texts.map(([name, text]) => [name, parseDuration(text)]));
}

/**
 * Runs a method, and throws its errors in a form that the SDK can take. The SDK hangs at `throw undefined`. It takes any error with an `id` for a
 * resource that was created, so only a partial failure gets one. `outputsOf`: makes the outputs that are recorded after a partial failure.
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

/**
 * For an error in read, delete or diff, the SDK prints `${error}: ${error.stack}` on the stack's row, although the resource's row has the message.
 * With these two texts in place of both, `dropPrintedErrors` recognizes the line.
 */
const printedName = "pulumi-videograph";
const printedStack = "see the error of the resource";

function withoutStack(message: string): Error {
    return Object.assign(new Error(message), { toString: () => printedName, stack: printedStack });
}

/** Makes `console.error` drop the lines that the SDK prints of errors of `withSdkErrors`. */
export function dropPrintedErrors(): void {
    const print = console.error;
    console.error = (...texts: unknown[]) => {
        if (texts[0] !== `${printedName}: ${printedStack}`) print(...texts);
    };
}
