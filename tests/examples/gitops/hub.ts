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
    /** As `gh` names the one that opened it. */
    readonly author: string;
    body: string;
    open: boolean;
    readonly comments: string[];
}

/** A comment on a pull request. */
export interface Comment {
    readonly pull: number;
    readonly login: string;
    body: string;
}

const ownLogin = "github-actions[bot]";

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
    readonly comments: Comment[] = [];
    /** Of pull requests, by their numbers. */
    readonly labels = new Map<number, string[]>();
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
        if (noun === "api") return this.#api(values.method ?? "GET", verb ?? "", { body, may });
        switch (`${noun} ${verb}`) {
            case "pr comment":
                may("pull-requests");
                this.comments.push({ pull: Number(id), login: ownLogin, body });
                return "";
            case "pr view":
                if (permissions["pull-requests"] === undefined) throw new Error("gh: Resource not accessible");
                return JSON.stringify({ labels: (this.labels.get(Number(id)) ?? []).map((name) => ({ name })) });
            case "issue list": {
                const { label = "", author } = values;
                const found = this.issues.flatMap((one, at) =>
                    one.open && one.labels.includes(label) && (author ?? one.author) === one.author ? [at + 1] : [],
                );
                return JSON.stringify(found.map((number) => ({ number })));
            }
            case "issue create": {
                may("issues");
                const { title = "", label = "" } = values;
                if (!this.#labels.has(label)) throw new Error(`gh: could not add label: '${label}' not found`);
                this.issues.push({
                    title,
                    labels: [label],
                    author: "app/github-actions",
                    body,
                    open: true,
                    comments: [],
                });
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

    /** The comments of a pull request, and a change of one. */
    #api(method: string, path: string, { body, may }: { body: string; may(right: string): void }): string {
        const [, kind, number] =
            /^repos\/[^/]+\/[^/]+\/issues\/(?:(comments)\/)?(\d+)/.exec(path) ?? fail(`gh: no ${path}`);
        if (method === "GET" && kind === undefined) {
            const of = this.comments.map(({ pull, login, body }, id) => ({ pull, id, user: { login }, body }));
            return JSON.stringify(of.filter(({ pull }) => pull === Number(number)));
        }
        may("pull-requests");
        const comment = this.comments[Number(number)] ?? fail(`gh: no comment ${number}`);
        comment.body = body;
        return "{}";
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
    author: { type: "string" },
    field: { type: "string" },
    force: { type: "boolean" },
    comment: { type: "string" },
    description: { type: "string" },
    jq: { type: "string" },
    json: { type: "string" },
    label: { type: "string" },
    method: { type: "string" },
    paginate: { type: "boolean" },
    state: { type: "string" },
    title: { type: "string" },
} as const;

const programText = `
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const after = (option) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
const { GH_TOKEN: token, GH_REPO: repo } = process.env;
const file = after("--body-file") ?? after("--field")?.replace("body=@", "");
const body = file === undefined ? undefined : readFileSync(file, "utf8");
fetch("http://127.0.0.1:PORT/", { method: "POST", body: JSON.stringify({ token, repo, args, body }) }).then(async (response) => {
    const text = await response.text();
    const filter = after("--jq");
    const shown = response.ok && filter ? execFileSync("jq", ["-r", filter], { input: text }) : text;
    (response.ok ? process.stdout : process.stderr).write(shown);
    process.exitCode = response.ok ? 0 : 1;
});
`;

function fail(message: string): never {
    throw new Error(message);
}
