/** The client's access to the network: one request, one answer. No retries, no redirects. */

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface TransportRequest {
    method: Method;
    url: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
}

export interface TransportAnswer {
    status: number;
    /** By lower-case name. */
    headers: Record<string, string | undefined>;
    body: string;
}

export interface Transport {
    /**
     * Resolves with whatever the service answered, of any status.
     *
     * Every failure is a `ConnectionError` that says whether the request may have reached the service. When the signal
     * is aborted it must reject at once, with a `ConnectionError` likewise or with the signal's reason, which says nothing
     * about that.
     */
    send(request: TransportRequest): Promise<TransportAnswer>;
    /** Closes the idle connections. Requests under way are ended. */
    close(): Promise<void>;
}
