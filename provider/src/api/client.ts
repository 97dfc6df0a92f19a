/** The service's endpoints as methods. Each is one logical request; see `requester.ts` for how often it is really sent. */

import { createHash } from "node:crypto";
import { toUSVString } from "node:util";
import type { z } from "zod";
import { messages } from "../messages";
import { malformed, readList, readObject, readOptionalObject } from "./answer";
import { parseBaseUrl } from "./baseUrl";
import { type Clock, Deadline, type Random, systemClock } from "./clock";
import { ApiError, AuthenticationError, ClientError, NotFoundError, UnconfirmedNotFoundError } from "./errors";
import { longestRequestMs } from "./limits";
import { contentPages, livestreamPages, type Page } from "./pages";
import { Redactor } from "./redact";
import type { ApiRequest, CallOptions } from "./request";
import { Requester } from "./requester";
import { parseHttpDate } from "./retryAfter";
import {
    type ContentObject,
    contentSchema,
    type LivestreamObject,
    livestreamSchema,
    signingKeySchema,
    subtitleSchema,
} from "./schema";
import type { SigningKey } from "./signingKey";
import type { Method, Transport, TransportAnswer } from "./transport";

interface VideographApiOptions {
    /** As `parseBaseUrl` takes it. */
    baseUrl: string;
    accessTokenId: string;
    secretKey: string;
    transport?: Transport;
    clock?: Clock;
    random?: Random;
    /** Whether every 404 for an object means that it was deleted, even one from a proxy. */
    trustNotFound?: boolean;
}

/** The requests for one kind of object. */
export interface Collection<T> {
    idOf(object: T): string;
    post(body: object, options?: CallOptions): Promise<T>;
    get(id: string, options?: CallOptions): Promise<T>;
    /** Gives the object in the answer, if there is one. */
    put(id: string, body: object, options?: CallOptions): Promise<T | undefined>;
    /** The deletion of a livestream continues after the answer. */
    remove(id: string, options?: CallOptions): Promise<void>;
}

/** A kind of object: its path, and how it is read. */
interface Kind<T> {
    path: string;
    schema: z.ZodType<T>;
    idOf(object: T): string;
}

const contents: Kind<ContentObject> = {
    path: "/contents",
    schema: contentSchema,
    idOf: ({ contentId }) => contentId,
};

const livestreams: Kind<LivestreamObject> = {
    path: "/livestreams",
    schema: livestreamSchema,
    idOf: ({ streamUUID }) => streamUUID,
};

/**
 * A client for one environment of the service.
 *
 * Bodies are sent as they are. Every method throws an `ApiError`; for a creation its `outcome` says whether an object may
 * exist nevertheless.
 */
export class VideographApi {
    /** Identifies the environment: 16 hex digits from the base URL and the access token id. */
    readonly fingerprint: string;
    readonly contents: Collection<ContentObject>;
    readonly livestreams: Collection<LivestreamObject>;

    readonly #requester: Requester;
    readonly #transport: Transport;
    readonly #redactor: Redactor;
    readonly #clock: Clock;
    readonly #trustNotFound: boolean;
    /** The lists that have answered these credentials. */
    readonly #listed = new Set<string>();

    /** @throws {ConfigurationError} when the base URL or the environment's proxy address is unusable. */
    constructor(options: VideographApiOptions) {
        const { accessTokenId, secretKey, clock = systemClock, random = Math.random } = options;
        const baseUrl = parseBaseUrl(options.baseUrl);
        const basic = Buffer.from(`${accessTokenId}:${secretKey}`).toString("base64");
        this.fingerprint = createHash("sha256").update(`${baseUrl}\n${accessTokenId}`).digest("hex").slice(0, 16);
        this.#clock = clock;
        this.#trustNotFound = options.trustNotFound ?? false;
        this.#transport = options.transport ?? networkTo(baseUrl);
        this.#redactor = new Redactor([
            { name: "credentials", value: basic },
            { name: "secretKey", value: secretKey },
            { name: "accessTokenId", value: accessTokenId, wholeWord: true },
        ]);
        const headers = {
            accept: "application/json",
            authorization: `Basic ${basic}`,
            "user-agent": "pulumi-videograph",
        };
        this.#requester = new Requester({ baseUrl, headers, transport: this.#transport, clock, random });
        this.contents = this.#collection(contents);
        this.livestreams = this.#collection(livestreams);
    }

    /** Cuts a new content from the content with this id. */
    createClip(id: string, body: object, options: CallOptions = {}): Promise<ContentObject> {
        return this.#create(contents, body, options, id, "/clips");
    }

    /**
     * Adds a subtitle, or replaces the one of its language. This is idempotent, so it is sent again when its answer is lost.
     */
    async setSubtitle(id: string, body: object, options: CallOptions = {}): Promise<void> {
        await this.#setPart(id, "/subtitles", body, options);
    }

    /** Makes another still the thumbnail of a content. Sent again like a subtitle. */
    async setThumbnail(id: string, body: object, options: CallOptions = {}): Promise<void> {
        await this.#setPart(id, "/thumbnails", body, options);
    }

    async #setPart(id: string, part: string, body: object, options: CallOptions): Promise<void> {
        const request = this.#request("POST", contents.path, id, options, part);
        const read = (answer: TransportAnswer) => readOptionalObject(subtitleSchema, request, answer);
        await this.#send(contents, { ...request, body }, options, read);
    }

    /** All contents, page by page, each once. Items lack what the service leaves out of lists, often the metadata. */
    listContents(options?: CallOptions): AsyncIterable<Page<ContentObject>> {
        const fetch = (query: ApiRequest["query"]) => this.#page(contents, query, options);
        return contentPages(fetch, contents.idOf);
    }

    /** All livestreams that are recorded, or all that are not; the service lists them apart. */
    listLivestreams({ record }: { record: boolean }, options?: CallOptions): AsyncIterable<Page<LivestreamObject>> {
        const fetch = (query: ApiRequest["query"]) => this.#page(livestreams, { record, ...query }, options);
        return livestreamPages(fetch, livestreams.idOf);
    }

    async signingKeys(options?: CallOptions): Promise<SigningKey[]> {
        return (await this.#page({ path: "/signing-keys", schema: signingKeySchema }, {}, options)).items;
    }

    /** Ends all requests under way and closes the connections. */
    close(): Promise<void> {
        return this.#transport.close();
    }

    /** `id` and `part` where it is made from another object. */
    #create<T extends object>(
        { path, schema }: Kind<T>,
        body: unknown,
        options: CallOptions = {},
        id?: string,
        part?: string,
    ): Promise<T> {
        const request = { ...this.#request("POST", path, id, options, part), creates: true };
        return this.#requester.send({ ...request, body }, options, (answer) => readObject(schema, request, answer));
    }

    #collection<T extends object>(kind: Kind<T>): Collection<T> {
        const { path, schema, idOf } = kind;
        const change = (method: "PUT" | "DELETE", id: string, options: CallOptions = {}, body?: object) => {
            const request = this.#request(method, path, id, options);
            return this.#send(kind, { ...request, body }, options, (answer) => {
                const object = readOptionalObject(schema, request, answer);
                if (object !== undefined) assertSame(id, idOf(object), request, answer);
                return object;
            });
        };
        return {
            idOf,
            post: (body, options) => this.#create(kind, body, options),
            get: async (id, options = {}) => {
                const request = this.#request("GET", path, id, options);
                return this.#send(kind, request, options, (answer) => {
                    const object = readObject(schema, request, answer);
                    assertSame(id, idOf(object), request, answer);
                    return object;
                });
            },
            put: async (id, body, options) => change("PUT", id, options, body),
            async remove(id, options) {
                await change("DELETE", id, options);
            },
        };
    }

    /**
     * Sends a request for one object. A 404 is passed on as "not found" only after a list of the same collection has answered the
     * same credentials in this process: the shape of its body proves nothing, because the service's error bodies are not
     * documented. `operation/notFound.ts` decides what it means for a recorded object.
     */
    async #send<T extends object, R>(
        collection: Kind<T>,
        request: ApiRequest,
        options: CallOptions,
        read: (answer: TransportAnswer) => R,
    ): Promise<R> {
        try {
            return await this.#requester.send(request, options, read);
        } catch (error) {
            const isKnown = this.#trustNotFound || this.#listed.has(collection.path);
            if (error instanceof NotFoundError && !isKnown) await this.#confirm(collection, request, options);
            throw error;
        }
    }

    async #confirm<T extends object>(
        collection: Kind<T>,
        { requestLine, id = "it" }: ApiRequest,
        { signal }: CallOptions,
    ): Promise<void> {
        // Without paging: a list call that every service of this contract answers.
        const query = collection.path === livestreams.path ? { record: false } : {};
        try {
            await this.#page(collection, query, { signal, deadline: Deadline.after(this.#clock, longestRequestMs) });
        } catch (error) {
            if (!(error instanceof ApiError) || error instanceof AuthenticationError) throw error;
            const message = messages.notFoundUnconfirmed({ request: requestLine, id, error: error.message });
            throw new UnconfirmedNotFoundError(message, { status: 404, outcome: "ambiguous" });
        }
    }

    async #page<T extends object>(
        { path, schema }: Pick<Kind<T>, "path" | "schema">,
        query: ApiRequest["query"] = {},
        options: CallOptions = {},
    ): Promise<Page<T>> {
        const request = this.#request("GET", path, undefined, options);
        const read = (answer: TransportAnswer): Page<T> => {
            const serverTime = parseHttpDate(answer.headers.date);
            return { items: readList(schema, request, answer), ...(serverTime !== undefined && { serverTime }) };
        };
        const page = await this.#requester.send({ ...request, query }, options, read);
        this.#listed.add(path);
        return page;
    }

    /** `part` is what follows the id. */
    #request(method: Method, path: string, id: string | undefined, options: CallOptions, part = ""): ApiRequest {
        const redactor = options.redactor === undefined ? this.#redactor : this.#redactor.with(options.redactor);
        const own = id === undefined ? path : `${path}/${encodeURIComponent(toUSVString(id))}${part}`;
        const requestLine = `${method} ${own}`;
        // In a URL these would address the list or something else.
        if (id !== undefined && ["", ".", ".."].includes(id))
            throw new ClientError(messages.emptyId({ request: requestLine }), { outcome: "refused" });
        return { method, path: own, requestLine, id, redactor, trustNotFound: this.#trustNotFound };
    }
}

/** UUIDs may be written in either case, so answers may differ in it. */
export function isSameId(a: string, b: string): boolean {
    return plainId(a) === plainId(b);
}

/** The id as it is compared. */
export function plainId(id: string): string {
    return id.trim().toLowerCase();
}

/** Rejects an answer that describes a different object. */
function assertSame(wanted: string, got: string, request: ApiRequest, answer: TransportAnswer): void {
    if (isSameId(wanted, got)) return;
    const other = encodeURIComponent(toUSVString(got));
    throw malformed(request, answer, `a different object, ${other}`);
}

/** undici is loaded only here: most processes find nothing to change and send no request. */
function networkTo(baseUrl: string): Transport {
    // biome-ignore lint/style/noCommonJs: an import would load it at once
    const { UndiciTransport } = require("./transport") as typeof import("./transport");
    return new UndiciTransport(baseUrl);
}
