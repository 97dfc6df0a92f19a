/** A request of the client, before it is sent. */
import type { Redactor } from "../secrets/redactor";
import type { Deadline } from "./clock";
import type { Method } from "./transport";

/** What the caller of a method of the client may set. */
export interface CallOptions {
    /** Ends the call at once when it is aborted. Only a create that is under way goes on to its answer, because the answer has the object's id. */
    signal?: AbortSignal | undefined;
    /** Ends the call like `signal`. Default: 10 minutes, in which a request is sent again after each 429. */
    deadline?: Deadline | undefined;
    /** How often the request is tried. Tries that end with a 429 do not count. */
    tries?: number | undefined;
    /** Hides the secrets of the resource in error messages. The client hides its credentials by itself. */
    redactor?: Redactor | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean>>;

/** A request, as a method of the client describes it to `requester.ts`. */
export interface ApiRequest extends CallOptions {
    method: Method;
    /** The path below `/video/services/api/v1`. Ids in it are percent-encoded. */
    path: string;
    query?: Query;
    body?: unknown;
    /** Whether the request creates an object. If it were processed twice, there would be two objects. */
    creates?: boolean;
    /** The method and the path, such as `GET /contents/5f2a`. */
    requestLine: string;
    /** The id of the object that the request is about. */
    id?: string;
    /** The rest of the path, behind the id, such as `/subtitles`. */
    part?: string;
    trustNotFound: boolean;
    redactor: Redactor;
}
