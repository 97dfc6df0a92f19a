/** HTTP Basic authentication. An access token belongs to exactly one environment, and sees the objects of no other. */
import { type Headers, header, ServiceError } from "./http";
import type { Variants } from "./variants";

/** An access token and the environment it opens. Several tokens may open the same one, as during a rotation. */
export interface Token {
    /** Access token id: the user name. */
    id: string;
    /** Secret key: the password. */
    secret: string;
    /** The number of the environment. Default 1. */
    environmentId?: number;
    /** The permissions there: everything (default), read only, or nothing; other requests get 403. */
    access?: Access;
}

export type Access = "full" | "read" | "none";

/** The token of an emulator that was started without any. It opens environment 1. */
export const defaultToken: Readonly<Required<Token>> = {
    id: "emulator-token-id",
    secret: "emulator-secret-key",
    environmentId: 1,
    access: "full",
};

/** What a request says about its sender. The secret of the credentials is never kept. */
export interface Caller {
    readonly scheme: "none" | "basic" | "other";
    readonly tokenId: string | undefined;
    /** The caller's environment; undefined when the credentials are missing or wrong. */
    readonly environmentId: number | undefined;
    readonly access: Access | undefined;
}

export class Tokens {
    readonly #tokens = new Map<string, Required<Token>>();

    add(token: Token): void {
        this.#tokens.set(token.id, { environmentId: 1, access: "full", ...token });
    }

    /** Removes a token. Returns whether it existed. */
    revoke(id: string): boolean {
        return this.#tokens.delete(id);
    }

    list(): Required<Token>[] {
        return [...this.#tokens.values()];
    }

    identify(headers: Headers): Caller {
        const sent = header(headers, "authorization");
        if (sent === undefined) return refusedCaller("none");
        const encoded = /^basic +([A-Za-z0-9+/=]+)$/i.exec(sent.trim())?.[1];
        if (encoded === undefined) return refusedCaller("other");
        const decoded = Buffer.from(encoded, "base64").toString("utf8");
        const colon = decoded.indexOf(":");
        const tokenId = colon < 0 ? decoded : decoded.slice(0, colon);
        const token = this.#tokens.get(tokenId);
        const right = token !== undefined && colon >= 0 && decoded.slice(colon + 1) === token.secret;
        if (!right) return { ...refusedCaller("basic"), tokenId };
        return { scheme: "basic", tokenId, environmentId: token.environmentId, access: token.access };
    }
}

function refusedCaller(scheme: Caller["scheme"]): Caller {
    return { scheme, tokenId: undefined, environmentId: undefined, access: undefined };
}

const refusals: Record<Caller["scheme"], string> = {
    none: "the request has no Authorization header; send Basic authentication with access token id and secret key",
    other: 'the Authorization header is not "Basic" and base64 of <access token id>:<secret key>',
    basic: "the access token id or the secret key is wrong",
};

type Refusal = Pick<Variants, "unauthorizedCode" | "challenge">;

export function requireEnvironment(caller: Caller, { unauthorizedCode, challenge }: Refusal): number {
    if (caller.environmentId === undefined) {
        const headers = challenge ? { "www-authenticate": 'Basic realm="videograph"' } : {};
        throw new ServiceError(unauthorizedCode, `Unauthorized: ${refusals[caller.scheme]}`, headers);
    }
    return caller.environmentId;
}
