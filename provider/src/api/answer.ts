/** Reads an answer of the service as an object, a list or an error. The answer may have the envelope `{status, code, message, data}`, or not. */
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
    /** One query for each list. Only all the lists together show every object of this kind. */
    lists: readonly [Query, ...Query[]];
    /**
     * Whether the service documents `start`, the position of a page, for these lists. Otherwise it may ignore or refuse `start`: then the first page
     * is the whole list.
     */
    isPaged: boolean;
}

/** Reads the object of an answer. An object with an id exists, even if the envelope around it says that the request has failed. */
export function readObject<T extends object>(kind: Endpoint<T>, answer: Answer): T {
    const object = findObject(kind, answer);
    if (object !== undefined) return object;
    refuseDenial(answer);
    throw malformed(answer, "no object with an identifier");
}

/**
 * Reads the answer to an update or a deletion. The answer may lack the object. If the envelope says that the request has failed, this throws, even
 * with an object: the object may be unchanged.
 */
export function readOptionalObject<T extends object>(kind: Endpoint<T>, answer: Answer): T | undefined {
    if (answer.body.trim() === "") return undefined;
    if (answer.json === undefined) throw malformed(answer, "not JSON");
    // Checks the envelope, unless the answer is the object itself: its `status`, such as "Failed", says nothing about the request.
    if (kind.read(answer.json) === undefined) refuseDenial(answer);
    return findObject(kind, answer);
}

/** Returns the items of a list. Items without an id are left out. */
export function readList<T extends object>({ read }: Endpoint<T>, answer: Answer): T[] {
    const { json } = answer;
    const list = Array.isArray(json) ? json : dataOf(json);
    const items = Array.isArray(list) ? list.flatMap((item) => read(item) ?? []) : [];
    if (items.length > 0) return items;
    refuseDenial(answer);
    // Only an empty array counts as an empty list. Otherwise a create that searches its lost object in this answer would find nothing, and make the
    // object again.
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
        // The create of a clip is sent to the path of its source, and must return a new object: otherwise the clip's resource would own the source.
        // Any other request must return the object that it asked for.
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

/** Adds `reason` to an object that has failed. The service does not document the key of a reason, so all texts that look like one are taken. */
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
    // The contract shows a word as the `status`. `false` or 500 counts too: otherwise such a failure would pass for a success, or for an empty list.
    const word = ["string", "number", "boolean"].includes(typeof status) ? String(status).trim() : undefined;
    // No documentation shows a key `success`, but `success: false` can only mean a failure.
    const isSaid = success === false || (word !== undefined && !successWords.test(word));
    if (!isSaid && number < 400) return;
    // A code such as 404 beside the word "Success" is not believed: the object may exist.
    const isBelieved = number >= 400 && (isSaid || word === undefined);
    const Denial = isBelieved ? kindOf(number, answer.request).error : MalformedAnswerError;
    // A code 429 in the body does not prove that a create was not processed; only the HTTP status 429 does. As `notProcessed`, the create would be
    // sent again, and might make a second object.
    const outcome = isBelieved && outcomeOf(number) === "refused" ? "refused" : "ambiguous";
    const message = messages.denied({ ...saidBy(answer), code: number < 400 ? "" : ` (code ${number})` });
    throw new Denial(message, { status: answer.status, outcome });
}

/** The error for an answer that breaks the contract. The message says `how`. For an empty body, or one that is not JSON, it says this instead. */
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
    // Without an id, the request is for a list or a create, and a 404 says that the address is wrong. It must not pass for "the object was deleted".
    if (isNotFound(code)) return id === undefined ? refused : { error: NotFoundError, message: messages.notFound };
    if (code === 408 || code >= 500) return { error: ApiError, message: messages.serverError };
    return kinds[code] ?? refused;
}

/**
 * The error for an HTTP status other than success. `retryAfter`: the pause that the service asks for. `triedMs`: the time since the first try. Both
 * in ms.
 */
export function failureOf(answer: Answer, retryAfter: number | undefined, triedMs: number): ApiError {
    const { status, request } = answer;
    const said = saidBy(answer);
    if (status < 400) {
        // The redirect may lead to the new object of a create: then the service has accepted the create.
        const outcome = request.creates ? "ambiguous" : "refused";
        return new ClientError(redirected(answer), { status, outcome });
    }
    if (isNotFound(status) && !isByService(answer)) {
        const whatToDo = request.id === undefined ? advice.gateway : advice.kept;
        // A gateway has answered. The service may have accepted the create before that, so the object may exist.
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

/** The message about a redirect. The client follows none: another server would get the credentials, or a create would be sent twice. */
function redirected({ request: { requestLine: request }, status, headers }: Answer): Message {
    const target = URL.parse(String(headers.location ?? ""));
    const to = target === null || target.origin === "null" ? "" : ` to ${target.origin}`;
    return messages.redirected({ request, status, to });
}

const isNotFound = (code: number) => code === 404 || code === 410;

/**
 * Whether the answer may be the service's own. JSON or an empty body may be; HTML and plain text come from a gateway. With `trustNotFound`, the user
 * vouches for every answer about an object.
 */
function isByService({ request: { id, trustNotFound }, body, json }: Answer): boolean {
    return (id !== undefined && trustNotFound) || body.trim() === "" || json !== undefined;
}

function outcomeOf(status: number): Outcome {
    if (status === 429) return "notProcessed";
    // A 408, a 499 of nginx, and a 502 or 504 of a gateway say only that an answer did not come: the service may have processed the request.
    return status < 500 && status !== 408 && status !== 499 ? "refused" : "ambiguous";
}

/**
 * The parts that all messages about an answer have. `said`: a colon and the service's own words in quotation marks; empty if the service says
 * nothing.
 */
function saidBy({ request: { requestLine: request, redactor }, status, body, json }: Answer) {
    const texts = errorTexts(json);
    // A successful answer, or JSON that is cut off, may contain the stream key of a new livestream. No redactor knows this key yet, so the message
    // does not quote the body.
    const isUnsafe = json === undefined ? /^\s{0,100}[{[]/.test(body) : status < 400;
    // The JSON is written anew, without escapes such as `\u0068`: the redactor would not find a secret that is spelled with them.
    const whole = json === undefined ? body : JSON.stringify(json);
    const quote = redactor.quote(...(texts.length > 0 ? texts : isUnsafe ? [] : [whole]));
    return { request, status, said: quote === "" ? "" : `: "${quote}"` };
}
