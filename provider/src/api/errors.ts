/** The errors of requests to the service. Their messages are one paragraph without secrets, and say what to do next. */
import type { Message } from "../messages";

/**
 * What a failed create leaves behind:
 * - `refused`: nothing. The service said no.
 * - `notProcessed`: nothing. The request was not sent, or was rejected unread, so it may be sent again.
 * - `ambiguous`: perhaps an object. It has to be searched for before the request is sent again.
 */
export type Outcome = "refused" | "notProcessed" | "ambiguous";

interface ApiErrorDetails {
    /** The HTTP status; `undefined` where there was no answer. */
    status?: number | undefined;
    outcome: Outcome;
    /** The time in ms for which the service asked to wait. */
    retryAfter?: number | undefined;
}

/**
 * A request to the service has failed, and may succeed when it is sent again: after a 429, a 503 or a timeout, for example. If no repetition can
 * succeed, throw a {@link ClientError}: otherwise the request is sent five times before the user reads the error.
 */
export class ApiError extends Error {
    declare readonly message: Message;
    readonly status: number | undefined;
    readonly outcome: Outcome;
    readonly retryAfter: number | undefined;

    constructor(message: Message, details: ApiErrorDetails) {
        super(message);
        this.name = new.target.name;
        this.status = details.status;
        this.outcome = details.outcome;
        this.retryAfter = details.retryAfter;
    }
}

/** Sending the request again would not help: a 4xx without a class of its own, or a redirect, which is never followed. */
export class ClientError extends ApiError {}
/** HTTP 403, or 401: these credentials may not do this. */
export class PermissionError extends ClientError {}
/** HTTP 401: the credentials are wrong. */
export class AuthenticationError extends PermissionError {}
/** HTTP 404 or 410 of the service itself: the object does not exist, or these credentials cannot see it. */
export class NotFoundError extends ClientError {}
/** HTTP 404 or 410 for an object that the service's list shows nevertheless. */
export class ListedNotFoundError extends NotFoundError {}
/**
 * HTTP 404 or 410 that proves nothing, so the object may exist. Either another server may have sent it (a gateway, a proxy, a wrong `baseUrl`), or the
 * list that would confirm it could not be read.
 */
export class UnconfirmedNotFoundError extends ApiError {}
/** The service refused a part of a list, or repeated pages: the list may have more objects than were read. */
export class IncompleteListError extends ApiError {}
/** The answer breaks the service's contract: it is not JSON, has no id, or contradicts itself. */
export class MalformedAnswerError extends ApiError {}

/** The connection failed before there was an answer. A `Transport` throws it with the reason alone, and `requester.ts` adds which request it was. */
export class ConnectionError extends ApiError {
    constructor(message: string, outcome: Outcome) {
        super(message as Message, { outcome });
    }
}
