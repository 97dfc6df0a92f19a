/** Makes an object, a list or an error out of an answer of the service, with or without its envelope `{status, code, message, data}`. */
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
    /** The parsed body; `undefined` if it is not JSON. */
    json: unknown;
}

/** How the service serves one kind of object. */
export interface Endpoint<T> {
    path: string;
    /** Reads an object from JSON; `undefined` if the value has no id of this kind. */
    read(value: unknown): T | undefined;
    idOf(object: T): string;
    /** The queries of the lists that together show all objects of this kind. */
    lists: readonly [Query, ...Query[]];
    /** Whether the documentation shows `start` for these lists. Without it, the service may ignore or refuse `start`: then the first page is the whole list. */
    isPaged: boolean;
}

/** Reads the object of an answer. An object with an id exists, whatever the envelope around it says. */
export function readObject<T extends object>(kind: Endpoint<T>, answer: Answer): T {
    const object = findObject(kind, answer);
    if (object !== undefined) return object;
    refuseDenial(answer);
    throw malformed(answer, "no object with an identifier");
}

/** Reads the answer to an update or a deletion, which may lack the object. An object does not prove that it was updated or deleted: the envelope counts too. */
export function readOptionalObject<T extends object>(kind: Endpoint<T>, answer: Answer): T | undefined {
    if (answer.body.trim() === "") return undefined;
    if (answer.json === undefined) throw malformed(answer, "not JSON");
    // The answer may be the object alone. Its `status`, such as "Failed", is no verdict on the request.
    if (kind.read(answer.json) === undefined) refuseDenial(answer);
    return findObject(kind, answer);
}

/** Reads the items of a list, without those that have no id. */
export function readList<T extends object>({ read }: Endpoint<T>, answer: Answer): T[] {
    const { json } = answer;
    const list = Array.isArray(json) ? json : dataOf(json);
    const items = Array.isArray(list) ? list.flatMap((item) => read(item) ?? []) : [];
    if (items.length > 0) return items;
    refuseDenial(answer);
    // A create that searches an empty list finds nothing, and makes its object again. So only an empty array counts as an empty list.
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
        // A clip is created at the path of its source. An answer with the id of the source would make the clip's resource own the source.
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

/** Adds the reason to an object that has failed. The key of a reason is not documented, so all texts that look like one are taken. */
function withReason<T extends object>(object: T, raw: unknown, redactor: Redactor): T {
    const { status }: { status?: string } = object;
    if (!isFailed(status)) return object;
    const reason = redactor.quote(...errorTexts(raw));
    return reason === "" ? object : { ...object, reason };
}

const successWords =
    /^(success\w*|succeeded|ok|okay|accepted|created|updated|delet(ed|ing)|done|completed?|true|[1-3]\d\d)$/i;

/** Throws if the envelope says that the request has failed, although the HTTP status says success. */
function refuseDenial(answer: Answer): void {
    const { status, code, success }: Record<string, unknown> = isObject(answer.json) ? answer.json : {};
    const number = Number.isSafeInteger(code) ? Number(code) : 200;
    // The contract shows a word. `false` or 500 in its place is a failure too: ignored, it would pass for a success, or for an empty list.
    const word = ["string", "number", "boolean"].includes(typeof status) ? String(status).trim() : undefined;
    // No documentation shows `success`, but `false` cannot mean anything else.
    const isSaid = success === false || (word !== undefined && !successWords.test(word));
    if (!isSaid && number < 400) return;
    // Where the envelope says both "Success" and 404, the code is not believed: the object may exist.
    const isBelieved = number >= 400 && (isSaid || word === undefined);
    const Denial = isBelieved ? kindOf(number, answer.request).error : MalformedAnswerError;
    // A 429 as the HTTP status proves that a create was not processed. A 429 in the body does not: sent again, the create might make a second object.
    const outcome = isBelieved && outcomeOf(number) === "refused" ? "refused" : "ambiguous";
    const message = messages.denied({ ...saidBy(answer), code: number < 400 ? "" : ` (code ${number})` });
    throw new Denial(message, { status: answer.status, outcome });
}

/** The error for an answer that breaks the contract. `how`: unless the body is empty, or not JSON. */
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
const refused: ErrorKind = { error: ClientError, message: messages.refused };
const kinds: Record<number, ErrorKind> = {
    400: badRequest,
    401: { error: AuthenticationError, message: messages.unauthorized },
    403: { error: PermissionError, message: messages.forbidden },
    409: { error: ClientError, message: messages.conflict },
    422: badRequest,
    429: { error: ApiError, message: messages.rateLimit },
};

function kindOf(code: number, { id }: ApiRequest): ErrorKind {
    // A 404 for a list or a create is about the address. It must not pass for "the object was deleted".
    if (isNotFound(code)) return id === undefined ? refused : { error: NotFoundError, message: messages.notFound };
    if (code === 408 || code >= 500) return { error: ApiError, message: messages.serverError };
    return kinds[code] ?? refused;
}

/** The error for an HTTP status other than success. `retryAfter`: the pause that the service asks for, in ms; `triedMs`: the time since the first try. */
export function failureOf(answer: Answer, retryAfter: number | undefined, triedMs: number): ApiError {
    const { status, request } = answer;
    const said = saidBy(answer);
    if (status < 400) {
        // A service may answer a create that it has accepted with a redirect to the new object.
        const outcome = request.creates ? "ambiguous" : "refused";
        return new ClientError(redirected(answer), { status, outcome });
    }
    if (isNotFound(status) && !isByService(answer)) {
        const whatToDo = request.id === undefined ? advice.gateway : advice.kept;
        // The answer comes from a gateway, so the service may have accepted a create nevertheless.
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

/** The message about a redirect. Followed, it would give the credentials to another origin, or send a create twice. */
function redirected({ request: { requestLine: request }, status, headers }: Answer): Message {
    const target = URL.parse(String(headers.location ?? ""));
    const to = target === null || target.origin === "null" ? "" : ` to ${target.origin}`;
    return messages.redirected({ request, status, to });
}

const isNotFound = (code: number) => code === 404 || code === 410;

/** Whether the service itself may have answered. HTML and plain text come from a gateway, JSON or an empty body may be the service's. */
function isByService({ request: { id, trustNotFound }, body, json }: Answer): boolean {
    return (id !== undefined && trustNotFound) || body.trim() === "" || json !== undefined;
}

function outcomeOf(status: number): Outcome {
    if (status === 429) return "notProcessed";
    // 408, and 499 of nginx, say that the connection broke: the service may have processed the request.
    return status < 500 && status !== 408 && status !== 499 ? "refused" : "ambiguous";
}

/** What all messages about an answer quote. `said`: a colon and the service's own words in quotation marks; empty if the service says nothing. */
function saidBy({ request: { requestLine: request, redactor }, status, body, json }: Answer) {
    const texts = errorTexts(json);
    // A success, whole or cut off, may have the stream key of a new livestream in it. No redactor knows that key yet, so the message would show it.
    const isUnsafe = json === undefined ? /^\s{0,100}[{[]/.test(body) : status < 400;
    // JSON as it was sent may spell a secret with escapes (`\u0068`), which the redactor would not find.
    const whole = json === undefined ? body : JSON.stringify(json);
    const quote = redactor.quote(...(texts.length > 0 ? texts : isUnsafe ? [] : [whole]));
    return { request, status, said: quote === "" ? "" : `: "${quote}"` };
}
