/** Why a connection failed, and what to check. Never quotes an address, because it may contain credentials. */
import { errors } from "undici";
import { connectionFailures, proxyAnswered, proxyFailures } from "../messages";

/** The connection to the proxy failed. undici passes on the bare error, which could also be the service's. */
export class ProxyUnreachable extends Error {
    /** undici reads it, too. */
    readonly code: string | undefined;

    constructor(cause: Error) {
        super(cause.message, { cause });
        this.code = codeOf(cause);
    }
}

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
    if (proxyStatus !== undefined) return proxyAnswered(proxyStatus);
    const code = codeOf(error) ?? "";
    if (!(error instanceof ProxyUnreachable) && !code.startsWith("UND_ERR_PRX_")) return undefined;
    return `${textOf(proxyFailures, code) ?? proxyFailures.other}${code === "" ? "" : ` (${code})`}`;
}

function otherReason(error: unknown): string {
    if (!(error instanceof Error)) return connectionFailures.other;
    if (error instanceof errors.HTTPParserError) return connectionFailures.notHttp;
    if (error.message === tooLarge) return tooLarge;
    const code = codeOf(error);
    return code === undefined
        ? connectionFailures.other
        : `${textOf(connectionFailures, code) ?? family(code)} (${code})`;
}

function codeOf(error: Error): string | undefined {
    return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function textOf(texts: Readonly<Record<string, string>>, code: string): string | undefined {
    return texts[code];
}

function family(code: string): string {
    if (/CERT|^UNABLE_TO_|^CRL_|^HOSTNAME_MISMATCH$/.test(code)) return connectionFailures.certificate;
    if (/^EPROTO$|^ERR_(SSL|TLS)_/.test(code)) return connectionFailures.tls;
    return connectionFailures.other;
}

/** The one failure of our own making that has no code. */
export const tooLarge = connectionFailures.tooLarge;
