/** Turns an answer that is not a success into an error of the right class, with a helpful message. */
import { advice, type Message, messages } from "../messages";
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
import { parseJson } from "./json";
import { sanitize } from "./sanitize";

/** The parts of an error's message. */
export interface FailedAnswer extends RequestName {
    status: number;
    /** As text, of any format. */
    body: string;
    retryAfter?: number | undefined;
}

/** The holes that every message about an answer has. */
interface Said {
    request: string;
    status: number;
    /** The service's own words, in quotes after a colon; empty if it gives none. */
    said: string;
}

interface Kind {
    error: new (...parameters: ConstructorParameters<typeof ApiError>) => ApiError;
    message: (said: Said) => Message;
    advice: string;
}

const kinds: Record<number, Kind> = {
    400: { error: BadRequestError, message: messages.badRequest, advice: advice.input },
    401: { error: AuthenticationError, message: messages.unauthorized, advice: advice.token },
    403: { error: PermissionError, message: messages.forbidden, advice: advice.permission },
    404: { error: NotFoundError, message: messages.notFound, advice: advice.identifier },
    408: { error: ClientError, message: messages.requestTimeout, advice: advice.network },
    409: { error: ConflictError, message: messages.conflict, advice: advice.conflict },
    410: { error: NotFoundError, message: messages.deleted, advice: advice.identifier },
    422: { error: UnprocessableError, message: messages.unprocessable, advice: advice.input },
    429: { error: RateLimitError, message: messages.rateLimit, advice: advice.overload },
};

const otherClientError: Kind = { error: ClientError, message: messages.refused, advice: advice.other };

/** A gateway's 404. It does not show whether a create was accepted. */
const foreignNotFound = (id: string | undefined): Kind => {
    const next = id === undefined ? advice.gateway : advice.kept;
    return {
        error: UnconfirmedNotFoundError,
        message: (said) => messages.foreignAnswer({ ...said, advice: next }),
        advice: next,
    };
};

const serverError: Kind = { error: ServerError, message: messages.serverError, advice: advice.support };

/** The error for an HTTP status of 400 or more. */
export function failureOf(answer: FailedAnswer): ApiError {
    const { endpoint, status, retryAfter } = answer;
    const kind = isNotFound(status) ? notFoundKind(answer) : kindOf(status);
    return new kind.error(kind.message(saidBy(answer)), {
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
    const { endpoint, status } = answer;
    const kind = deniedKind(answer, code, definite);
    const Denial = kind?.error ?? MalformedAnswerError;
    const message = messages.denied({
        ...saidBy(answer),
        code: code === undefined ? "" : ` (code ${code})`,
        advice: kind?.advice ?? advice.supportNow,
    });
    // A 429 in the body does not prove that the request was not processed.
    const isRefused = definite && code !== undefined && outcomeOf(code) === "refused";
    const outcome = isRefused ? "refused" : "ambiguous";
    return new Denial(message, { endpoint, status, outcome });
}

function deniedKind({ id }: FailedAnswer, code: number | undefined, definite: boolean): Kind | undefined {
    if (code === undefined || code < 400) return undefined;
    if (!isNotFound(code)) return kindOf(code);
    if (!definite) return undefined;
    return id === undefined ? otherClientError : kindOf(code);
}

/** The error for an answer that breaks the contract. */
export function malformed(answer: FailedAnswer, message: (said: Said) => Message): MalformedAnswerError {
    const { endpoint, status } = answer;
    return new MalformedAnswerError(message(saidBy(answer)), { endpoint, status, outcome: "ambiguous" });
}

const isNotFound = (code: number) => code === 404 || code === 410;

/** A 404 may be about an object only where one was asked for, and only in JSON or without a body: HTML and text are a gateway's. */
function notFoundKind({ status, body, id, trustNotFound }: FailedAnswer): Kind {
    if (id !== undefined && trustNotFound) return kindOf(status);
    if (body.trim() !== "" && parseBody(body) === undefined) return foreignNotFound(id);
    return id === undefined ? otherClientError : kindOf(status);
}

const kindOf = (code: number): Kind => kinds[code] ?? (code >= 500 ? serverError : otherClientError);

function outcomeOf(status: number): Outcome {
    if (status === 429) return "notProcessed";
    // 408 and nginx's 499 are about the connection; a 3xx may come after the request was accepted.
    return status >= 400 && status < 500 && status !== 408 && status !== 499 ? "refused" : "ambiguous";
}

function saidBy(answer: FailedAnswer): Said {
    const quoted = quote(answer);
    return { request: answer.requestLine, status: answer.status, said: quoted === "" ? "" : `: "${quoted}"` };
}

/** The service's own words, and nothing else: the object in a success, whole or cut off, may hold a stream key. */
function quote({ status, body, redactor }: FailedAnswer): string {
    const json = parseBody(body);
    const texts = errorTexts(json, 3);
    if (texts.length > 0) return sanitize(texts.join("; "), redactor);
    const isObject = /^\s{0,100}[{[]/.test(body);
    return isObject && (status < 400 || json === undefined) ? "" : sanitize(body, redactor);
}

/** Undefined when it is not JSON. An integer that a number cannot hold exactly is its digits, as text: it may be an id. */
export function parseBody(body: string): unknown {
    // Few answers have such a number, and to look at each value takes several times as long.
    return parseJson(body, /\d{16}/.test(body) ? withAllDigits : undefined);
}

/** TypeScript does not know the context yet; Node has it since version 21. */
function withAllDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
    // The source of a text has its quotes.
    const source = context?.source ?? "";
    return !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}
