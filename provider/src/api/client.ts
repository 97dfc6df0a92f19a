/** The service's endpoints as methods. `requester.ts` may send the request of one call several times. */

import { createHash } from "node:crypto";
import { messages } from "../messages";
import { Redactor, tokenSecrets } from "../secrets/redactor";
import { type Answer, type Endpoint, readList, readObject, readOptionalObject } from "./answer";
import { parseBaseUrl } from "./baseUrl";
import { type Clock, Deadline, type Random, systemClock } from "./clock";
import {
    ApiError,
    AuthenticationError,
    ClientError,
    ListedNotFoundError,
    NotFoundError,
    UnconfirmedNotFoundError,
} from "./errors";
import { isUnconfirmed } from "./ids";
import { longestRequestMs } from "./limits";
import { type ObjectList, type Page, pages } from "./pages";
import type { ApiRequest, CallOptions, Query } from "./request";
import { parseHttpDate, Requester } from "./requester";
import { type ContentObject, type LivestreamObject, readContent, readLivestream, readSigningKey } from "./schema";
import type { SigningKey } from "./signingKey";
import { isBeingDeleted } from "./status";
import type { Method, Transport } from "./transport";

interface VideographApiOptions {
    /** The URL as the user has written it. `parseBaseUrl` checks it. */
    baseUrl: string;
    accessTokenId: string;
    secretKey: string;
    transport?: Transport;
    clock?: Clock;
    random?: Random;
    /** Whether the user vouches that every 404 for an object means "deleted", even if a gateway may have sent it. */
    trustNotFound?: boolean;
}

/** The requests for one kind of object. */
export interface Collection<T> {
    idOf(object: T): string;
    lists: readonly [ObjectList<T>, ...ObjectList<T>[]];
    post(body: object, options?: CallOptions): Promise<T>;
    get(id: string, options?: CallOptions): Promise<T>;
    /** The object as the answer shows it; `undefined` if the answer has none. */
    put(id: string, body: object, options?: CallOptions): Promise<T | undefined>;
    /** Deletes the object. The service may still show a livestream for a while after its answer. */
    remove(id: string, options?: CallOptions): Promise<unknown>;
}

type RequestParts = CallOptions & Partial<Omit<ApiRequest, keyof CallOptions>>;

const contents: Endpoint<ContentObject> = {
    path: "/contents",
    read: readContent,
    idOf: ({ contentId }) => contentId,
    lists: [{}],
    isPaged: true,
};

const livestreams: Endpoint<LivestreamObject> = {
    path: "/livestreams",
    read: readLivestream,
    idOf: ({ streamUUID }) => streamUUID,
    lists: [{ record: false }, { record: true }],
    isPaged: false,
};

const signingKeys: Endpoint<SigningKey> = {
    path: "/signing-keys",
    read: readSigningKey,
    idOf: ({ signingKeyId }) => signingKeyId,
    lists: [{}],
    isPaged: false,
};

/**
 * A client for one environment of the service. A method that fails throws an `ApiError`. After a failed create, its `outcome` says whether the object
 * may exist.
 */
export class VideographApi {
    /** Identifies the environment of the credentials: see {@link fingerprintOf}. */
    readonly fingerprint: string;
    readonly contents: Collection<ContentObject>;
    readonly livestreams: Collection<LivestreamObject>;

    readonly #requester: Requester;
    readonly #transport: Transport;
    readonly #redactor: Redactor;
    readonly #clock: Clock;
    readonly #trustNotFound: boolean;
    /** The ids on the first page of each list that these credentials have read. `#send` uses them to judge a 404. */
    readonly #listed = new Map<Query, ReadonlySet<string>>();

    /** @throws {LifecycleError} if the base URL, or the proxy in the environment's variables, cannot be used. */
    constructor(options: VideographApiOptions) {
        const { accessTokenId, secretKey, clock = systemClock, random = Math.random } = options;
        const baseUrl = parseBaseUrl(options.baseUrl);
        const basic = Buffer.from(`${accessTokenId}:${secretKey}`).toString("base64");
        this.fingerprint = fingerprintOf(baseUrl, accessTokenId);
        this.#clock = clock;
        this.#trustNotFound = options.trustNotFound ?? false;
        this.#transport = options.transport ?? networkTo(baseUrl);
        this.#redactor = new Redactor([...tokenSecrets(options), { name: "accessTokenId", value: accessTokenId }]);
        const headers = {
            accept: "application/json",
            authorization: `Basic ${basic}`,
            "user-agent": "pulumi-videograph",
        };
        this.#requester = new Requester({ baseUrl, headers, transport: this.#transport, clock, random });
        this.contents = this.#collection(contents);
        this.livestreams = this.#collection(livestreams);
    }

    /** Cuts a clip, which is a content too, from the content with this id. */
    createClip(id: string, body: object, options?: CallOptions): Promise<ContentObject> {
        return this.#send(contents, "POST", { ...options, id, part: "/clips", body, creates: true }, readObject);
    }

    /** Sets the subtitle of a language, or the thumbnail. A repetition changes nothing, so the request may be sent again after a lost answer. */
    async setPart(id: string, kind: "subtitles" | "thumbnails", body: object, options?: CallOptions): Promise<void> {
        await this.#send(contents, "POST", { ...options, id, part: `/${kind}`, body }, readOptionalObject);
    }

    async signingKeys(options?: CallOptions): Promise<SigningKey[]> {
        return (await this.#page(signingKeys, signingKeys.lists[0], { ...options })).items;
    }

    /** Ends the requests that are under way, and closes the connections. */
    close(): Promise<void> {
        return this.#transport.close();
    }

    #collection<T extends object>(kind: Endpoint<T>): Collection<T> {
        const listed = (list: Query): ObjectList<T> => ({
            ...list,
            name: [kind.path.slice(1), ...Object.entries(list).map((one) => one.join("="))].join("?"),
            pages: (options) => pages(kind, (query) => this.#page(kind, list, { ...options, query })),
        });
        const [first, ...others] = kind.lists;
        return {
            idOf: kind.idOf,
            lists: [listed(first), ...others.map(listed)],
            post: (body, options) => this.#send(kind, "POST", { ...options, body, creates: true }, readObject),
            get: (id, options) => this.#send(kind, "GET", { ...options, id }, readObject),
            put: (id, body, options) => this.#send(kind, "PUT", { ...options, id, body }, readOptionalObject),
            remove: (id, options) => this.#send(kind, "DELETE", { ...options, id }, readOptionalObject),
        };
    }

    async #page<T extends object>(kind: Endpoint<T>, list: Query, call: RequestParts): Promise<Page<T>> {
        const page = await this.#send(kind, "GET", { ...call, query: { ...list, ...call.query } }, readPage<T>);
        // Notes what the first page shows, for `#send`: a 404 for an object is believed only if its list could be read, and does not show the object.
        if (call.query?.start === undefined) {
            const shown = page.items.filter((item: T & { status?: string }) => !isBeingDeleted(item.status));
            this.#listed.set(list, new Set(shown.map(kind.idOf)));
        }
        return page;
    }

    /**
     * Sends a request. A 404 for an object may come from another server, and no documentation shows how to tell it from a 404 of the service. So a
     * `NotFoundError` is thrown only once these credentials have read the lists of the object's kind. If a list shows the object, a
     * `ListedNotFoundError` is thrown, and the next 404 reads that list again. `operation/notFound.ts` decides what a 404 means for an object in the
     * state.
     */
    async #send<T extends object, R>(
        kind: Endpoint<T>,
        method: Method,
        call: RequestParts,
        read: (kind: Endpoint<T>, answer: Answer) => R,
    ): Promise<R> {
        const request = this.#request(kind.path, method, call);
        try {
            return await this.#requester.send(request, (answer) => read(kind, answer));
        } catch (error) {
            if (!(error instanceof NotFoundError) || this.#trustNotFound || request.creates) throw error;
            for (const list of kind.lists) {
                if (!this.#listed.has(list)) await this.#confirm(kind, list, request);
                if (!this.#listed.get(list)?.has(request.id ?? "")) continue;
                this.#listed.delete(list);
                throw new ListedNotFoundError(error.message, error);
            }
            throw error;
        }
    }

    /**
     * Reads the first page of a list, because the service has answered 404 for an object. If the list cannot be read, this throws an
     * `UnconfirmedNotFoundError`. The request has no `start` and no `limit`, which a service might refuse.
     */
    async #confirm<T extends object>(kind: Endpoint<T>, list: Query, request: ApiRequest): Promise<void> {
        const { requestLine, id = "it", signal } = request;
        const deadline = new Deadline(this.#clock, longestRequestMs);
        try {
            await this.#page(kind, list, { signal, deadline });
        } catch (error) {
            if (!(error instanceof ApiError) || error instanceof AuthenticationError) throw error;
            const message = messages.notFoundUnconfirmed({ request: requestLine, id, error: error.message });
            throw new UnconfirmedNotFoundError(message, { status: 404, outcome: "ambiguous" });
        }
    }

    #request(collection: string, method: Method, { redactor, ...call }: RequestParts): ApiRequest {
        const { id, part = "" } = call;
        const path = id === undefined ? collection : `${collection}/${encodeURIComponent(id.toWellFormed())}${part}`;
        const requestLine = `${method} ${path}`;
        // In a URL, an id such as "" or ".." would change the path: the DELETE of an object would be sent to the list.
        if (id !== undefined && ["", ".", ".."].includes(id))
            throw new ClientError(messages.emptyId({ request: requestLine }), { outcome: "refused" });
        if (id !== undefined && isUnconfirmed(id))
            throw new ClientError(messages.unconfirmedObject({ request: requestLine }), { outcome: "refused" });
        return {
            ...call,
            method,
            path,
            requestLine,
            trustNotFound: this.#trustNotFound,
            redactor: redactor === undefined ? this.#redactor : this.#redactor.with(redactor),
        };
    }
}

/**
 * A digest of a base URL and an access token id, in 16 hex digits. The state records it, so that a later run knows whether it has the same
 * credentials.
 */
export function fingerprintOf(baseUrl: string | URL, accessTokenId: string): string {
    return createHash("sha256").update(`${baseUrl}\n${accessTokenId}`).digest("hex").slice(0, 16);
}

function readPage<T extends object>(kind: Endpoint<T>, answer: Answer): Page<T> {
    const serverTime = parseHttpDate(answer.headers.date);
    return { items: readList(kind, answer), ...(serverTime !== undefined && { serverTime }) };
}

/** Makes the real transport. undici is loaded only here: most processes find nothing to change, send no request, and start faster without undici. */
function networkTo(baseUrl: string): Transport {
    const { UndiciTransport } = require("./transport") as typeof import("./transport");
    return new UndiciTransport(baseUrl);
}
