/** The service without interpretation: one request, and the answer as received. Nothing is sent twice. */

import { ConnectionError } from "#provider/api/index";
import { isObject, parseJson } from "#provider/api/json";
import { parseHttpDate } from "#provider/api/retryAfter";
import type { Method, Transport } from "#provider/api/transport";
import { messages } from "#provider/messages/index";
import { CommandError } from "../commandLine";
import type { Shell } from "../shell";

const requestTimeoutMs = 60_000;
const pollMs = 500;
/** The longest delay that is waited for, in ms. */
const lateMs = 30_000;

export type JsonObject = Record<string, unknown>;

export interface RawAnswer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly text: string;
    readonly json: unknown;
    /** The envelope's data, if it is an object. */
    readonly data: JsonObject | undefined;
    /** The envelope's data, if it is a list. */
    readonly items: readonly JsonObject[] | undefined;
    readonly ok: boolean;
}

export interface RawRequest {
    query?: Readonly<Record<string, string | number | boolean>>;
    body?: unknown;
    /** In place of the credentials. */
    authorization?: string;
}

/** The result of repeated requests. */
export interface Delayed<A> {
    readonly answer: A;
    /** Whether the last answer holds. */
    readonly holds: boolean;
    /** Whether the first answer did not. */
    readonly isLate: boolean;
    readonly afterMs: number;
}

export class RawService {
    /** Of the last answer, in ms since the epoch. */
    serverTime: number | undefined;
    /** Names of headers about limits. */
    readonly limitHeaders = new Set<string>();
    requests = 0;
    readonly signal: AbortSignal;
    readonly #transport: Transport;
    readonly #baseUrl: string;
    readonly #authorization: string;
    readonly #shell: Shell;

    constructor(
        shell: Shell,
        transport: Transport,
        credentials: { baseUrl: string; accessTokenId: string; secretKey: string },
        signal: AbortSignal,
    ) {
        this.#shell = shell;
        this.#transport = transport;
        this.#baseUrl = credentials.baseUrl;
        this.#authorization = basic(credentials.accessTokenId, credentials.secretKey);
        this.signal = signal;
    }

    /** Sends one request. @throws {CommandError} when no answer came. */
    async send(method: Method, path: string, { query = {}, body, authorization }: RawRequest = {}): Promise<RawAnswer> {
        this.signal.throwIfAborted();
        const url = new URL(`${this.#baseUrl}/video/services/api/v1${path}`);
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
        this.requests++;
        const headers = {
            accept: "application/json",
            authorization: authorization ?? this.#authorization,
            "user-agent": "pulumi-videograph-probe",
            ...(body !== undefined && { "content-type": "application/json" }),
        };
        const signal = AbortSignal.any([this.signal, AbortSignal.timeout(requestTimeoutMs)]);
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        try {
            const answer = await this.#transport.send({ method, url: url.href, headers, ...sent, signal });
            return this.#read(answer.status, answer.headers, answer.body);
        } catch (error) {
            this.signal.throwIfAborted();
            const request = `${method} ${path}`;
            throw new CommandError(
                error instanceof ConnectionError
                    ? messages.connectionFailed({ request, reason: error.message })
                    : messages.noAnswer({ request, seconds: requestTimeoutMs / 1000 }),
            );
        }
    }

    /** The first answer that holds, or the last one within the limit. */
    async until<A>(ask: () => Promise<A>, isEnough: (answer: A) => boolean, limitMs = lateMs): Promise<Delayed<A>> {
        const { clock } = this.#shell;
        const start = clock.monotonic();
        for (let isLate = false; ; isLate = true) {
            const answer = await ask();
            const holds = isEnough(answer);
            const afterMs = Math.round(clock.monotonic() - start);
            if (holds || afterMs > limitMs) return { answer, holds, isLate, afterMs };
            await clock.sleep(pollMs, this.signal);
        }
    }

    #read(status: number, headers: RawAnswer["headers"], text: string): RawAnswer {
        this.serverTime = parseHttpDate(headers.date);
        for (const name of Object.keys(headers)) {
            if (/rate-?limit|^retry-after$/i.test(name)) this.limitHeaders.add(name);
        }
        const json = parseJson(text);
        const data = isObject(json) && "data" in json ? json.data : json;
        return {
            ...{ status, headers, text, json, ok: status >= 200 && status < 300 },
            data: isObject(data) ? data : undefined,
            items: Array.isArray(data) ? data.filter(isObject) : undefined,
        };
    }
}

export function basic(user: string, password: string): string {
    return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** The form of a refusal's body. */
export function bodyForm({ text, json }: RawAnswer): "envelope" | "json" | "html" | "empty" | "text" {
    if (text.trim() === "") return "empty";
    if (isObject(json)) return "code" in json && ("status" in json || "message" in json) ? "envelope" : "json";
    if (json !== undefined) return "json";
    return /<\s*(!doctype|html)/i.test(text) ? "html" : "text";
}

export function statusOf(object: JsonObject | undefined): string | undefined {
    return typeof object?.status === "string" ? object.status : undefined;
}

export const isReady = (status: string | undefined) => /^ready$/i.test(status ?? "");
export const isFinal = (status: string | undefined) => /^(ready|failed)$/i.test(status ?? "");
export const isMissing = ({ status }: RawAnswer) => status === 404 || status === 410;

/** The id as the service shows it: a number stays one. */
export function idIn({ data }: RawAnswer, key: "contentId" | "streamUUID"): string | number | undefined {
    const id = data?.[key];
    return typeof id === "string" || typeof id === "number" ? id : undefined;
}
