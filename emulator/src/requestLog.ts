/** The API requests that arrived, in order: tests of a client assert on them. */
import type { Headers } from "./http";

/** A request to the API, logged on arrival; `status` and `finishedAt` are filled in when it ends. */
export interface LoggedRequest {
    /** The number of the request, from 1 on, in order of arrival. */
    readonly number: number;
    readonly method: string;
    /** Path without the query, as sent, e.g. "/video/services/api/v1/contents". */
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    /** The headers without `authorization`: see `authorization` and `tokenId`. */
    readonly headers: Headers;
    /** The parsed JSON body; the text when it is not JSON; undefined when there was none, or wrong credentials. */
    readonly body: unknown;
    /** The kind of the Authorization header. */
    readonly authorization: "none" | "basic" | "other";
    /** The access token id that was sent, right or wrong. */
    readonly tokenId: string | undefined;
    /** The environment the credentials opened; undefined when they were refused. */
    readonly environmentId: number | undefined;
    /** Epoch ms of arrival, by the emulator's clock. */
    readonly at: number;
    /** Kinds of the faults that hit it. */
    faults: string[];
    /** Whether the service carried the request out, even if the answer was lost; false while undecided. */
    accepted: boolean;
    /** HTTP status answered; null while under way, and for ever when the answer was dropped. */
    status: number | null;
    /** The body of an answer from 400 on, as `body`; of a long one, its beginning. */
    refusal: unknown;
    /** Epoch ms of the end of the answer or of the connection; null while under way. */
    finishedAt: number | null;
}

/** The most requests that are kept: an emulator may run for weeks. */
const maxRequests = 200_000;

type Undecided = "faults" | "accepted" | "status" | "refusal" | "finishedAt";

export class RequestLog {
    #requests: LoggedRequest[] = [];
    /** The functions that are called when a request arrives or ends. */
    readonly #waiters = new Set<(request: LoggedRequest) => void>();
    #next = 1;

    get requests(): readonly LoggedRequest[] {
        return this.#requests;
    }

    add(request: Omit<LoggedRequest, Undecided | "number">): LoggedRequest {
        const undecided = { faults: [], accepted: false, status: null, refusal: undefined, finishedAt: null };
        const logged: LoggedRequest = { number: this.#next++, ...request, ...undecided };
        this.#requests.push(logged);
        if (this.#requests.length > maxRequests) this.#requests.shift();
        this.changed(logged);
        return logged;
    }

    /** Notifies the waiters that a request arrived or ended. */
    changed(request: LoggedRequest): void {
        for (const waiter of this.#waiters) waiter(request);
    }

    clear(): void {
        this.#requests = [];
    }

    /** The first request, past or to come, that fits; rejects after `timeoutMs`. */
    waitFor(predicate: (request: LoggedRequest) => boolean, timeoutMs: number): Promise<LoggedRequest> {
        const past = this.#requests.find(predicate);
        if (past !== undefined) return Promise.resolve(past);
        return new Promise((resolve, reject) => {
            const end = () => {
                clearTimeout(timer);
                this.#waiters.delete(waiter);
            };
            const waiter = (request: LoggedRequest) => {
                if (!predicate(request)) return;
                end();
                resolve(request);
            };
            const timer = setTimeout(() => {
                end();
                reject(new Error(`The emulator received no such request within ${timeoutMs} ms`));
            }, timeoutMs);
            this.#waiters.add(waiter);
        });
    }
}
