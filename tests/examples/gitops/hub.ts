/**
 * What GitHub keeps and decides: issues, comments and labels, caches by branch, the secrets of environments, and the rights of
 * each job's token. Jobs reach it by a `gh` of their own, which asks this process.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface Issue {
    readonly title: string;
    readonly labels: readonly string[];
    body: string;
    open: boolean;
    readonly comments: string[];
}

export type Permissions = Readonly<Record<string, string>>;

/** A call of `gh`, with the text of the file that it names. */
interface Call {
    readonly token: string;
    readonly repo: string;
    readonly args: readonly string[];
    readonly body: string | undefined;
}

export class Hub {
    readonly repository = "example/channel";
    readonly issues: Issue[] = [];
    /** The comment of this token on each pull request. */
    readonly comments = new Map<number, string>();
    readonly #labels = new Set<string>();
    readonly #tokens = new Map<string, Permissions>();
    readonly #caches: { key: string; ref: string; folder: string }[] = [];
    readonly #folder: string;
    readonly #server: Server;

    private constructor(folder: string, server: Server) {
        this.#folder = folder;
        this.#server = server;
    }

    static async start(folder: string): Promise<Hub> {
        const server = createServer();
        const hub = new Hub(folder, server);
        server.on("request", async (request, response) => {
            let text = "";
            for await (const chunk of request.setEncoding("utf8")) text += chunk;
            try {
                response.end(hub.#call(JSON.parse(text) as Call));
            } catch (error) {
                response.writeHead(400).end(error instanceof Error ? error.message : String(error));
            }
        });
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        await hub.#writeProgram((server.address() as AddressInfo).port);
        return hub;
    }

    close(): void {
        this.#server.close();
        this.#server.closeAllConnections();
    }

    /** The folder with `gh`. */
    get bin(): string {
        return join(this.#folder, "gh-bin");
    }

    /** The token of one job. */
    token(permissions: Permissions): string {
        const token = `ghs_${randomUUID()}`;
        this.#tokens.set(token, permissions);
        return token;
    }

    /** A cache belongs to the branch or pull request whose run saved it; a key is never written twice. */
    async saveCache(ref: string, key: string, path: string): Promise<void> {
        if (!existsSync(path) || this.#caches.some((cache) => cache.key === key && cache.ref === ref)) return;
        const folder = join(this.#folder, "caches", String(this.#caches.length));
        await cp(path, folder, { recursive: true });
        this.#caches.push({ key, ref, folder });
    }

    /** Of its own branch first, then of main; the newest that has the key or begins like one of the others. */
    async restoreCache(ref: string, keys: readonly string[], path: string): Promise<void> {
        for (const scope of [ref, "refs/heads/main"]) {
            const found = this.#caches.findLast(
                (cache) => cache.ref === scope && keys.some((key) => cache.key.startsWith(key)),
            );
            if (found === undefined) continue;
            await cp(found.folder, path, { recursive: true, force: true });
            return;
        }
    }

    #call({ token, repo, args, body = "" }: Call): string {
        const permissions = this.#tokens.get(token);
        if (permissions === undefined) throw new Error("gh: not logged in");
        if (repo !== this.repository) throw new Error("gh: no repository");
        const may = (right: string) => {
            if (permissions[right] !== "write") throw new Error("gh: Resource not accessible by integration");
        };
        const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
        const [noun, verb, id] = positionals;
        const issue = () => this.issues[Number(id) - 1] ?? fail(`gh: no issue ${id}`);
        switch (`${noun} ${verb}`) {
            case "pr comment":
                may("pull-requests");
                this.comments.set(Number(id), body);
                return "";
            case "issue list": {
                const at = this.issues.findIndex(({ open, labels }) => open && labels.includes(values.label ?? ""));
                return at === -1 ? "" : `${at + 1}\n`;
            }
            case "issue create": {
                may("issues");
                const { title = "", label = "" } = values;
                if (!this.#labels.has(label)) throw new Error(`gh: could not add label: '${label}' not found`);
                this.issues.push({ title, labels: [label], body, open: true, comments: [] });
                return `${this.issues.length}\n`;
            }
            case "issue edit":
                may("issues");
                issue().body = body;
                return "";
            case "issue close":
                may("issues");
                issue().open = false;
                issue().comments.push(values.comment ?? "");
                return "";
            case "label create":
                may("issues");
                this.#labels.add(id ?? "");
                return "";
            default:
                throw new Error(`The rehearsal's gh has no ${args.join(" ")}`);
        }
    }

    async #writeProgram(port: number): Promise<void> {
        await mkdir(this.bin, { recursive: true });
        const program = join(this.bin, "gh");
        await writeFile(program, `#!${process.execPath}\n${programText.replace("PORT", String(port))}`);
        await chmod(program, 0o755);
    }
}

const options = {
    "body-file": { type: "string" },
    "edit-last": { type: "boolean" },
    "create-if-none": { type: "boolean" },
    force: { type: "boolean" },
    comment: { type: "string" },
    description: { type: "string" },
    jq: { type: "string" },
    json: { type: "string" },
    label: { type: "string" },
    state: { type: "string" },
    title: { type: "string" },
} as const;

const programText = `
const { readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const at = args.indexOf("--body-file");
const { GH_TOKEN: token, GH_REPO: repo } = process.env;
const body = at === -1 ? undefined : readFileSync(args[at + 1], "utf8");
fetch("http://127.0.0.1:PORT/", { method: "POST", body: JSON.stringify({ token, repo, args, body }) }).then(async (response) => {
    (response.ok ? process.stdout : process.stderr).write(await response.text());
    process.exitCode = response.ok ? 0 : 1;
});
`;

function fail(message: string): never {
    throw new Error(message);
}
