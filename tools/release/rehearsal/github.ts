/** As much of GitHub's API as a release uses: releases, whose files are kept in memory. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Asset {
    readonly id: number;
    readonly name: string;
    readonly url: string;
    readonly digest: string;
    readonly content: Buffer;
}
interface Release {
    readonly id: number;
    readonly upload_url: string;
    readonly tag_name: string;
    readonly body: string;
    readonly draft: boolean;
    assets: Asset[];
}

export class GitHub {
    readonly releases: Release[] = [];
    url = "";
    #server: Server | undefined;
    #ids = 0;

    async start(): Promise<void> {
        this.#server = createServer(async (request, response) => {
            const chunks: Buffer[] = [];
            for await (const chunk of request) chunks.push(chunk as Buffer);
            const url = new URL(request.url ?? "", this.url);
            const answer = this.#answer(request.method ?? "", url, Buffer.concat(chunks));
            response.statusCode = answer === undefined ? 404 : 200;
            // The CLI refuses a plugin without a Content-Length, which Node sends for a body written at once.
            response.end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
        }).listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.#server?.close();
        this.#server?.closeAllConnections();
    }

    /** What everybody can download. */
    published(): Asset[] {
        return this.releases.filter(({ draft }) => !draft).flatMap(({ assets }) => assets);
    }

    #answer(method: string, { pathname, searchParams }: URL, body: Buffer): unknown {
        const last = pathname.split("/").at(-1) ?? "";
        const release = this.releases.find(({ id }) => id === Number(last));
        if (pathname.startsWith("/download/")) return this.published().find(({ name }) => name === last)?.content;
        if (pathname.startsWith("/upload/")) return this.#attach(release, searchParams.get("name") ?? "", body);
        if (method === "DELETE") return this.#detach(Number(last));
        if (method === "PATCH") return release && Object.assign(release, JSON.parse(String(body)));
        if (method === "POST") return this.#create(JSON.parse(String(body)) as Partial<Release>);
        return this.releases.map(({ assets, ...rest }) => ({ ...rest, assets: assets.map(withoutContent) }));
    }

    #create(given: Partial<Release>): Release {
        const id = ++this.#ids;
        const upload_url = `${this.url}/upload/${id}{?name,label}`;
        const release = { tag_name: "", body: "", draft: false, ...given, id, upload_url, assets: [] };
        this.releases.push(release);
        return release;
    }

    #attach(release: Release | undefined, name: string, content: Buffer): object {
        const id = ++this.#ids;
        const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
        const asset = { id, name, url: `${this.url}/assets/${id}`, digest, content };
        release?.assets.push(asset);
        return withoutContent(asset);
    }

    #detach(id: number): object {
        for (const release of this.releases) release.assets = release.assets.filter((asset) => asset.id !== id);
        return {};
    }
}

function withoutContent({ content: _, ...asset }: Asset): object {
    return asset;
}
