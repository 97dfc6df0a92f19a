/** One object in one operation, and what the lifecycle needs of its kind: the definition, the requests, and special steps. */
import { ApiError, type CallOptions, type Collection, type Deadline, type VideographApi } from "../api";
import { isBeingDeleted } from "../api/status";
import { type Definition, wireBody } from "../definitions/definition";
import type { ServiceObject } from "../evidence/lists";
import type { OwnRequest } from "../inputs/ownRequests";
import { type Meta, metaOf } from "../inputs/recordedMeta";
import type { Change, CheckContext, Properties, Timeouts } from "../inputs/values";
import type { Message } from "../messages";
import type { Redactor } from "../secrets/redactor";
import { deadlineOf, type Operation } from "./operation";

/** The requests for one kind of object. */
export interface ObjectRequests<T extends ServiceObject = ServiceObject> extends Collection<T> {
    /** Adds a subtitle, or replaces the one of its language. Idempotent. */
    setSubtitle?(id: string, subtitle: Properties, options: CallOptions): Promise<void>;
    /** Sets the thumbnail, and returns the object afterwards. Idempotent. */
    setThumbnail?(id: string, thumbnail: Properties, options: CallOptions): Promise<T>;
}

/** The phase of an object on its way to the requested form. `note`: what the next update does about it. */
export type Phase =
    | { is: "ready" }
    | { is: "pending"; note: Message }
    /** Final: `status` is the object's, and `problem` tells the user the reason. */
    | { is: "failed"; note: Message; status: string; problem: Message };

export function isWaitDue({ is: phase }: Phase, { waitForReady }: Properties): boolean {
    return phase !== "ready" && waitForReady !== false;
}

export interface Resource<T extends ServiceObject = ServiceObject> {
    definition: Definition;
    /** Defaults of `customTimeouts`, in ms. */
    timeouts: Record<keyof Timeouts, number>;
    requests(api: VideographApi): ObjectRequests<T>;
    /** The problems of the inputs that the definition cannot describe; `id` is the object's, if it exists. */
    problems?(inputs: Properties, context: CheckContext & { id?: string }): Message[];
    /** Waits for other objects that a create needs. Throws where the service would refuse the create. */
    beforeCreate?(subject: Subject): Promise<void>;
    /** The phase of the object as the service shows it, or as it is recorded. */
    phase(id: string, object: Partial<T>, meta?: Meta): Phase;
    wait(object: Partial<T>, subject: Subject, meta: Meta): Promise<ServiceObject>;
    /** The message for an error of `wait`. */
    failure(id: string, error: unknown, operation: Operation): Message;
    afterDelete?(subject: Subject): Promise<void>;
}

/** Everything that is known of an object on its way to its declared form: its outputs are made of it, also after a failure. */
export interface Draft {
    object: ServiceObject;
    meta: Meta;
    /** The inputs that the object lacks until these requests are sent. */
    unsentRequests?: readonly OwnRequest[];
}

/** The object of an operation, also one that its create has still to make. */
export class Subject {
    /** The object's id; "" until the create has made it. */
    id = "";
    /** Whether the create has made it, and not found or adopted it. */
    isNew = false;
    /** The object's outputs in the state; empty for a new one. */
    readonly olds: Properties;
    /** The inputs that the program declares; empty for a read and a delete. */
    readonly inputs: Properties;
    readonly deadline: Deadline;
    readonly redactor: Redactor;
    /** The options of its requests. A delete gives up at its deadline; other callers add it where a request has to end there. */
    readonly options: CallOptions & { signal: AbortSignal };

    /** `timeout`: that of the operation. A read has no time limit of its own. */
    constructor(
        readonly resource: Resource,
        readonly operation: Operation,
        { id = "", olds = {}, news = {} }: Partial<Change>,
        timeout: keyof Timeouts = "update",
    ) {
        const { services, urn } = operation;
        this.olds = olds;
        this.inputs = news;
        this.redactor = services.secrets.redactorFor(resource.definition, [news, olds], { owner: urn });
        this.deadline = deadlineOf(operation, timeout, resource.timeouts);
        const deadline = timeout === "delete" ? this.deadline : undefined;
        this.options = { signal: operation.signal, redactor: this.redactor, deadline };
        if (id !== "") this.becomes(id);
    }

    /** The object exists. Notes its properties, by which checks and messages of other resources know it. */
    becomes(id: string, isNew = false): void {
        this.id = id;
        this.isNew = isNew;
        const { services, urn } = this.operation;
        services.claims.describe(id, urn, { ...this.olds, ...this.inputs });
    }

    /** The object's kind and id, such as `Content 5f2a`. */
    get label(): string {
        return `${this.resource.definition.name} ${this.id}`;
    }

    /** Made for each use: thousands of subjects are kept during the waits. */
    get requests(): ObjectRequests {
        return this.resource.requests(this.operation.services.api);
    }

    get(): Promise<ServiceObject> {
        return this.requests.get(this.id, this.options);
    }

    /** The recorded object; `undefined` when it surely does not exist. Throws where a 404 cannot be believed. */
    readRecorded(olds = this.olds): Promise<ServiceObject | undefined> {
        const { services, signal } = this.operation;
        return services.trust.read(this.label, olds, signal, () => this.get());
    }

    /** Deletes the recorded object; false if it did not exist. A refusal is no error if the object is being deleted. */
    async removeRecorded(): Promise<boolean> {
        const { services, signal } = this.operation;
        const remove = () => this.requests.remove(this.id, this.options).then(() => true);
        try {
            return (await services.trust.unlessDeleted(this.label, metaOf(this.olds), signal, remove)) ?? false;
        } catch (error) {
            if (!(error instanceof ApiError) || error.outcome !== "refused") throw error;
            const object = await this.readRecorded();
            if (object === undefined) return false;
            if (!isBeingDeleted(object.status)) throw error;
            return true;
        }
    }

    put(body: Properties): Promise<unknown> {
        return this.requests.put(this.id, wireBody(this.resource.definition.inputs.shape, body), this.options);
    }
}
