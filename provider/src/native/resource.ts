/** One resource type for the engine: converts requests for the host, and marks the secrets in its answers. */

import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isBeingDeleted, isReady, isSettled } from "../api/status";
import { factsOf } from "../definitions/definition";
import { isEmpty } from "../inputs/properties";
import { metaOf, wasAdopted } from "../inputs/recordedMeta";
import { type Difference, hasUnknown, type Properties, type Timeouts } from "../inputs/values";
import type { State } from "../lifecycle/lifecycle";
import { ManagedLifecycle } from "../lifecycle/managed";
import { LifecycleError, messages } from "../messages";
import { lifecycles } from "../resources";
import { ResourceHost, withoutHidden } from "../session/resourceHost";
import { markedAsGiven, revealedIn, secretTexts, withSecretsMarked } from "../session/secretValues";
import type { Session } from "../session/session";
import type { ResourceKind } from "../typeTokens";
import { diffResponse } from "./detailedDiff";
import { createPreview, updatePreview } from "./previews";
import { checkFailures, fromStruct, holdsPrototypeKey, toStruct, valuesOf } from "./wire";

export class NativeResource {
    readonly #host: ResourceHost;
    readonly #kind: ResourceKind;

    constructor(session: Session, kind: ResourceKind) {
        const lifecycle = lifecycles[kind];
        // Native types have no `importId`: the resource option `import` takes its place.
        const isAdopting = lifecycle instanceof ManagedLifecycle;
        this.#host = new ResourceHost(session, isAdopting ? lifecycle.without("importId") : lifecycle);
        this.#kind = kind;
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
            .setInputs(this.toMarkedStruct(inputs, request.getNews()))
            .setFailuresList(checkFailures(problems));
    }

    async diff(request: proto.DiffRequest): Promise<proto.DiffResponse> {
        const { olds, oldInputs } = this.#recordedProperties(request);
        const news = withoutHidden(fromStruct(request.getNews()));
        const difference = await this.#host.diff({ urn: request.getUrn(), id: request.getId(), olds, oldInputs, news });
        const isOnlyDeclared = difference.kind === "update" && this.#isDeclaredLater(difference.because, olds, news);
        const sends = difference.kind !== "none" && !isOnlyDeclared;
        return diffResponse(sends ? difference : this.#secrecyDifference(request), oldInputs, news);
    }

    async create(request: proto.CreateRequest): Promise<proto.CreateResponse> {
        this.#noteSecrets(request.getProperties());
        const inputs = fromStruct(request.getProperties());
        if (request.getPreview()) {
            // Programs in other languages leave no attempt unknown.
            this.#host.sayWhatEnds(request.getUrn(), { kind: "replace", because: [] });
            // Only the inputs are certain: the service decides the rest.
            return new proto.CreateResponse().setProperties(
                this.toMarkedStruct(createPreview(withoutHidden(inputs)), request.getProperties()),
            );
        }
        const addressed = { urn: request.getUrn(), timeouts: timeoutOf("create", request) };
        const { id, outputs } = await this.#host.create({ ...addressed, inputs });
        return new proto.CreateResponse()
            .setId(id)
            .setProperties(this.toMarkedStruct(outputs, request.getProperties()))
            .setRefreshBeforeUpdate(this.#isStale(outputs));
    }

    async update(request: proto.UpdateRequest): Promise<proto.UpdateResponse> {
        this.#noteSecrets(request.getNews(), request.getOlds(), request.getOldInputs());
        const [urn, id] = [request.getUrn(), request.getId()];
        const { olds, oldInputs } = this.#recordedProperties(request);
        const change = { urn, id, olds, oldInputs, news: fromStruct(request.getNews()) };
        if (request.getPreview()) {
            const difference = await this.#host.diff(change);
            this.#host.sayWhatEnds(urn, difference);
            const news = withoutHidden(change.news);
            const preview = updatePreview(this.#host.lifecycle, difference, { olds, news });
            return new proto.UpdateResponse().setProperties(this.toMarkedStruct(preview, request.getNews()));
        }
        const outputs = await this.#host.update({ ...change, timeouts: timeoutOf("update", request) });
        return new proto.UpdateResponse()
            .setProperties(this.toMarkedStruct(outputs, request.getNews()))
            .setRefreshBeforeUpdate(this.#isStale(outputs));
    }

    /** Reads for a refresh, `.get`, `pulumi do` and an import. Only an import comes without inputs: `.get` has a hidden one (`hiddenInputs`). */
    async read(request: proto.ReadRequest): Promise<proto.ReadResponse> {
        this.#noteSecrets(request.getProperties(), request.getInputs());
        const olds = withoutHidden(fromStruct(request.getProperties()));
        const addressed = { urn: request.getUrn(), timeouts: {}, id: request.getId() };
        const isImport = !request.hasInputs();
        // A ContentReadiness has no `__meta`.
        const isRecorded =
            olds.__meta !== undefined || (this.#kind === "ContentReadiness" && olds.contentIds !== undefined);
        const state: State | undefined = isRecorded
            ? await this.#host.read({ ...addressed, olds, inputs: fromStruct(request.getInputs()) })
            : await this.#firstRead(await this.#host.find({ ...addressed, isImport }), isImport, request);
        const response = new proto.ReadResponse();
        // A response without an id means that the object was deleted, or never existed.
        if (state === undefined) return response;
        response.setId(state.id ?? request.getId());
        response.setProperties(this.toMarkedStruct(state.outputs, request.getProperties(), request.getInputs()));
        response.setRefreshBeforeUpdate(this.#isStale(state.outputs));
        if (state.inputs !== undefined) {
            const { __attempt, ...inputs } = fromStruct(request.getInputs());
            const all = { ...this.#unreadInputs(olds, inputs), ...state.inputs, __attempt };
            response.setInputs(this.toMarkedStruct(all, request.getInputs()));
        }
        return response;
    }

    async delete(request: proto.DeleteRequest): Promise<void> {
        this.#noteSecrets(request.getProperties());
        const addressed = { urn: request.getUrn(), timeouts: timeoutOf("delete", request) };
        const olds = fromStruct(request.getProperties());
        await this.#host.delete({ ...addressed, id: request.getId(), olds });
    }

    /** The properties as the engine should keep them: a value that was given as a secret stays one. */
    toMarkedStruct(properties: Properties, ...given: (Struct | undefined)[]): Struct {
        return toStruct(this.#marked(properties, given));
    }

    #marked(properties: Properties, given: (Struct | undefined)[]): Properties {
        return markedAsGiven(withSecretsMarked(properties, this.#host.lifecycle.definition), given.map(valuesOf));
    }

    /** Notes the secrets among the values that the engine has sent: messages do not quote them. */
    #noteSecrets(...given: (Struct | undefined)[]): void {
        this.#host.session.noteSecrets(secretTexts(given.map(valuesOf)));
    }

    /** The difference if at most the secrecy of values has changed: an update without a request records the outputs again. */
    #secrecyDifference(request: proto.DiffRequest): Difference {
        const because = revealedIn(
            valuesOf(request.getOlds()),
            this.#marked(fromStruct(request.getOlds()), [request.getNews()]),
        );
        return because.length > 0 ? { kind: "update", because } : { kind: "none" };
    }

    /** The state after a first read. An import records only its inputs, since only these are managed (N2). `.get` has no program, and shows all. */
    async #firstRead(
        found: State | undefined,
        isImport: boolean,
        request: proto.ReadRequest,
    ): Promise<State | undefined> {
        if (found === undefined && isImport)
            throw new LifecycleError(messages.noSuchObject({ object: `${this.#kind} ${request.getId()}` }));
        if (found === undefined) return undefined;
        const { outputs } = found;
        // An import does not wait. Without this input the next preview would show a wait, also to the program that `adopt` writes.
        const isPending = isImport && this.#kind === "Content" && !isReady(String(outputs.status));
        const inputs: Properties = { ...found.inputs, ...(isPending && { waitForReady: false }) };
        const meta = metaOf(outputs);
        const __meta = { ...meta, ...(meta.mark !== undefined && { imported: true }) };
        if (!isImport) return { inputs, outputs: { ...outputs, __meta: { ...__meta, external: true } } };
        // The next refresh would remove an object that is being deleted from the state.
        if (isBeingDeleted(typeof outputs.status === "string" ? outputs.status : undefined)) return undefined;
        const [id, urn] = [request.getId(), request.getUrn()];
        await this.#host.checkImport({ kind: this.#kind, id, urn }, meta.mark);
        const computed = Object.entries(outputs).filter(([name]) => !this.#host.isInput(name));
        return { inputs, outputs: { ...inputs, ...Object.fromEntries(computed), __meta } };
    }

    /** Whether a content was not waited for: the engine then reads it before the next run, and programs get its final outputs. */
    #isStale({ waitForReady, status }: Properties): boolean {
        return this.#kind === "Content" && waitForReady === false && !isSettled(String(status));
    }

    /** The engine's record. `pulumi do` gives the outputs of a read: an empty value there was never declared, so no change removes it. */
    #recordedProperties(request: proto.DiffRequest | proto.UpdateRequest): { olds: Properties; oldInputs: Properties } {
        const oldInputs = withoutHidden(fromStruct(request.getOldInputs()));
        const recorded = Object.entries(withoutHidden(fromStruct(request.getOlds()))).filter(
            ([name, value]) => !isEmpty(value) || oldInputs[name] !== undefined || !this.#host.isInput(name),
        );
        const olds = Object.fromEntries(recorded);
        return { olds: { ...this.#unreadInputs(olds, oldInputs), ...olds }, oldInputs };
    }

    /** The values of an imported object that no request can change and the service does not return: only the inputs have them. */
    #unreadInputs(olds: Properties, inputs: Properties): Properties {
        if (!wasAdopted(metaOf(olds))) return {};
        const unshown = Object.entries(this.#host.lifecycle.definition?.inputs.shape ?? {}).filter(
            ([name, schema]) =>
                factsOf(schema).change === "createOnly" && olds[name] === undefined && inputs[name] !== undefined,
        );
        return Object.fromEntries(unshown.map(([name]) => [name, inputs[name]]));
    }

    /** Whether the program only declares values that the import could not read: nothing has to be sent. */
    #isDeclaredLater(because: readonly string[], olds: Properties, news: Properties): boolean {
        const unshown = this.#unreadInputs(olds, news);
        return because.every((name) => name in unshown && !hasUnknown(news[name]));
    }
}

function timeoutOf(name: keyof Timeouts, request: { getTimeout(): number }): Timeouts {
    const seconds = request.getTimeout();
    return seconds > 0 ? { [name]: seconds * 1000 } : {};
}
