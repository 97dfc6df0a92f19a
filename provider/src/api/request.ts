/** A request of the client, before it is sent. */
import type { Deadline } from "./clock";
import type { Redactor } from "./redact";
import type { Method } from "./transport";

/** What the caller of a method asks for. */
export interface CallOptions {
    /** Ends the call at once, with its reason. A create that is under way goes on to its answer, which is the object's id. */
    signal?: AbortSignal | undefined;
    /** When to give up, as `signal`. Default: a request has five tries, and 10 minutes in which it is sent again after each 429. */
    deadline?: Deadline | undefined;
    /** How often a request is sent, 429s not counted. */
    tries?: number | undefined;
    /** The secrets of the resource. The credentials are always removed. */
    redactor?: Redactor | undefined;
}

/** A request as the API's methods describe it. */
export interface ApiRequest extends CallOptions {
    method: Method;
    /** Below `/video/services/api/v1`, identifiers encoded. */
    path: string;
    query?: Record<string, string | number | boolean>;
    body?: unknown;
    /** Of a POST: it creates an object, so it must not be processed twice. */
    creates?: boolean;
    /** The method and the path, such as `GET /contents/5f2a`. */
    requestLine: string;
    /** The object's id, where the request is for one, and what follows it. */
    id?: string;
    part?: string;
    trustNotFound: boolean;
    redactor: Redactor;
}
