/** A request of the client, before it is sent. */
import type { Redactor } from "../secrets/redactor";
import type { Deadline } from "./clock";
import type { Method } from "./transport";

/** The options of a method's caller. */
export interface CallOptions {
    /** The signal that ends the call at once, with its reason. A create that is under way goes on to its answer, which has the object's id. */
    signal?: AbortSignal | undefined;
    /** The time to give up, as at `signal`. Default: a request has five tries, and 10 minutes in which it is sent again after each 429. */
    deadline?: Deadline | undefined;
    /** The number of tries of a request, 429s not counted. */
    tries?: number | undefined;
    /** The secrets of the resource. The credentials are always removed. */
    redactor?: Redactor | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean>>;

/** A request as the API's methods describe it. */
export interface ApiRequest extends CallOptions {
    method: Method;
    /** The path below `/video/services/api/v1`, with identifiers encoded. */
    path: string;
    query?: Query;
    body?: unknown;
    /** Whether a POST creates an object, so that it must not be processed twice. */
    creates?: boolean;
    /** The method and the path, such as `GET /contents/5f2a`. */
    requestLine: string;
    /** The object's id, where the request is for one, and the rest of the path. */
    id?: string;
    part?: string;
    trustNotFound: boolean;
    redactor: Redactor;
}
