/** The errors of the service's HTTP API. Messages are one paragraph, redacted, and say what to do next. */
import type { Message } from "../messages";

/**
 * The meaning of a failed request for the object that it should create:
 * - `refused`: the service said no; nothing was created.
 * - `notProcessed`: the request was never sent, or was rejected unread; it may be sent again.
 * - `ambiguous`: unknown; search for the object before sending again.
 */
export type Outcome = "refused" | "notProcessed" | "ambiguous";

interface ApiErrorDetails {
    /** The HTTP status, when there was an answer. */
    status?: number | undefined;
    outcome: Outcome;
    /** The time that the service asked to wait, in ms. */
    retryAfter?: number | undefined;
}

/**
 * A failure of a request to the service. Each may pass, such as a 429, a 503 or no answer in time, but a {@link ClientError}: so one that no repetition
 * mends has to be that, or its request may be sent five times before the user reads why.
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

/** A 4xx without a class of its own, or a redirect: none is followed. */
export class ClientError extends ApiError {}
/** 403, or 401: these credentials are not allowed to do this. */
export class PermissionError extends ClientError {}
/** 401: the credentials are wrong. */
export class AuthenticationError extends PermissionError {}
/** 404 or 410, said by the service itself: the object does not exist, or these credentials cannot see it. */
export class NotFoundError extends ClientError {}
/** 404 or 410 for an object that the list shows. */
export class ListedNotFoundError extends NotFoundError {}
/**
 * 404 or 410 that does not come from the service itself, or that its list did not confirm: a gateway, a proxy or a wrong
 * baseUrl. It says nothing about the object.
 */
export class UnconfirmedNotFoundError extends ApiError {}
/** A list whose end is not known: part of it was refused. */
export class IncompleteListError extends ApiError {}
/** An answer that breaks the contract: not JSON, without an id, contradicting itself. */
export class MalformedAnswerError extends ApiError {}

/** No answer, because the connection failed. As a transport throws it, its message is the bare reason. */
export class ConnectionError extends ApiError {
    constructor(message: string, outcome: Outcome) {
        super(message as Message, { outcome });
    }
}
