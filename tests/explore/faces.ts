/** The two faces of the provider, as the engine calls them: the real adapters, without a wire. */
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { Adapter } from "../../provider/dist/dynamic/adapter.js";
import { NativeResource } from "../../provider/dist/native/resource.js";
import { toStruct, valuesOf } from "../../provider/dist/native/wire.js";
import { PartialFailure } from "../../provider/dist/operation/operation.js";
import { signatureKey } from "../../provider/dist/secretValues/marks.js";
import type { Session } from "../../provider/dist/session/session.js";
import type { Kind, Properties, Row } from "./world.ts";

type Recorded = Pick<Row, "id" | "inputs" | "outputs">;

export interface FaceOf {
    check(urn: string, olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }>;
    diff(urn: string, row: Recorded, inputs: Properties): Promise<{ isChanged: boolean; isReplaced: boolean }>;
    create(urn: string, inputs: Properties): Promise<{ id: string; outputs: Properties }>;
    /** An empty id: the object is gone. */
    read(urn: string, row: Recorded): Promise<{ id: string; outputs: Properties }>;
    update(urn: string, row: Recorded, inputs: Properties): Promise<Properties>;
    delete(urn: string, row: Recorded): Promise<unknown>;
}

/** It gets secrets as plain values, and no URN but the one in its inputs. */
export class DynamicFace implements FaceOf {
    readonly #adapter: Adapter;

    constructor(session: Session, kind: Kind) {
        this.#adapter = new Adapter(session, kind);
    }

    async check(_urn: string, olds: Properties, news: Properties) {
        const { inputs, failures = [] } = await this.#adapter.check(copy(olds), news);
        return { inputs, failures: failures.map(({ reason }) => reason) };
    }

    async diff(_urn: string, { id, inputs: before, outputs }: Recorded, inputs: Properties) {
        const { changes, replaces = [] } = await this.#adapter.diff(id, plain(outputs), copy(inputs));
        const isChanged = changes ?? JSON.stringify(before) !== JSON.stringify(inputs);
        return { isChanged, isReplaced: replaces.length > 0 };
    }

    async create(_urn: string, inputs: Properties) {
        const { id, outs } = await this.#adapter.create(copy(inputs));
        return { id, outputs: outs as Properties };
    }

    async read(_urn: string, { id, outputs }: Recorded) {
        const { id: now = "", props } = await this.#adapter.read(id, plain(outputs));
        return { id: now, outputs: props as Properties };
    }

    async update(_urn: string, { id, outputs }: Recorded, inputs: Properties) {
        const { outs } = await this.#adapter.update(id, plain(outputs), copy(inputs));
        return outs as Properties;
    }

    delete(_urn: string, { id, outputs }: Recorded) {
        return this.#adapter.delete(id, plain(outputs));
    }
}

export class NativeFace implements FaceOf {
    readonly #resource: NativeResource;

    constructor(session: Session, kind: Kind) {
        this.#resource = new NativeResource(session, kind);
    }

    async check(urn: string, olds: Properties, news: Properties) {
        const request = new proto.CheckRequest().setUrn(urn).setOlds(toStruct(olds)).setNews(toStruct(news));
        const response = await this.#resource.check(request);
        const failures = response.getFailuresList().map((one) => one.getReason());
        return { inputs: valuesOf(response.getInputs()), failures };
    }

    async diff(urn: string, { id, inputs: before, outputs }: Recorded, inputs: Properties) {
        const request = new proto.DiffRequest().setUrn(urn).setId(id).setNews(toStruct(inputs));
        const response = await this.#resource.diff(request.setOlds(toStruct(outputs)).setOldInputs(toStruct(before)));
        const isChanged = response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME;
        return { isChanged, isReplaced: response.getReplacesList().length > 0 };
    }

    async create(urn: string, inputs: Properties) {
        const request = new proto.CreateRequest().setUrn(urn).setProperties(toStruct(inputs));
        const response = await this.#kept(this.#resource.create(request));
        return { id: response.getId(), outputs: valuesOf(response.getProperties()) };
    }

    async read(urn: string, { id, inputs, outputs }: Recorded) {
        const request = new proto.ReadRequest().setUrn(urn).setId(id).setInputs(toStruct(inputs));
        const response = await this.#resource.read(request.setProperties(toStruct(outputs)));
        return { id: response.getId(), outputs: valuesOf(response.getProperties()) };
    }

    async update(urn: string, { id, inputs: before, outputs }: Recorded, inputs: Properties) {
        const request = new proto.UpdateRequest().setUrn(urn).setId(id).setNews(toStruct(inputs));
        request.setOlds(toStruct(outputs)).setOldInputs(toStruct(before));
        return valuesOf((await this.#kept(this.#resource.update(request))).getProperties());
    }

    delete(urn: string, { id, outputs }: Recorded) {
        return this.#resource.delete(new proto.DeleteRequest().setUrn(urn).setId(id).setProperties(toStruct(outputs)));
    }

    /** A partial failure as the engine records it. */
    async #kept<T>(operation: Promise<T>): Promise<T> {
        return operation.catch((error: unknown) => {
            if (!(error instanceof PartialFailure)) throw error;
            const properties = valuesOf(toStruct(error.outputs));
            throw Object.assign(new Error(error.message), { id: error.id, properties });
        });
    }
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Recorded outputs without the marks of secrets. */
function plain(outputs: Properties): Properties {
    return JSON.parse(JSON.stringify(outputs), (_, part) => (part?.[signatureKey] === undefined ? part : part.value));
}
