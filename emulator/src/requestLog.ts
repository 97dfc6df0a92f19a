/** Every API request that arrived, in order: what tests of a client assert on. */
import type { Headers } from "./http";

/** A request to the API, logged on arrival; `status` and `finishedAt` are filled in when it ends. */
export interface LoggedRequest {
    /** Counts from 1, in order of arrival. */
    readonly number: number;
    readonly method: string;
    /** Path without the query, as sent, e.g. "/video/services/api/v1/contents". */
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    /** Without `authorization`: see `authorization` and `tokenId`. */
    readonly headers: Headers;
    /** The parsed JSON body; the text when it is not JSON; undefined when there was none, or wrong credentials. */
    readonly body: unknown;
    /** Which kind of Authorization header was present. */
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
    /** Epoch ms of the end of the answer or of the connection; null while under way. */
    finishedAt: number | null;
}

interface Waiter {
    readonly predicate: (request: LoggedRequest) => boolean;
    readonly found: (request: LoggedRequest) => void;
}

export class RequestLog {
    #requests: LoggedRequest[] = [];
    #waiters: Waiter[] = [];
    #next = 1;
    #bytes = 0;
    /** About how many bytes each kept request takes, by its number. */
    readonly #sizes = new Map<number, number>();

    constructor(
        private readonly limit: number,
        private readonly byteLimit: number,
    ) {}

    get requests(): readonly LoggedRequest[] {
        return this.#requests;
    }

    /** `bytes` is the size of what the client sent. */
    add(
        request: Omit<LoggedRequest, "number" | "faults" | "accepted" | "status" | "finishedAt">,
        bytes: number,
    ): LoggedRequest {
        const logged = {
            number: this.#next++,
            ...request,
            faults: [],
            accepted: false,
            status: null,
            finishedAt: null,
        };
        this.#requests.push(logged);
        this.#sizes.set(logged.number, bytes);
        this.#bytes += bytes;
        if (this.#requests.length > this.limit || this.#bytes > this.byteLimit) this.#shrink();
        this.changed(logged);
        return logged;
    }

    /** Notifies the waiters that a request arrived or ended. */
    changed(request: LoggedRequest): void {
        this.#waiters = this.#waiters.filter((waiter) => {
            if (!waiter.predicate(request)) return true;
            waiter.found(request);
            return false;
        });
    }

    clear(): void {
        this.#requests = [];
        this.#sizes.clear();
        this.#bytes = 0;
    }

    /** To half of what is allowed, so that a full log does not cost a copy per request. The newest one always stays. */
    #shrink(): void {
        let first = Math.max(this.#requests.length - Math.max(Math.floor(this.limit / 2), 1), 0);
        let kept = 0;
        for (let index = this.#requests.length - 1; index >= first; index--) {
            kept += this.#sizes.get(this.#requests[index]?.number ?? 0) ?? 0;
            if (kept > this.byteLimit / 2) first = Math.min(index + 1, this.#requests.length - 1);
        }
        for (const { number } of this.#requests.splice(0, first)) {
            this.#bytes -= this.#sizes.get(number) ?? 0;
            this.#sizes.delete(number);
        }
    }

    /** The first request, past or to come, that fits; rejects after `timeoutMs`. */
    waitFor(predicate: (request: LoggedRequest) => boolean, timeoutMs: number): Promise<LoggedRequest> {
        const past = this.#requests.find(predicate);
        if (past !== undefined) return Promise.resolve(past);
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => {
                this.#waiters = this.#waiters.filter((other) => other !== waiter);
                reject(new Error(`No such request arrived at the emulator within ${timeoutMs} ms`));
            }, timeoutMs);
            const waiter: Waiter = {
                predicate,
                found: (request) => {
                    clearTimeout(timer);
                    resolve(request);
                },
            };
            this.#waiters.push(waiter);
        });
    }
}
