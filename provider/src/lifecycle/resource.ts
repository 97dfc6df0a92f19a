/** The lifecycle's needs of one kind of object: its definition, its requests, and its special steps. */
import type { CallOptions, Deadline, Redactor, VideographApi } from "../api";
import type { KindRequests } from "../create/search";
import type { Definition } from "../definitions/definition";
import type { ServiceObject } from "../evidence/lists";
import type { Meta } from "../inputs/recordedMeta";
import type { CheckContext, Properties, Timeouts } from "../inputs/values";
import type { Message } from "../messages";
import type { Operation } from "../operation/operation";

export interface ObjectRequests<T extends ServiceObject> extends KindRequests<T> {
    /** Adds a subtitle, or replaces the one of its language. Idempotent. */
    setSubtitle?(id: string, subtitle: Properties, options: CallOptions): Promise<void>;
    /** Sets the thumbnail, and returns the object afterwards. Idempotent. */
    setThumbnail?(id: string, thumbnail: Properties, options: CallOptions): Promise<T>;
}

/** The needs of one operation on an object, also on one that does not exist yet. */
export interface Target<T extends ServiceObject> {
    resource: Resource<T>;
    /** The object's outputs in the state; empty for a new one. */
    olds: Properties;
    /** The inputs that the program declares; empty for a read and a delete. */
    inputs: Properties;
    operation: Operation;
    deadline: Deadline;
    redactor: Redactor;
    requests: ObjectRequests<T>;
}

/** One object in one operation, with its requests. */
export interface Subject<T extends ServiceObject> extends Target<T> {
    id: string;
    /** The object's kind and id, such as `Content 5f2a`. */
    label: string;
    isNew: boolean;
    get(): Promise<T>;
    put(body: Properties): Promise<unknown>;
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

export interface Resource<T extends ServiceObject> {
    definition: Definition;
    /** Defaults of `customTimeouts`, in ms. */
    timeouts: Record<keyof Timeouts, number>;
    requests(api: VideographApi): ObjectRequests<T>;
    /** The problems of the inputs that the definition cannot describe; `id` is the object's, if it exists. */
    problems?(inputs: Properties, context: CheckContext & { id?: string }): Message[];
    /** Waits for other objects that a create needs. Throws where the service would refuse the create. */
    beforeCreate?(target: Target<T>): Promise<void>;
    /** The phase of the object as the service shows it, or as it is recorded. */
    phase(id: string, object: Partial<T>, meta?: Meta): Phase;
    wait(object: Partial<T>, subject: Subject<T>, meta: Meta): Promise<T>;
    /** The message for an error of `wait`. */
    failure(id: string, error: unknown, operation: Operation): Message;
    afterDelete?(subject: Subject<T>): Promise<void>;
}
