/** One resource type of the plugin: converts the engine's requests, calls `ResourceHost`, and marks the secrets in the answers. */

import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isFailed, isReady } from "../api/status";
import { ignoredInVain } from "../inputs/validate";
import type { Difference, Properties } from "../inputs/values";
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
        // Native types have the resource option `import` in place of the input `importId`.
        const isAdopting = lifecycle instanceof ManagedLifecycle;
        this.#host = new ResourceHost(session, isAdopting ? lifecycle.without("importId") : lifecycle);
    }

    async check(request: proto.CheckRequest): Promise<proto.CheckResponse> {
        // Native types have no `importId`, so a new one is refused below. An earlier one is no mistake: a resource that was dynamic has recorded it,
        // and `ignoreChanges` makes the engine send it again.
        const { importId, ...news } = fromStruct(request.getNews());
        const olds = fromStruct(request.getOlds());
        const { inputs, problems } = await this.#host.check({
            urn: request.getUrn(),
            olds,
            news,
            // The engine keeps the seed in an update plan. So the check makes the same `__attempt` when the plan is carried out, and the plan allows
            // it.
            seed: Buffer.from(request.getRandomseed_asU8()).toString("hex").slice(0, 16) || undefined,
        });
        if (holdsPrototypeKey(request.getNews())) problems.push(messages.keyLost({ input: "An input" }));
        if ((importId ?? olds.importId) !== olds.importId) problems.push(messages.importIdUnknown());
        return new proto.CheckResponse()
            .setInputs(this.#markedStruct(inputs, request.getNews()))
            .setFailuresList(checkFailures(problems));
    }

    async diff(request: proto.DiffRequest): Promise<proto.DiffResponse> {
        const { lifecycle, session } = this.#host;
        const change = changeIn(request, lifecycle);
        // The engine accepts any path in `ignoreChanges`. Without this warning, nobody would notice that `PlaybackPolicy`, as Go spells it, protects
        // nothing.
        for (const problem of ignoredInVain(request.getIgnorechangesList(), lifecycle.inputs))
            session.reporterFor(change.urn).warn(problem);
        const difference = await this.#host.diff(change);
        const isSent = asksForMore(lifecycle, difference, change);
        return diffResponse(isSent ? difference : this.#secrecyDifference(request), change);
    }

    async create(request: proto.CreateRequest): Promise<proto.CreateResponse> {
        const [urn, given] = [request.getUrn(), request.getProperties()];
        this.#noteSecrets(given);
        const inputs = fromStruct(given);
        if (request.getPreview()) {
            // Says which URLs end if this create replaces an object. For TypeScript, `diff` has said it: the unknown `__attempt` shows `diff` that
            // this is a preview. Other languages send no `__attempt`.
            this.#host.sayWhatEnds(urn, { kind: "replace", because: [] });
            return new proto.CreateResponse().setProperties(this.#markedStruct(createPreview(inputs), given));
        }
        const created = this.#host.create({ urn, timeouts: { create: limitIn(request) }, inputs });
        const { id, outputs } = await this.#failingMarked(created, given);
        return new proto.CreateResponse()
            .setId(id)
            .setProperties(this.#markedStruct(outputs, given))
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
        const updated = this.#host.update({ ...change, timeouts: { update: limitIn(request) } });
        // After a failure, the state keeps some values of the earlier program. The old record (`getOlds`) shows which of them are secrets.
        const outputs = await this.#failingMarked(updated, request.getNews(), request.getOlds());
        return new proto.UpdateResponse()
            .setProperties(this.#markedStruct(outputs, request.getNews()))
            .setRefreshBeforeUpdate(this.#isStale(outputs));
    }

    /** Reads an object: for a refresh, or for the first time (for an import, `.get` or `pulumi do`). */
    async read(request: proto.ReadRequest): Promise<proto.ReadResponse> {
        this.#noteSecrets(request.getProperties(), request.getInputs());
        const olds = withoutHidden(fromStruct(request.getProperties()));
        const [urn, id, inputs] = [request.getUrn(), request.getId(), fromStruct(request.getInputs())];
        // Every record has `__meta`, except that of a ContentReadiness, which always has `contentIds`.
        const isRecorded = (olds.__meta ?? olds.contentIds) !== undefined;
        const state: State | undefined = isRecorded
            ? await this.#host.read({ urn, id, timeouts: {}, olds, inputs })
            : await firstRead(this.#host, request);
        const response = new proto.ReadResponse();
        // An answer without an id tells the engine that there is no object.
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
        await this.#host.delete({ urn: request.getUrn(), timeouts: { delete: limitIn(request) }, id, olds });
        return new Empty();
    }

    /** Passes the result on. If an operation fails in part, its outputs go into the state too, so this marks the secrets in the error's outputs. */
    #failingMarked<T>(result: Promise<T>, ...given: (Struct | undefined)[]): Promise<T> {
        return result.catch((error: unknown) => {
            if (!(error instanceof PartialFailure)) throw error;
            throw new PartialFailure(error.id, this.#marked(error.outputs, given), messageFrom(error));
        });
    }

    /** Returns the properties for an answer. A property that is a secret in `given` is marked as a secret. */
    #markedStruct(properties: Properties, ...given: (Struct | undefined)[]): Struct {
        return toStruct(this.#marked(properties, given));
    }

    #marked(properties: Properties, given: (Struct | undefined)[]): Properties {
        return markedAsGiven(withSecretsMarked(properties, this.#host.lifecycle.definition), given.map(valuesOf));
    }

    /** Remembers the secrets in the request, so that no message quotes them. */
    #noteSecrets(...given: (Struct | undefined)[]): void {
        this.#host.session.secrets.note(secretTexts(given.map(valuesOf)));
    }

    /**
     * For inputs without a difference: an update if the program has made a value secret, else none. Without the update, the recorded outputs would
     * keep the value in plain text.
     */
    #secrecyDifference(request: proto.DiffRequest): Difference {
        const because = revealedIn(
            valuesOf(request.getOlds()),
            this.#marked(fromStruct(request.getOlds()), [request.getNews()]),
        );
        return because.length > 0 ? { kind: "update", because } : { kind: "none" };
    }

    /**
     * Whether the outputs are not final, because nobody waited for the content. The engine then reads them again before the next run
     * (`refreshBeforeUpdate`).
     */
    #isStale({ waitForReady, status }: Properties): boolean {
        return waitForReady === false && !isReady(status) && !isFailed(status);
    }
}

/** The program's time limit in ms. The engine sends 0 where there is none. */
function limitIn(request: { getTimeout(): number }): number | undefined {
    return request.getTimeout() * 1000 || undefined;
}
