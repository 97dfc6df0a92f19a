/**
 * The host names that requests may use for the emulator. A web page can give its own name the emulator's address (DNS
 * rebinding) and would then be of the same origin; so unknown names are refused, on every route.
 */
import { type Headers, ServiceError } from "./http";

export class AllowedHosts {
    readonly #names = new Set<string>();

    /** Allows a name, with or without a port; the port is ignored. */
    allow(name: string): void {
        const hostname = hostnameOf(name);
        if (hostname === undefined) throw new Error(`"${name}" is not a host name`);
        this.#names.add(hostname);
    }

    /** Refuses an unknown host. `localAddress`: the one that the connection came in at; as it is an address, it is no DNS rebinding. */
    require(host: string | undefined, localAddress: string | undefined): void {
        const hostname = hostnameOf(host ?? "");
        const local = localAddress?.replace(/^::ffff:/, "");
        const isLocal = hostname !== undefined && hostname.replace(/^\[|\]$/g, "") === local;
        if (hostname !== undefined && (isLocal || isLoopback(hostname) || this.#names.has(hostname))) return;
        throw new ServiceError(403, "The emulator does not answer under this host name; see --allow-host");
    }
}

/** The normalized name without a port; `undefined` for a text that is no host. */
function hostnameOf(host: string): string | undefined {
    return /^[^/\\?#@]+$/.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined;
}

/** An address or a name that always means this machine. */
export function isLoopback(address: string): boolean {
    return /^(::ffff:)?127\.[\d.]+$|^\[?::1\]?$|^(.+\.)?localhost\.?$/.test(address);
}

/** The headers that let a page of another origin read answers and call the API with a token. */
export const crossOriginHeaders = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    // "*" would not include the header Authorization.
    "access-control-allow-headers": "authorization, content-type",
    "access-control-expose-headers": "date, location, retry-after",
};

/** Whether a web page of another site has sent the request. A browser adds the page's origin, and no page can prevent that. */
export function isOtherSite({ origin, host }: Headers): boolean {
    return origin !== undefined && URL.parse(String(origin))?.host !== host;
}

/** An origin as browsers send it: `null` for a file and for a page in a sandbox. */
export function isPlainOrigin(origin: string): boolean {
    return /^(null|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+)$/.test(origin);
}
