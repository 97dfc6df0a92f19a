/** One resource type for the engine: converts requests for the host, and marks the secrets in its answers. */

import type {
    CheckRequest,
    CreateRequest,
    DeleteRequest,
    DiffRequest,
    ReadRequest,
    UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import {
    CheckFailure,
    CheckResponse,
    CreateResponse,
    type DiffResponse,
    ReadResponse,
    UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { catalogueEntries } from "../evidence/library";
import { isEmpty } from "../inputs/properties";
import { metaOf, recordedMeta, wasAdopted } from "../inputs/recordedMeta";
import { hasUnknown } from "../inputs/unknown";
import { type Lifecycle, LifecycleError, type Properties, type State, type Timeouts } from "../lifecycle";
import { messages } from "../messages";
import { ResourceHost } from "../session/resourceHost";
import { holdsPresigned, marked, type Secrets, secret } from "../session/secretValues";
import type { Session } from "../session/session";
import { attemptIn, declared, newAttempt } from "../session/state";
import type { ResourceKind } from "../typeTokens";
import { isLeaving, isSettled } from "../wait/status";
import { diffResponse } from "./detailedDiff";
import { createPreview, updatePreview } from "./previews";
import { fromStruct, hasLostKey, toStruct } from "./wire";

/** The special properties of a type. */
export interface Special extends Secrets {
    /** Inputs that only a create sends. */
    createOnly: readonly string[];
}

export class NativeResource {
    readonly #session: Session;
    readonly #host: ResourceHost;
    readonly #kind: ResourceKind;
    readonly #special: Special;

    constructor(session: Session, kind: ResourceKind, lifecycle: Lifecycle, special: Special) {
        this.#session = session;
        this.#host = new ResourceHost(session, lifecycle);
        this.#kind = kind;
        this.#special = special;
    }

    async check(request: CheckRequest): Promise<CheckResponse> {
        const recorded = fromStruct(request.getOlds());
        const isNew = Object.keys(recorded).length === 0;
        // With `ignoreChanges: ["*"]` the engine gives the recorded inputs again, hidden ones included.
        const program = fromStruct(request.getNews());
        const { importId, __organization, ...news } = declared(program);
        this.#session.noteOrganization(__organization);
        const checked = await this.#host.check({
            urn: request.getUrn(),
            olds: isNew ? undefined : declared(recorded),
            news,
        });
        const problems = importId === undefined || importId === null ? [] : [messages.importIdUnknown()];
        if (hasLostKey(request)) problems.push(messages.keyLost({ input: "An input" }));
        const __attempt = isNew ? this.#newAttempt(program, request) : recorded.__attempt;
        const response = new CheckResponse();
        const inputs = { ...this.#marked(withSecretEntries(this.#kind, checked.inputs)), __attempt };
        response.setInputs(toStruct(inputs));
        response.setFailuresList([...problems, ...checked.problems].map(checkFailure));
        return response;
    }

    /** Generated SDKs send none: an update plan keeps the engine's seed. */
    #newAttempt({ __attempt }: Properties, request: CheckRequest): unknown {
        if (this.#kind === "ContentReadiness") return undefined;
        if (__attempt !== undefined) return newAttempt(__attempt, this.#session.random);
        return Buffer.from(request.getRandomseed_asU8()).toString("hex").slice(0, 16) || undefined;
    }

    async diff(request: DiffRequest): Promise<DiffResponse> {
        const { olds, oldInputs } = this.#recordedIn(request);
        const news = declared(fromStruct(request.getNews()));
        const difference = await this.#host.diff({ urn: request.getUrn(), id: request.getId(), olds, oldInputs, news });
        const isNothing = difference.kind === "update" && this.#isDeclaredLater(difference.because, olds, news);
        return diffResponse(isNothing ? { kind: "none" } : difference, { oldInputs, news });
    }

    async create(request: CreateRequest): Promise<CreateResponse> {
        const properties = fromStruct(request.getProperties());
        const inputs = declared(properties);
        const response = new CreateResponse();
        if (request.getPreview()) {
            // Only the inputs are certain: the service decides the rest.
            response.setProperties(toStruct(this.#marked(createPreview(this.#kind, inputs))));
            return response;
        }
        const { id, outputs } = await this.#host.create({
            urn: request.getUrn(),
            timeouts: timeout("create", request),
            attempt: attemptIn(properties),
            inputs,
        });
        response.setId(id);
        response.setProperties(toStruct(this.outputs(outputs)));
        response.setRefreshBeforeUpdate(this.#isStale(outputs));
        return response;
    }

    async update(request: UpdateRequest): Promise<UpdateResponse> {
        const urn = request.getUrn();
        const id = request.getId();
        const { olds, oldInputs } = this.#recordedIn(request);
        const properties = fromStruct(request.getNews());
        const news = declared(properties);
        const response = new UpdateResponse();
        if (request.getPreview()) {
            const difference = await this.#host.diff({ urn, id, olds, oldInputs, news });
            const known = updatePreview(this.#kind, difference, (name) => this.#host.isInput(name), { olds, news });
            response.setProperties(toStruct(this.outputs(known)));
            return response;
        }
        const outputs = await this.#host.update({
            urn,
            timeouts: timeout("update", request),
            attempt: attemptIn(properties),
            id,
            olds,
            oldInputs,
            news,
        });
        response.setProperties(toStruct(this.outputs(outputs)));
        response.setRefreshBeforeUpdate(this.#isStale(outputs));
        return response;
    }

    /** A refresh, `.get` or `pulumi do`, or an import: only the import comes without inputs. */
    async read(request: ReadRequest): Promise<ReadResponse> {
        const olds = declared(fromStruct(request.getProperties()));
        const addressed = { urn: request.getUrn(), timeouts: {}, id: request.getId() };
        const state = this.#isRecorded(olds)
            ? await this.#host.read({ ...addressed, olds })
            : this.#found(await this.#host.find(addressed), request);
        const response = new ReadResponse();
        // Without an id it means that the object was deleted, or never existed.
        if (state === undefined) return response;
        response.setId(request.getId());
        response.setProperties(toStruct(this.outputs(state.outputs)));
        response.setRefreshBeforeUpdate(this.#isStale(state.outputs));
        if (state.inputs !== undefined) {
            const { __attempt, ...inputs } = fromStruct(request.getInputs());
            const untold = this.#untold(olds, declared(inputs));
            response.setInputs(toStruct({ ...this.#marked({ ...untold, ...state.inputs }), __attempt }));
        }
        return response;
    }

    async delete(request: DeleteRequest): Promise<void> {
        const olds = declared(fromStruct(request.getProperties()));
        const addressed = { urn: request.getUrn(), timeouts: timeout("delete", request) };
        await this.#host.delete({ ...addressed, id: request.getId(), olds });
    }

    /** The outputs as the engine should keep them. */
    outputs(outputs: Properties): Properties {
        const { importId: _, ...rest } = outputs;
        return this.#marked(rest);
    }

    /**
     * What an import does not declare is not managed, so it is not recorded either: a program that leaves out empty values
     * and defaults changes nothing (N2). `.get` has no program to compare with, and shows everything.
     */
    #found(found: State | undefined, request: ReadRequest): State | undefined {
        const isImport = !request.hasInputs();
        if (found === undefined && isImport) {
            throw new LifecycleError(messages.nothingToImport({ object: `${this.#kind} ${request.getId()}` }));
        }
        if (found === undefined) return undefined;
        const { inputs, outputs } = found;
        const { marker } = metaOf(outputs);
        const meta = { ...metaOf(outputs), ...(marker !== undefined && { imported: true }) };
        const __meta = recordedMeta(meta);
        if (!isImport) return { inputs, outputs: { ...outputs, __meta } };
        // The next refresh would remove an object that is being deleted from the state.
        if (isLeaving(typeof outputs.status === "string" ? outputs.status : undefined)) return undefined;
        const [id, urn] = [request.getId(), request.getUrn()];
        this.#host.noteImport({ object: `${this.#kind} ${id}`, id, urn }, marker);
        const computed = Object.entries(outputs).filter(([name]) => !this.#host.isInput(name));
        return { inputs, outputs: { ...inputs, ...Object.fromEntries(computed), __meta } };
    }

    /** A content that was not waited for: the engine asks for it before the next run, and programs get its final outputs. */
    #isStale({ waitForReady, status }: Properties): boolean {
        return this.#kind === "Content" && waitForReady === false && !isSettled(String(status));
    }

    /**
     * What the engine has of the object. `pulumi do` has the outputs of a read: what is empty there and was never an input is
     * not removed by a change.
     */
    #recordedIn(request: DiffRequest | UpdateRequest): { olds: Properties; oldInputs: Properties } {
        const oldInputs = declared(fromStruct(request.getOldInputs()));
        const recorded = Object.entries(declared(fromStruct(request.getOlds()))).filter(
            ([name, value]) => oldInputs[name] !== undefined || !isEmpty(value),
        );
        const olds = Object.fromEntries(recorded);
        return { olds: { ...this.#untold(olds, oldInputs), ...olds }, oldInputs };
    }

    /** The values of an imported object that no request can change and the service does not return: only the inputs have them. */
    #untold(olds: Properties, inputs: Properties): Properties {
        if (!wasAdopted(metaOf(olds))) return {};
        const names = this.#special.createOnly.filter((name) => olds[name] === undefined && inputs[name] !== undefined);
        return Object.fromEntries(names.map((name) => [name, inputs[name]]));
    }

    /** Whether a program only declares values now that its import could not read: nothing has to be sent. */
    #isDeclaredLater(because: readonly string[], olds: Properties, news: Properties): boolean {
        const untold = this.#untold(olds, news);
        return because.every((name) => name in untold && !hasUnknown(news[name]));
    }

    #isRecorded(olds: Properties): boolean {
        return olds.__meta !== undefined || (this.#kind === "ContentReadiness" && olds.contentIds !== undefined);
    }

    #marked(properties: Properties): Properties {
        return marked(properties, this.#special);
    }
}

/** Of a library's inputs, what opens a file to anyone is secret: in a map each such input, of a text all of it. */
function withSecretEntries(kind: ResourceKind, inputs: Properties): Properties {
    if (kind !== "ContentLibrary") return inputs;
    const hidden = (bag: unknown) => {
        if (typeof bag !== "object" || bag === null || Array.isArray(bag)) return bag;
        return Object.fromEntries(
            Object.entries(bag).map(([name, value]) => [name, holdsPresigned(value) ? secret(value) : value]),
        );
    };
    const { contents, catalogue, defaults } = inputs;
    const entries = typeof contents === "object" &&
        contents !== null && {
            contents: Object.fromEntries(Object.entries(contents).map(([key, entry]) => [key, hidden(entry)])),
        };
    const text = holdsPresigned(catalogueEntries(catalogue)) && { catalogue: secret(catalogue) };
    return { ...inputs, ...entries, ...text, ...(defaults !== undefined && { defaults: hidden(defaults) }) };
}

export function checkFailure(reason: string): CheckFailure {
    const failure = new CheckFailure();
    // A named property would be printed with its value, decrypted.
    failure.setProperty("");
    failure.setReason(reason);
    return failure;
}

function timeout(name: keyof Timeouts, request: { getTimeout(): number }): Timeouts {
    const seconds = request.getTimeout();
    return seconds > 0 ? { [name]: seconds * 1000 } : {};
}
