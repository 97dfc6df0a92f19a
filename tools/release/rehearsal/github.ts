/** As much of GitHub's API as a release uses: runs of workflows, and releases whose files are kept in memory. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asset {
    id: number;
    name: string;
    url: string;
    digest: string;
    content: Buffer;
}
export interface Release {
    id: number;
    tag_name: string;
    body: string;
    draft: boolean;
    prerelease: boolean;
    upload_url: string;
    assets: Asset[];
}

export class GitHub {
    readonly releases: Release[] = [];
    /** Commits of the main branch whose tests succeeded. */
    readonly tested = new Set<string>();
    url = "";
    #server: Server | undefined;
    #ids = 0;

    async start(): Promise<void> {
        this.#server = createServer(async (request, response) => {
            const chunks: Buffer[] = [];
            for await (const chunk of request) chunks.push(chunk as Buffer);
            const [status, answer] = this.#answer(request, Buffer.concat(chunks));
            // The CLI refuses a plugin whose length it is not told; Node tells it of what is written at once.
            response.statusCode = status;
            response.end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
        }).listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.#server?.close();
        this.#server?.closeAllConnections();
    }

    /** The release that everybody can see. */
    published(tag: string): Release | undefined {
        return this.releases.find(({ tag_name, draft }) => tag_name === tag && !draft);
    }

    #answer({ method, url = "" }: IncomingMessage, body: Buffer): [status: number, answer: unknown] {
        const { pathname, searchParams } = new URL(url, this.url);
        const [kind = "", id = ""] = pathname
            .replace(/^\/repos\/[^/]+\/[^/]+/, "")
            .split("/")
            .slice(1)
            .slice(-2);
        if (pathname.endsWith("/runs"))
            return [200, { total_count: Number(this.tested.has(searchParams.get("head_sha") ?? "")) }];
        if (kind === "download") return this.#download(id);
        if (kind === "upload") return [201, this.#attach(Number(id), searchParams.get("name") ?? "", body)];
        if (method === "DELETE") return [204, this.#detach(Number(id))];
        if (method === "PATCH") return [200, Object.assign(this.#release(Number(id)), JSON.parse(String(body)))];
        if (method === "POST") return [201, this.#create(JSON.parse(String(body)) as Partial<Release>)];
        return pathname.endsWith("/releases") ? [200, this.releases.map(withoutContents)] : [404, {}];
    }

    #create(given: Partial<Release>): Release {
        const id = ++this.#ids;
        const upload_url = `${this.url}/upload/${id}{?name,label}`;
        const release = {
            id,
            tag_name: "",
            body: "",
            draft: false,
            prerelease: false,
            ...given,
            upload_url,
            assets: [],
        };
        this.releases.push(release);
        return release;
    }

    #release(id: number): Release {
        const release = this.releases.find((one) => one.id === id);
        if (release === undefined) throw new Error(`There is no release ${id}`);
        return release;
    }

    #attach(release: number, name: string, content: Buffer): object {
        const id = ++this.#ids;
        const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
        this.#release(release).assets.push({ id, name, url: `${this.url}/assets/${id}`, digest, content });
        return { id, name, digest };
    }

    #detach(id: number): void {
        for (const release of this.releases) release.assets = release.assets.filter((asset) => asset.id !== id);
    }

    #download(name: string): [status: number, answer: unknown] {
        const found = this.releases.filter(({ draft }) => !draft).flatMap(({ assets }) => assets);
        const asset = found.find((one) => one.name === name);
        return asset === undefined ? [404, {}] : [200, asset.content];
    }
}

function withoutContents(release: Release): object {
    return { ...release, assets: release.assets.map(({ content: _, ...asset }) => asset) };
}
