/** HTTP Basic authentication: an access token belongs to exactly one environment and sees nothing else. */
import { type Headers, header, ServiceError } from "./http";

/** An access token and the environment it opens. Several tokens may open the same one, as during a rotation. */
export interface Token {
    /** Access token id: the user name. */
    id: string;
    /** Secret key: the password. */
    secret: string;
    /** Default 1. */
    environmentId?: number;
}

/** The token an emulator starts with when it is given none. It opens environment 1. */
export const defaultToken: Readonly<Required<Token>> = {
    id: "emulator-token-id",
    secret: "emulator-secret-key",
    environmentId: 1,
};

/** What a request said about who sends it; the credentials' secret is never kept. */
export interface Caller {
    readonly scheme: "none" | "basic" | "other";
    readonly tokenId: string | undefined;
    /** Undefined when the credentials are missing or wrong. */
    readonly environmentId: number | undefined;
}

export class Tokens {
    readonly #tokens = new Map<string, Required<Token>>();

    add(token: Token): void {
        this.#tokens.set(token.id, { environmentId: 1, ...token });
    }

    /** Returns whether there was such a token. */
    revoke(id: string): boolean {
        return this.#tokens.delete(id);
    }

    list(): Required<Token>[] {
        return [...this.#tokens.values()];
    }

    identify(headers: Headers): Caller {
        const sent = header(headers, "authorization");
        if (sent === undefined) return { scheme: "none", tokenId: undefined, environmentId: undefined };
        const encoded = /^basic +([A-Za-z0-9+/=]+)$/i.exec(sent.trim())?.[1];
        if (encoded === undefined) return { scheme: "other", tokenId: undefined, environmentId: undefined };
        const decoded = Buffer.from(encoded, "base64").toString("utf8");
        const colon = decoded.indexOf(":");
        const tokenId = colon < 0 ? decoded : decoded.slice(0, colon);
        const token = this.#tokens.get(tokenId);
        const right = token !== undefined && colon >= 0 && decoded.slice(colon + 1) === token.secret;
        return { scheme: "basic", tokenId, environmentId: right ? token.environmentId : undefined };
    }
}

export function requireEnvironment(caller: Caller): number {
    if (caller.environmentId === undefined) {
        throw new ServiceError(401, "Unauthorized: the access token id or the secret key is wrong", {
            "www-authenticate": 'Basic realm="videograph"',
        });
    }
    return caller.environmentId;
}
