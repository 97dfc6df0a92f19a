/** The service's endpoints as methods. Each is one logical request; see `retry.ts` for how often it is really sent. */
import { createHash } from "node:crypto";
import { toUSVString } from "node:util";
import type { z } from "zod";
import { type Reading, readList, readObject, readOptionalObject } from "./answer";
import { parseBaseUrl } from "./baseUrl";
import { type Clock, type Deadline, type Random, systemClock } from "./clock";
import { BadRequestError } from "./errors";
import type { ApiRequest, Limits } from "./exchange";
import type {
    ContentCreate,
    ContentObject,
    ContentUpdate,
    LivestreamCreate,
    LivestreamObject,
    LivestreamUpdate,
    SigningKey,
} from "./model";
import { contentPages, livestreamPages, type Page, PageSize } from "./pages";
import { Redactor } from "./redact";
import { Requester } from "./retry";
import { parseHttpDate } from "./retryAfter";
import { contentSchema, livestreamSchema, signingKeySchema } from "./schema";
import type { Method, Transport, TransportAnswer } from "./transport";
import { contentCreate, contentUpdate, livestreamCreate, livestreamUpdate } from "./wire";

export interface VideographApiOptions {
    /** As `parseBaseUrl` takes it. */
    baseUrl: string;
    accessTokenId: string;
    secretKey: string;
    transport?: Transport;
    clock?: Clock;
    random?: Random;
    userAgent?: string;
}

export interface CallOptions extends Limits {
    /**
     * When to give up. By default a request has five tries within 2 minutes, not counting the time
     * for which the service asks all requests to wait.
     */
    deadline?: Deadline | undefined;
    /** Ends the call at once, with the signal's reason. What became of a request under way is then unknown. */
    signal?: AbortSignal | undefined;
    /** Ends the call as long as its request is not under way. In place of `signal`, for a creation whose answer counts. */
    unlessSent?: AbortSignal | undefined;
    /** The secrets of the resource at hand. The credentials are always taken out. */
    redactor?: Redactor | undefined;
}

export interface Created<T> {
    object: T;
}

/**
 * A client for one environment of the service.
 *
 * Every method throws an `ApiError`; for a creation its `outcome` tells whether an object may exist nevertheless.
 * After one 401 nothing more is sent; after three 403s in a row from an endpoint, nothing more to that one.
 */
export class VideographApi {
    /** Tells environments apart: 16 hex digits from the base address and the access token id. */
    readonly fingerprint: string;

    readonly #requester: Requester;
    readonly #transport: Transport;
    readonly #redactor: Redactor;
    readonly #pageSize = new PageSize();

    /** @throws {ConfigurationError} when the base address or the environment's proxy address is unusable. */
    constructor(options: VideographApiOptions) {
        const { accessTokenId, secretKey, clock = systemClock, random = Math.random } = options;
        const baseUrl = parseBaseUrl(options.baseUrl);
        const pair = `${accessTokenId}:${secretKey}`;
        this.fingerprint = createHash("sha256").update(`${baseUrl}\n${accessTokenId}`).digest("hex").slice(0, 16);
        this.#transport = options.transport ?? undiciTransport(baseUrl);
        this.#redactor = new Redactor([
            { name: "credentials", value: pair },
            { name: "secretKey", value: secretKey },
            { name: "accessTokenId", value: accessTokenId },
        ]);
        const headers = {
            accept: "application/json",
            authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
            "user-agent": options.userAgent ?? "pulumi-videograph",
        };
        this.#requester = new Requester({ baseUrl, headers, transport: this.#transport, clock }, random);
    }

    createContent(body: ContentCreate, options?: CallOptions): Promise<Created<ContentObject>> {
        return this.#create("/contents", contentCreate(body), contentSchema, options);
    }

    getContent(id: string, options?: CallOptions): Promise<ContentObject> {
        return this.#get("/contents", id, contentSchema, options);
    }

    /** The content as the answer has it, if it has it. */
    updateContent(id: string, body: ContentUpdate, options?: CallOptions): Promise<ContentObject | undefined> {
        return this.#change("PUT", "/contents", id, contentSchema, options, contentUpdate(body));
    }

    async deleteContent(id: string, options?: CallOptions): Promise<void> {
        await this.#change("DELETE", "/contents", id, contentSchema, options);
    }

    /**
     * All contents from a position on, page by page, each once. Items lack what the service leaves out of lists, often the
     * metadata.
     */
    contents(options?: CallOptions, start = 0): AsyncIterable<Page<ContentObject>> {
        const fetch = (query: ApiRequest["query"]) => this.#page("/contents", contentSchema, query, options);
        return contentPages(this.#pageSize, fetch, ({ contentId }) => contentId, start);
    }

    createLivestream(body: LivestreamCreate, options?: CallOptions): Promise<Created<LivestreamObject>> {
        return this.#create("/livestreams", livestreamCreate(body), livestreamSchema, options);
    }

    getLivestream(id: string, options?: CallOptions): Promise<LivestreamObject> {
        return this.#get("/livestreams", id, livestreamSchema, options);
    }

    /** The livestream as the answer has it, if it has it. */
    updateLivestream(id: string, body: LivestreamUpdate, options?: CallOptions): Promise<LivestreamObject | undefined> {
        return this.#change("PUT", "/livestreams", id, livestreamSchema, options, livestreamUpdate(body));
    }

    /** The livestream as the answer has it: its deletion goes on after the answer. */
    deleteLivestream(id: string, options?: CallOptions): Promise<LivestreamObject | undefined> {
        return this.#change("DELETE", "/livestreams", id, livestreamSchema, options);
    }

    /** All livestreams that are recorded, or all that are not; the service lists them apart. */
    livestreams({ record }: { record: boolean }, options?: CallOptions): AsyncIterable<Page<LivestreamObject>> {
        const fetch = (query: ApiRequest["query"]) =>
            this.#page("/livestreams", livestreamSchema, { record, ...query }, options);
        return livestreamPages(fetch, ({ streamUUID }) => streamUUID);
    }

    async signingKeys(options?: CallOptions): Promise<SigningKey[]> {
        return (await this.#page("/signing-keys", signingKeySchema, {}, options)).items;
    }

    /** Ends all requests under way and closes the connections. */
    close(): Promise<void> {
        return this.#transport.close();
    }

    async #create<T extends object>(
        path: string,
        body: unknown,
        schema: z.ZodType<T>,
        options: CallOptions = {},
    ): Promise<Created<T>> {
        const request = this.#request("POST", path, undefined, options);
        const read = (answer: TransportAnswer) => readObject(schema, answer, request);
        return { object: await this.#requester.send({ ...request, body }, options, read) };
    }

    async #get<T extends object>(
        path: string,
        id: string,
        schema: z.ZodType<T>,
        options: CallOptions = {},
    ): Promise<T> {
        const request = this.#request("GET", path, id, options);
        const read = (answer: TransportAnswer) => readObject(schema, answer, request);
        return this.#requester.send(request, options, read);
    }

    async #change<T extends object>(
        method: "PUT" | "DELETE",
        path: string,
        id: string,
        schema: z.ZodType<T>,
        options: CallOptions = {},
        body?: unknown,
    ): Promise<T | undefined> {
        const request = this.#request(method, path, id, options);
        const read = (answer: TransportAnswer) => readOptionalObject(schema, answer, request);
        return this.#requester.send({ ...request, body }, options, read);
    }

    async #page<T extends object>(
        path: string,
        schema: z.ZodType<T>,
        query: ApiRequest["query"] = {},
        options: CallOptions = {},
    ): Promise<Page<T>> {
        const request = this.#request("GET", path, undefined, options);
        const read = (answer: TransportAnswer): Page<T> => {
            const serverTime = parseHttpDate(answer.headers.date);
            return { items: readList(schema, answer, request), ...(serverTime !== undefined && { serverTime }) };
        };
        return this.#requester.send({ ...request, query }, options, read);
    }

    #request(method: Method, path: string, id: string | undefined, options: CallOptions): ApiRequest & Reading {
        const redactor = options.redactor === undefined ? this.#redactor : this.#redactor.with(options.redactor);
        if (id === undefined) return { method, path, endpoint: `${method} ${path}`, redactor };
        const endpoint = `${method} ${path}/{id}`;
        if (["", ".", ".."].includes(id)) {
            // In a URL these would mean the list, or something else altogether.
            throw new BadRequestError(`${endpoint}: not sent, because the identifier is empty or only dots.`, {
                endpoint,
                outcome: "refused",
            });
        }
        return { method, path: `${path}/${encodeURIComponent(toUSVString(id))}`, endpoint, redactor };
    }
}

/** undici is loaded here and not before: most processes find nothing to change, and send no request. */
function undiciTransport(baseUrl: string): Transport {
    const { UndiciTransport } = require("./undiciTransport") as typeof import("./undiciTransport");
    return new UndiciTransport(baseUrl);
}
