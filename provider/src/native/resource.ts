/** One resource type for the engine: converts requests for the host, and marks the secrets in its answers. */

import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isSettled } from "../api/status";
import { closest } from "../inputs/validate";
import type { Difference, Properties, Timeouts } from "../inputs/values";
import type { State } from "../lifecycle/lifecycle";
import { ManagedLifecycle } from "../lifecycle/managed";
import { messageFrom, messages } from "../messages";
import { PartialFailure } from "../operation/operation";
import { lifecycles } from "../resources";
import { markedAsGiven, revealedIn, secretTexts, withSecretsMarked } from "../secretValues/marks";
import { ResourceHost, withoutHidden } from "../session/resourceHost";
import type { Session } from "../session/session";
import type { ResourceKind } from "../typeTokens";
import { diffResponse } from "./detailedDiff";
import { firstRead } from "./firstRead";
import { createPreview, updatePreview } from "./previews";
import { asksForMore, changeIn, unreadInputs } from "./recorded";
import { checkFailures, fromStruct, holdsPrototypeKey, toStruct, valuesOf } from "./wire";

export class NativeResource {
    readonly #host: ResourceHost;

    constructor(session: Session, kind: ResourceKind) {
        const lifecycle = lifecycles[kind];
        // Native types have no `importId`: the resource option `import` takes its place.
        const isAdopting = lifecycle instanceof ManagedLifecycle;
        this.#host = new ResourceHost(session, isAdopting ? lifecycle.without("importId") : lifecycle);
    }

    async check(request: proto.CheckRequest): Promise<proto.CheckResponse> {
        // With `ignoreChanges` the engine gives recorded inputs again: hidden ones, and the importId of the dynamic type.
        const { importId, ...news } = fromStruct(request.getNews());
        const olds = fromStruct(request.getOlds());
        const { inputs, problems } = await this.#host.check({
            urn: request.getUrn(),
            olds,
            news,
            // An update plan keeps the engine's seed.
            seed: Buffer.from(request.getRandomseed_asU8()).toString("hex").slice(0, 16) || undefined,
        });
        if (holdsPrototypeKey(request.getNews())) problems.push(messages.keyLost({ input: "An input" }));
        if ((importId ?? olds.importId) !== olds.importId) problems.push(messages.importIdUnknown());
        return new proto.CheckResponse()
            .setInputs(this.#markedStruct(inputs, request.getNews()))
            .setFailuresList(checkFailures(problems));
    }

    async diff(request: proto.DiffRequest): Promise<proto.DiffResponse> {
        const { lifecycle } = this.#host;
        this.#warnOfUnknown(request.getIgnorechangesList(), request.getUrn());
        const change = changeIn(request, lifecycle);
        const difference = await this.#host.diff(change);
        const isSent = asksForMore(lifecycle, difference, change);
        return diffResponse(isSent ? difference : this.#secrecyDifference(request), change);
    }

    /** The engine takes any path. Without this, the name of a field in Go or C#, such as `PlaybackPolicy`, would guard nothing, and nobody would notice. */
    #warnOfUnknown(ignored: readonly string[], urn: string): void {
        const { lifecycle, session } = this.#host;
        for (const path of ignored) {
            const [, quoted, name = quoted ?? ""] = /^(?:\["([^"]*)"\]|([^.[]*))/.exec(path) ?? [];
            // An option of all resources of a stack may name what this one does not have.
            const meant = lifecycle.inputs.includes(name) ? undefined : closest(name, lifecycle.inputs);
            if (meant !== undefined) session.reporterFor(urn).warn(messages.nothingIgnored({ name, meant }));
        }
    }

    async create(request: proto.CreateRequest): Promise<proto.CreateResponse> {
        this.#noteSecrets(request.getProperties());
        const inputs = fromStruct(request.getProperties());
        if (request.getPreview()) {
            // Programs in other languages leave no attempt unknown.
            this.#host.sayWhatEnds(request.getUrn(), { kind: "replace", because: [] });
            // Only the inputs are certain: the service decides the rest.
            return new proto.CreateResponse().setProperties(
                this.#markedStruct(createPreview(inputs), request.getProperties()),
            );
        }
        const created = this.#host.create({ urn: request.getUrn(), timeouts: timeoutOf("create", request), inputs });
        const { id, outputs } = await this.#failingMarked(created, request.getProperties());
        return new proto.CreateResponse()
            .setId(id)
            .setProperties(this.#markedStruct(outputs, request.getProperties()))
            .setRefreshBeforeUpdate(this.#isStale(outputs));
    }

    async update(request: proto.UpdateRequest): Promise<proto.UpdateResponse> {
        this.#noteSecrets(request.getNews(), request.getOlds(), request.getOldInputs());
        const change = changeIn(request, this.#host.lifecycle);
        if (request.getPreview()) {
            const difference = await this.#host.diff(change);
            this.#host.sayWhatEnds(change.urn, difference);
            const preview = updatePreview(this.#host.lifecycle, difference, change);
            return new proto.UpdateResponse().setProperties(this.#markedStruct(preview, request.getNews()));
        }
        const updated = this.#host.update({ ...change, timeouts: timeoutOf("update", request) });
        // After a failure the record may still hold secrets of the earlier program.
        const outputs = await this.#failingMarked(updated, request.getNews(), request.getOlds());
        return new proto.UpdateResponse()
            .setProperties(this.#markedStruct(outputs, request.getNews()))
            .setRefreshBeforeUpdate(this.#isStale(outputs));
    }

    /** Reads for a refresh, or for the first time. */
    async read(request: proto.ReadRequest): Promise<proto.ReadResponse> {
        this.#noteSecrets(request.getProperties(), request.getInputs());
        const olds = withoutHidden(fromStruct(request.getProperties()));
        const [urn, id, inputs] = [request.getUrn(), request.getId(), fromStruct(request.getInputs())];
        // A ContentReadiness has no `__meta`.
        const isRecorded = (olds.__meta ?? olds.contentIds) !== undefined;
        const state: State | undefined = isRecorded
            ? await this.#host.read({ urn, id, timeouts: {}, olds, inputs })
            : await firstRead(this.#host, request);
        const response = new proto.ReadResponse();
        // A response without an id means that the object was deleted, or never existed.
        if (state === undefined) return response;
        response.setId(state.id ?? id);
        response.setProperties(this.#markedStruct(state.outputs, request.getProperties(), request.getInputs()));
        response.setRefreshBeforeUpdate(this.#isStale(state.outputs));
        if (state.inputs !== undefined) {
            const { __attempt, ...given } = inputs;
            const all = { ...unreadInputs(this.#host.lifecycle, olds, given), ...state.inputs, __attempt };
            response.setInputs(this.#markedStruct(all, request.getInputs()));
        }
        return response;
    }

    async delete(request: proto.DeleteRequest): Promise<Empty> {
        this.#noteSecrets(request.getProperties());
        const [id, olds] = [request.getId(), fromStruct(request.getProperties())];
        await this.#host.delete({ urn: request.getUrn(), timeouts: timeoutOf("delete", request), id, olds });
        return new Empty();
    }

    /** The result; what a failure keeps is marked as an answer would be. */
    #failingMarked<T>(result: Promise<T>, ...given: (Struct | undefined)[]): Promise<T> {
        return result.catch((error: unknown) => {
            if (!(error instanceof PartialFailure)) throw error;
            throw new PartialFailure(error.id, this.#marked(error.outputs, given), messageFrom(error));
        });
    }

    /** The properties as the engine should keep them: a value that was given as a secret stays one. */
    #markedStruct(properties: Properties, ...given: (Struct | undefined)[]): Struct {
        return toStruct(this.#marked(properties, given));
    }

    #marked(properties: Properties, given: (Struct | undefined)[]): Properties {
        return markedAsGiven(withSecretsMarked(properties, this.#host.lifecycle.definition), given.map(valuesOf));
    }

    /** Notes the secrets among the values that the engine has sent: messages do not quote them. */
    #noteSecrets(...given: (Struct | undefined)[]): void {
        this.#host.session.secrets.note(secretTexts(given.map(valuesOf)));
    }

    /** The difference if at most the secrecy of values has changed: an update without a request records the outputs again. */
    #secrecyDifference(request: proto.DiffRequest): Difference {
        const because = revealedIn(
            valuesOf(request.getOlds()),
            this.#marked(fromStruct(request.getOlds()), [request.getNews()]),
        );
        return because.length > 0 ? { kind: "update", because } : { kind: "none" };
    }

    /** Whether a content was not waited for: the engine then reads it before the next run, and programs get its final outputs. */
    #isStale({ waitForReady, status }: Properties): boolean {
        return waitForReady === false && !isSettled(String(status));
    }
}

function timeoutOf(name: keyof Timeouts, request: { getTimeout(): number }): Timeouts {
    const seconds = request.getTimeout();
    return seconds > 0 ? { [name]: seconds * 1000 } : {};
}
