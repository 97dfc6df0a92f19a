/** Downloads over HTTP, followed through redirects, and on demand from public addresses only. */
import { lookup } from "node:dns";
import * as http from "node:http";
import * as https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Why a source cannot be used; the text is shown to users. */
export class SourceError extends Error {
    override readonly name = "SourceError";
}

export interface DownloadOptions {
    readonly signal: AbortSignal;
    /** Whether a request may go to any address. Otherwise only to public ones. */
    readonly mayReachAll: (url: URL) => boolean;
}

const maxRedirects = 10;

/** The body of the answer with which a chain of redirects ends. */
export async function openDownload(url: string, options: DownloadOptions): Promise<http.IncomingMessage> {
    let target = new URL(url);
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const response = await get(target, options);
        const { statusCode = 0, headers } = response;
        if (statusCode >= 200 && statusCode < 300) return response;
        response.destroy();
        if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
            throw new SourceError(`its server answered HTTP ${statusCode}`);
        }
        const next = URL.parse(headers.location, target.href);
        if (next === null || !/^https?:$/.test(next.protocol)) throw new SourceError("its redirect has no target");
        target = next;
    }
    throw new SourceError("it has too many redirects");
}

function get(url: URL, { signal, mayReachAll }: DownloadOptions): Promise<http.IncomingMessage> {
    const isLimited = !mayReachAll(url);
    const address = url.hostname.replace(/^\[|\]$/g, "");
    if (isLimited && isIP(address) !== 0 && !isPublic(address)) throw privateAddress();
    const headers = { accept: "*/*", "user-agent": "videograph-emulator" };
    const options = { signal, headers, agent: false, ...(isLimited ? { lookup: lookupPublic } : {}) };
    return new Promise((resolve, reject) => {
        const client = url.protocol === "https:" ? https : http;
        client.get(url, options, resolve).on("error", reject);
    });
}

/** The check belongs in the connection itself: a name may resolve differently the next time. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? [];
        // That a name does not exist would tell a page of the names that do.
        if (error !== null || first === undefined) callback(privateAddress(), "");
        else if (!addresses.every(({ address }) => isPublic(address))) callback(privateAddress(), "");
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
    });
};

function privateAddress(): SourceError {
    return new SourceError(
        "a web page of another site asked for it, and it has no public address; call the API from a program instead",
    );
}

const reserved = new BlockList();
const blocks =
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16";
for (const block of `${blocks} 198.18.0.0/15 224.0.0.0/3`.split(" ")) {
    const [address = "", bits] = block.split("/");
    reserved.addSubnet(address, Number(bits));
}
const publicIPv6 = new BlockList();
publicIPv6.addSubnet("2000::", 3, "ipv6");

function isPublic(address: string): boolean {
    return isIP(address) === 4 ? !reserved.check(address) : publicIPv6.check(address, "ipv6");
}
