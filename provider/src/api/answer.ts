/** Interprets an answer (S4): the object or the list in it, with or without the envelope `{status, code, message, data}`, or an error. */
import { advice, type Message, messages } from "../messages";
import type { Redactor } from "../secrets/redactor";
import {
    ApiError,
    AuthenticationError,
    ClientError,
    MalformedAnswerError,
    NotFoundError,
    type Outcome,
    PermissionError,
    UnconfirmedNotFoundError,
} from "./errors";
import { errorTexts } from "./errorTexts";
import { isSameId } from "./ids";
import { isObject } from "./json";
import { maxRetryAfterMs } from "./limits";
import type { ApiRequest, Query } from "./request";
import { isFailed } from "./status";
import type { TransportAnswer } from "./transport";

export interface Answer extends TransportAnswer {
    request: ApiRequest;
    /** What the body says, if it is JSON. */
    json: unknown;
}

/** One kind of object, as the service has it. */
export interface Endpoint<T> {
    path: string;
    /** `undefined` where the value is no such object. */
    read(value: unknown): T | undefined;
    idOf(object: T): string;
    /** The queries of the lists that show these objects. */
    lists: readonly [Query, ...Query[]];
    /** Whether the service is known to page these lists. Else it may ignore or refuse `start`: then the first page is all. */
    isPaged: boolean;
}

/** Reads the object of an answer, which must have its identifier. An object that has it exists, whatever the envelope says. */
export function readObject<T extends object>(kind: Endpoint<T>, answer: Answer): T {
    const object = findObject(kind, answer);
    if (object !== undefined) return object;
    refuseDenial(answer);
    throw malformed(answer, "no object with an identifier");
}

/** Reads the answer to an update or a deletion like `readObject`, but it may do without an object, and an object alone does not prove success. */
export function readOptionalObject<T extends object>(kind: Endpoint<T>, answer: Answer): T | undefined {
    if (answer.body.trim() === "") return undefined;
    if (answer.json === undefined) throw malformed(answer, "not JSON");
    // An object without an envelope has a status too, which is its own.
    if (kind.read(answer.json) === undefined) refuseDenial(answer);
    return findObject(kind, answer);
}

/** Reads the items of a list. An item that cannot be identified is left out; the others are kept. */
export function readList<T extends object>({ read }: Endpoint<T>, answer: Answer): T[] {
    const { json } = answer;
    const list = Array.isArray(json) ? json : dataOf(json);
    const items = Array.isArray(list) ? list.flatMap((item) => read(item) ?? []) : [];
    if (items.length > 0) return items;
    refuseDenial(answer);
    // A list that wrongly looks empty would make a lost creation happen twice, so nothing else is read as empty.
    if (!Array.isArray(list)) throw malformed(answer, "no list");
    if (list.length > 0) throw malformed(answer, "a list without identifiers");
    return [];
}

function findObject<T extends object>({ read, idOf }: Endpoint<T>, answer: Answer): T | undefined {
    const { id: asked, creates = false, redactor } = answer.request;
    for (const candidate of [dataOf(answer.json), answer.json]) {
        const object = read(candidate);
        if (object === undefined) continue;
        const id = idOf(object);
        // An object that is created from another one is a different object.
        if (asked !== undefined && isSameId(id, asked) === creates) {
            const which = creates ? "the object itself in place of a new one" : "a different object";
            throw malformed(answer, `${which}, ${encodeURIComponent(id.toWellFormed())}`);
        }
        return withReason(object, candidate, redactor);
    }
    return undefined;
}

function dataOf(json: unknown): unknown {
    return isObject(json) ? json.data : undefined;
}

/** Adds the reason why an object failed. Its key is not documented, so every text in the object that looks like a reason is taken. */
function withReason<T extends object>(object: T, raw: unknown, redactor: Redactor): T {
    const { status }: { status?: string } = object;
    if (!isFailed(status)) return object;
    const reason = redactor.quote(...errorTexts(raw));
    return reason === "" ? object : { ...object, reason };
}

const successWords =
    /^(success\w*|succeeded|ok|okay|accepted|created|updated|delet(ed|ing)|done|completed?|true|[1-3]\d\d)$/i;

/** Throws where a request failed by its envelope, although it succeeded by its HTTP status. */
function refuseDenial(answer: Answer): void {
    const { status, code, success }: Record<string, unknown> = isObject(answer.json) ? answer.json : {};
    const number = Number.isSafeInteger(code) ? Number(code) : 200;
    // The status is a word. Another value in its place must not make a failure look like a success, or like an empty list.
    const word = ["string", "number", "boolean"].includes(typeof status) ? String(status).trim() : undefined;
    // `success` is not documented, and unmistakable.
    const isSaid = success === false || (word !== undefined && !successWords.test(word));
    if (!isSaid && number < 400) return;
    // Beside a word of success a code is too little to believe that nothing was created, or that the object does not exist.
    const isBelieved = number >= 400 && (isSaid || word === undefined);
    const Denial = isBelieved ? kindOf(number, answer.request).error : MalformedAnswerError;
    // A 429 in the body does not prove that the request was not processed.
    const outcome = isBelieved && outcomeOf(number) === "refused" ? "refused" : "ambiguous";
    const message = messages.denied({ ...saidBy(answer), code: number < 400 ? "" : ` (code ${number})` });
    throw new Denial(message, { status: answer.status, outcome });
}

/** The error for an answer that breaks the contract. */
function malformed(answer: Answer, how: string): MalformedAnswerError {
    const { status, body, json } = answer;
    const problem = body.trim() === "" ? "an empty body" : json === undefined ? "not JSON" : how;
    return new MalformedAnswerError(messages.malformed({ ...saidBy(answer), problem }), {
        status,
        outcome: "ambiguous",
    });
}

interface ErrorKind {
    error: typeof ApiError;
    message: typeof messages.rateLimit;
}

const badRequest: ErrorKind = { error: ClientError, message: messages.badRequest };
const notFound: ErrorKind = { error: NotFoundError, message: messages.notFound };
const serverError: ErrorKind = { error: ApiError, message: messages.serverError };
const otherClientError: ErrorKind = { error: ClientError, message: messages.refused };
const kinds: Record<number, ErrorKind> = {
    400: badRequest,
    401: { error: AuthenticationError, message: messages.unauthorized },
    403: { error: PermissionError, message: messages.forbidden },
    404: notFound,
    408: serverError,
    409: { error: ClientError, message: messages.conflict },
    410: notFound,
    422: badRequest,
    429: { error: ApiError, message: messages.rateLimit },
};

function kindOf(code: number, { id }: ApiRequest): ErrorKind {
    // Only a request for an object can show that it does not exist.
    if (isNotFound(code) && id === undefined) return otherClientError;
    return kinds[code] ?? (code >= 500 ? serverError : otherClientError);
}

/** The error for an HTTP status other than success. `retryAfter`: what the service asks for; `triedMs`: since the first try. */
export function failureOf(answer: Answer, retryAfter: number | undefined, triedMs: number): ApiError {
    const { status, request } = answer;
    const said = saidBy(answer);
    if (status < 400) {
        // The answer to an accepted create may also be a redirect: to the new object, or to a page that confirms it.
        const outcome = request.creates ? "ambiguous" : "refused";
        return new ClientError(redirected(answer), { status, outcome });
    }
    if (isNotFound(status) && !isByService(answer)) {
        const whatToDo = request.id === undefined ? advice.gateway : advice.kept;
        // A gateway's answer does not show whether a create was accepted.
        const doubtful = { status, outcome: "ambiguous" } as const;
        return new UnconfirmedNotFoundError(messages.foreignAnswer({ ...said, advice: whatToDo }), doubtful);
    }
    const kind = kindOf(status, request);
    const tried = Math.round(triedMs / 1000);
    const isSaid = retryAfter !== undefined && retryAfter < 86_400_000;
    const when = isSaid ? `in ${Math.ceil(retryAfter / 1000)} s` : "later";
    return new kind.error(kind.message({ ...said, tried, when }), {
        status,
        outcome: outcomeOf(status),
        retryAfter: retryAfter && Math.min(retryAfter, maxRetryAfterMs),
    });
}

/** The message about a redirect, which is never followed: another origin must not get the credentials, and a create must not be sent twice. */
function redirected({ request: { requestLine: request }, status, headers }: Answer): Message {
    const target = URL.parse(String(headers.location ?? ""));
    const to = target === null || target.origin === "null" ? "" : ` to ${target.origin}`;
    return messages.redirected({ request, status, to });
}

const isNotFound = (code: number) => code === 404 || code === 410;

/** Whether a 404 may be the service's own: in JSON or without a body. HTML and text are a gateway's. */
function isByService({ request: { id, trustNotFound }, body, json }: Answer): boolean {
    return (id !== undefined && trustNotFound) || body.trim() === "" || json !== undefined;
}

function outcomeOf(status: number): Outcome {
    if (status === 429) return "notProcessed";
    // 408 and nginx's 499 are about the connection.
    return status < 500 && status !== 408 && status !== 499 ? "refused" : "ambiguous";
}

/** The values of every message about an answer. `said`: the service's own words, in quotes after a colon; empty if it gives none. */
function saidBy({ request: { requestLine: request, redactor }, status, body, json }: Answer) {
    const texts = errorTexts(json);
    // The object in a success, and what is left of one that was cut off, may hold the key of a new livestream. No redactor knows that yet, so a
    // message would show it.
    const isUnsafe = json === undefined ? /^\s{0,100}[{[]/.test(body) : status < 400;
    // As it was sent, JSON may have escapes that hide a secret.
    const whole = json === undefined ? body : JSON.stringify(json);
    const quote = redactor.quote(...(texts.length > 0 ? texts : isUnsafe ? [] : [whole]));
    return { request, status, said: quote === "" ? "" : `: "${quote}"` };
}
