/** Says in plain words why a connection failed, with what to check. Never quotes an address: it may carry credentials. */
import { errors } from "undici";

const explanations: Record<string, string> = {
    ECONNREFUSED: "the connection was refused; check the base URL and that the service runs",
    ENOTFOUND: "the host name is unknown; check the base URL and the proxy settings",
    EAI_AGAIN: "the host name could not be resolved; check the network and the proxy settings",
    EHOSTUNREACH: "the host cannot be reached; check the network and the proxy settings",
    ENETUNREACH: "the network cannot be reached; check the network and the proxy settings",
    ETIMEDOUT: "the connection timed out; check the network and the proxy settings",
    UND_ERR_CONNECT_TIMEOUT: "no connection came about in time; check the network and the proxy settings",
    ECONNRESET: "the connection was reset",
    EPIPE: "the connection was closed while the request was sent",
    UND_ERR_SOCKET: "the connection was closed before the answer was complete",
    UND_ERR_BODY_TIMEOUT: "the answer stopped half-way",
    UND_ERR_HEADERS_TIMEOUT: "no answer came in time",
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer was cut short",
    UND_ERR_DESTROYED: "the client was closed",
    UND_ERR_CLOSED: "the client was closed",
};

/** The way to the proxy failed. undici itself passes on the bare error, which could as well be the service's. */
export class ProxyUnreachable extends Error {
    /** undici goes by it, too. */
    readonly code: string | undefined;

    constructor(cause: Error) {
        super(cause.message, { cause });
        this.code = codeOf(cause);
    }
}

const proxyExplanations: Record<string, string> = {
    ECONNREFUSED: "the proxy refused the connection; check its address in HTTPS_PROXY or HTTP_PROXY, and that it runs",
    UND_ERR_PRX_CONN: "the proxy closed the connection; check the proxy's address, credentials and rules",
    UND_ERR_PRX_TLS: "the proxy's certificate does not fit its address; check the proxy's address",
    ENOTFOUND: "the proxy's host name is unknown; check its address in HTTPS_PROXY or HTTP_PROXY",
};

export interface FailureText {
    reason: string;
    /** Whether it was the proxy that failed or refused. */
    byProxy: boolean;
}

export function describeFailure(error: unknown): FailureText {
    const reason = proxyReason(error);
    return reason === undefined ? { reason: otherReason(error), byProxy: false } : { reason, byProxy: true };
}

function proxyReason(error: unknown): string | undefined {
    if (!(error instanceof Error)) return undefined;
    const proxyStatus = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
    if (proxyStatus !== undefined) {
        return `the proxy answered ${proxyStatus} instead of connecting; check the proxy's address, credentials and rules, or add the host to NO_PROXY`;
    }
    const code = codeOf(error) ?? "";
    if (!(error instanceof ProxyUnreachable) && !code.startsWith("UND_ERR_PRX_")) return undefined;
    const other = "the proxy cannot be reached; check its address in HTTPS_PROXY or HTTP_PROXY, and the network";
    return `${proxyExplanations[code] ?? other}${code === "" ? "" : ` (${code})`}`;
}

function otherReason(error: unknown): string {
    if (!(error instanceof Error)) return "the connection failed";
    if (error instanceof errors.HTTPParserError) return "the answer is not HTTP; check the base URL and its port";
    if (error.message === tooLarge) return tooLarge;
    const code = codeOf(error);
    return code === undefined ? "the connection failed" : `${explanations[code] ?? explainFamily(code)} (${code})`;
}

function codeOf(error: Error): string | undefined {
    return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function explainFamily(code: string): string {
    if (/CERT|^UNABLE_TO_|^CRL_|^HOSTNAME_MISMATCH$/.test(code)) {
        return "the server's certificate is not trusted; name a private authority's certificate file in NODE_EXTRA_CA_CERTS, and check the base URL";
    }
    if (/^EPROTO$|^ERR_(SSL|TLS)_/.test(code)) {
        return "the secure connection could not be set up; check the base URL and its port";
    }
    return "the connection failed";
}

/** The one failure of our own making that has no code. */
export const tooLarge = "the answer is larger than 16 MiB";
