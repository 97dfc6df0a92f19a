/** Turns an answer that is not a success into an error of the right class, with words that help. */
import {
    type ApiError,
    AuthenticationError,
    BadRequestError,
    ClientError,
    ConflictError,
    MalformedAnswerError,
    NotFoundError,
    type Outcome,
    PermissionError,
    RateLimitError,
    ServerError,
    UnconfirmedNotFoundError,
    UnprocessableError,
} from "./errors";
import { errorTexts } from "./errorText";
import type { RequestName } from "./exchange";
import { gatewayAdvice, isOwnNotFound, keptAdvice } from "./notFound";
import { sanitize } from "./sanitize";

/** What the words of an error are made of. */
export interface FailedAnswer extends RequestName {
    status: number;
    /** As text, of any format. */
    body: string;
    retryAfter?: number | undefined;
}

interface Kind {
    error: new (...parameters: ConstructorParameters<typeof ApiError>) => ApiError;
    what: string;
    advice: string;
}

const kinds: Record<number, Kind> = {
    400: {
        error: BadRequestError,
        what: "the service does not accept the request",
        advice: "Correct what it names, or the property that was changed last.",
    },
    401: {
        error: AuthenticationError,
        what: "the service does not accept the access token",
        advice: "Check that accessTokenId and secretKey belong to the same token, and to this baseUrl.",
    },
    403: {
        error: PermissionError,
        what: "the credentials are not allowed to do this",
        advice: "Use an access token with the permission for it, or extend this one's in the service's dashboard.",
    },
    404: {
        error: NotFoundError,
        what: "there is no such object, or these credentials cannot see it",
        advice: "Check the identifier, and that the access token belongs to the object's environment.",
    },
    408: {
        error: ClientError,
        what: "the service gave up waiting for the request",
        advice: "Try again; if it persists, check the network.",
    },
    409: {
        error: ConflictError,
        what: "the request contradicts the object's present state",
        advice: "Wait until other changes to it are done, then try again.",
    },
    410: {
        error: NotFoundError,
        what: "there is no such object any more",
        advice: "Check the identifier, and that the access token belongs to the object's environment.",
    },
    422: {
        error: UnprocessableError,
        what: "the service does not accept the request's values",
        advice: "Correct what it names, or the property that was changed last.",
    },
    429: {
        error: RateLimitError,
        what: "the service still turns requests away because there are too many",
        advice: "Try again later, or with less parallelism.",
    },
};

const otherClientError: Kind = {
    error: ClientError,
    what: "the service refused the request",
    advice: "Check baseUrl and what the service says.",
};

/** Somebody else's 404. Of a create it is not even known whether it was accepted. */
const foreignNotFound = (id: string | undefined): Kind => ({
    error: UnconfirmedNotFoundError,
    what: "the answer does not come from the service itself, but from a gateway, a proxy or another server",
    advice: id === undefined ? gatewayAdvice : keptAdvice,
});

const serverError: Kind = {
    error: ServerError,
    what: "the service failed",
    advice: "Try again later; if it persists, ask the service's support.",
};

/** The error for an HTTP status of 400 or more. */
export function failureOf(answer: FailedAnswer): ApiError {
    const { endpoint, requestLine, status, retryAfter } = answer;
    const kind = isNotFound(status) ? notFoundKind(answer) : kindOf(status);
    return new kind.error(paragraph(requestLine, `${kind.what} (HTTP ${status})`, quote(answer), kind.advice), {
        endpoint,
        status,
        outcome: kind.error === UnconfirmedNotFoundError ? "ambiguous" : outcomeOf(status),
        retryAfter,
    });
}

/**
 * The error for a success by HTTP whose envelope says otherwise. A definite one is as good as the HTTP status of that code:
 * nothing was created, the object was deleted. Any other leaves both in doubt.
 */
export function denialOf(answer: FailedAnswer, code: number | undefined, definite: boolean): ApiError {
    const { endpoint, requestLine, status } = answer;
    const kind = deniedKind(answer, code, definite);
    const Denial = kind?.error ?? MalformedAnswerError;
    const what = `the service answered HTTP ${status}, but its envelope denies success${code === undefined ? "" : ` (code ${code})`}`;
    const advice = kind?.advice ?? "Try again; if it persists, ask the service's support.";
    // A 429 in here is no promise that the request was not processed.
    const isRefused = definite && code !== undefined && code >= 400 && outcomeOf(code) === "refused";
    const outcome = isRefused ? "refused" : "ambiguous";
    return new Denial(paragraph(requestLine, what, quote(answer), advice), { endpoint, status, outcome });
}

function deniedKind({ id }: FailedAnswer, code: number | undefined, definite: boolean): Kind | undefined {
    if (code === undefined || code < 400) return undefined;
    if (!isNotFound(code)) return kindOf(code);
    if (!definite) return undefined;
    return id === undefined ? otherClientError : kindOf(code);
}

/** The error for an answer that is not what the contract says. */
export function malformed(answer: FailedAnswer, what: string): MalformedAnswerError {
    const { endpoint, requestLine, status } = answer;
    const advice = "Check that baseUrl is the service's; if it is, try again, then ask the service's support.";
    return new MalformedAnswerError(paragraph(requestLine, `${what} (HTTP ${status})`, quote(answer), advice), {
        endpoint,
        status,
        outcome: "ambiguous",
    });
}

const isNotFound = (code: number) => code === 404 || code === 410;

/** A 404 is news of an object only when the service itself says it, and only where an object was asked for. */
function notFoundKind({ status, body, id, trustNotFound }: FailedAnswer): Kind {
    if (id !== undefined && trustNotFound) return kindOf(status);
    if (!isOwnNotFound(parseJson(body))) return foreignNotFound(id);
    return id === undefined ? otherClientError : kindOf(status);
}

const kindOf = (code: number): Kind => kinds[code] ?? (code >= 500 ? serverError : otherClientError);

function outcomeOf(status: number): Outcome {
    if (status === 429) return "notProcessed";
    // 408 and nginx's 499 are about the connection; a 3xx may come after the request was accepted.
    return status >= 400 && status < 500 && status !== 408 && status !== 499 ? "refused" : "ambiguous";
}

function paragraph(requestLine: string, what: string, quoted: string, advice: string): string {
    return `${requestLine}: ${what}${quoted === "" ? "" : `: "${quoted}"`}. ${advice}`;
}

/** What the service itself says, and nothing else: the object in a success, whole or cut off, may hold a stream key. */
function quote({ status, body, redactor }: FailedAnswer): string {
    const json = parseJson(body);
    const texts = errorTexts(json, 3);
    if (texts.length > 0) return sanitize(texts.join("; "), redactor);
    const isObject = /^\s{0,100}[{[]/.test(body);
    return isObject && (status < 400 || json === undefined) ? "" : sanitize(body, redactor);
}

/** Undefined when it is not JSON. An integer that a number cannot hold exactly is its digits, as text: it may be an id. */
export function parseJson(body: string): unknown {
    try {
        // Few answers have such a number, and to look at each value takes several times as long.
        return /\d{16}/.test(body) ? JSON.parse(body, withAllDigits) : JSON.parse(body);
    } catch {
        return undefined;
    }
}

/** TypeScript does not know the context yet; Node has it since version 21. */
function withAllDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? "";
    return /^-?\d+$/.test(source) ? source : value;
}
