/** One object in one operation, and what is special about its kind: the definition, the requests, and the steps that only this kind has. */
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
    /** Adds a subtitle, or replaces the subtitle of the same language. */
    setSubtitle?(id: string, subtitle: Properties, options: CallOptions): Promise<void>;
    /** Sets the thumbnail. Returns the object as the service shows it afterwards. */
    setThumbnail?(id: string, thumbnail: Properties, options: CallOptions): Promise<T>;
}

/** How far an object is on its way to the declared form. `note`: tells the user what the next update will do about the object. */
export type Phase =
    | { is: "ready" }
    | { is: "pending"; note: Message }
    /** The object will never be ready. `problem` tells the user why. */
    | { is: "failed"; note: Message; status: string; problem: Message };

export function isWaitDue({ is: phase }: Phase, { waitForReady }: Properties): boolean {
    return phase !== "ready" && waitForReady !== false;
}

export interface Resource<T extends ServiceObject = ServiceObject> {
    definition: Definition;
    /** The time limits where the user has set no `customTimeouts`, in ms. */
    timeouts: Record<keyof Timeouts, number>;
    requests(api: VideographApi): ObjectRequests<T>;
    /** Problems of the inputs that no schema can describe. `id`: that of the object, if there is one. */
    problems?(inputs: Properties, context: CheckContext & { id?: string }): Message[];
    /** Waits for objects that a create needs, such as the source of a clip. Throws where the service would refuse the create. */
    beforeCreate?(subject: Subject): Promise<void>;
    /** `object`: as the service shows it, or as the state has recorded it. */
    phase(id: string, object: Partial<T>, meta?: Meta): Phase;
    wait(object: Partial<T>, subject: Subject, meta: Meta): Promise<ServiceObject>;
    /** The message for the user when `wait` has thrown `error`. */
    failure(id: string, error: unknown, operation: Operation): Message;
    afterDelete?(subject: Subject): Promise<void>;
}

/** What is known of an object while it is brought to the declared form. The outputs are made of the draft, also after a failure. */
export interface Draft {
    object: ServiceObject;
    meta: Meta;
    /** Requests that are still to be sent: until then the object lacks the inputs that they carry. */
    unsentRequests?: readonly OwnRequest[];
}

/** The object of an operation. A create has a subject before it has made the object. */
export class Subject {
    /** The object's id; "" until the create has made it. */
    id = "";
    /** Whether this create has sent the POST that made the object. False where the object was found, or adopted. */
    isNew = false;
    /** The outputs in the state; empty for a new object. */
    readonly olds: Properties;
    /** The inputs that the program declares; empty for a read and a delete. */
    readonly inputs: Properties;
    readonly deadline: Deadline;
    readonly redactor: Redactor;
    /** The options of the requests. Only those of a delete include the deadline: if the PUT of an update were cut off, its effect would be unknown. */
    readonly options: CallOptions & { signal: AbortSignal };

    /** `timeout`: which of the `customTimeouts` limits the operation. A read has no limit of its own, and takes that of an update. */
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

    /** Takes the id of the object, which exists now. Other resources learn its properties: a clip, for example, needs the length of its source. */
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

    /** Made for each use, because thousands of subjects are kept in memory while they wait. */
    get requests(): ObjectRequests {
        return this.resource.requests(this.operation.services.api);
    }

    get(): Promise<ServiceObject> {
        return this.requests.get(this.id, this.options);
    }

    /** Reads the recorded object; `undefined` when it surely does not exist. Throws where a 404 cannot be believed (operation/notFound.ts). */
    readRecorded(olds = this.olds): Promise<ServiceObject | undefined> {
        const { services, signal } = this.operation;
        return services.trust.read(this.label, olds, signal, () => this.get());
    }

    /**
     * Deletes the recorded object; false if there was none. The service may refuse to delete an object that it is deleting already: that counts as a
     * success.
     */
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
