/**
 * Scripted lives of one content: the real dynamic adapter and session, a service in memory whose answers to POST are planned,
 * virtual time, and a disk that outlives processes. The test plays the engine.
 */
import { setImmediate } from "node:timers/promises";
import { ConnectionError } from "../../provider/dist/api/errors.js";
import type { Transport, TransportAnswer, TransportRequest } from "../../provider/dist/api/transport.js";
import { Adapter } from "../../provider/dist/dynamic/adapter.js";
import { FileJournal, type JournalFiles } from "../../provider/dist/evidence/fileJournal.js";
import { Interrupted, type OwnState } from "../../provider/dist/lifecycle/index.js";
import { content } from "../../provider/dist/resources/index.js";
import { Session } from "../../provider/dist/session/session.js";
import { FakeClock, seededRandom } from "./fakeClock.ts";

/** What becomes of one POST. */
export interface PostPlan {
    /** When the service accepts it, in ms from its arrival; without it never. */
    accepted?: number;
    /** The HTTP status of the answer; without it the answer is lost. */
    status?: number;
}

export interface StoredContent {
    contentId: string;
    title: string;
    status: string;
    metadata: { key: string; value: string }[];
    created_at: number;
}

export class ScriptedService {
    readonly clock: FakeClock;
    /** Newest first. */
    readonly contents: StoredContent[] = [];
    /** `POST /contents` and so on, in order. */
    readonly requests: string[] = [];
    /** Of the next POSTs; after them all are answered. */
    readonly posts: PostPlan[] = [];
    /** Called for every request but POST; a status answers it. */
    fault: (request: string) => number | undefined = () => undefined;
    oldestFirst = false;
    /** A content as lists show it. */
    listed: (content: StoredContent) => object = (content) => content;
    #ids = 0;
    #underWay = 0;

    constructor(clock: FakeClock) {
        this.clock = clock;
    }

    get idle(): boolean {
        return this.#underWay === 0;
    }

    add(content: Partial<StoredContent>): StoredContent {
        const contentId = `c${++this.#ids}`;
        const created_at = this.clock.now();
        const added = { contentId, title: "t", status: "Ready", metadata: [], created_at, ...content };
        this.contents.unshift(added);
        return added;
    }

    count(start: string): number {
        return this.requests.filter((request) => request.startsWith(start)).length;
    }

    transport(): Transport {
        return {
            send: async (request) => {
                this.#underWay++;
                try {
                    await setImmediate();
                    return await this.#answer(request);
                } finally {
                    this.#underWay--;
                }
            },
            close: async () => undefined,
        };
    }

    async #answer({ method, url, body = "{}" }: TransportRequest): Promise<TransportAnswer> {
        const { pathname, searchParams } = new URL(url);
        const [, id] = /^\/video\/services\/api\/v1\/contents(?:\/(.+))?$/.exec(pathname) ?? [];
        const request = `${method} /contents${id === undefined ? "" : `/${id}`}`;
        this.requests.push(request);
        if (method === "POST") return this.#post(JSON.parse(body));
        const fault = this.fault(request);
        if (fault !== undefined) return answer(fault, {});
        if (id === undefined) return answer(200, this.#page(searchParams));
        const found = this.contents.findIndex(({ contentId }) => contentId === id);
        const stored = this.contents[found];
        if (stored === undefined) return answer(404, {});
        if (method === "DELETE") this.contents.splice(found, 1);
        if (method === "PUT") Object.assign(stored, JSON.parse(body));
        return answer(200, stored);
    }

    #page(query: URLSearchParams): object[] {
        const start = Number(query.get("start") ?? 0);
        const all = this.oldestFirst ? [...this.contents].reverse() : this.contents;
        return all.slice(start, start + Number(query.get("limit") ?? 10)).map(this.listed);
    }

    #post(body: Partial<StoredContent>): TransportAnswer {
        const { accepted, status } = this.posts.shift() ?? { accepted: 0, status: 201 };
        const accept = () => this.add(body);
        if (accepted !== undefined && accepted > 0) void this.clock.sleep(accepted).then(accept);
        const stored = accepted === 0 ? accept() : undefined;
        if (status === undefined) throw new ConnectionError("reset", { sent: true });
        return answer(status, stored ?? {});
    }
}

function answer(status: number, data: unknown): TransportAnswer {
    const ok = status < 300;
    const envelope = { status: ok ? "Success" : "Error", code: status, message: ok ? "ok" : "no", data };
    return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(envelope) };
}

/** Files in memory. */
export function memoryFiles(files: Map<string, string> = new Map()): JournalFiles {
    const missing = () => Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
    const all = {
        mkdir: async () => undefined,
        readdir: async (folder: string) =>
            [...files.keys()].filter((path) => folderOf(path) === folder).map((path) => path.slice(folder.length + 1)),
        readFile: async (path: string) => {
            const text = files.get(path);
            if (text === undefined) throw missing();
            return text;
        },
        appendFile: async (path: string, text: string) => {
            const before = files.get(path);
            if (before === undefined) throw missing();
            files.set(path, before + text);
        },
        rm: async (path: string) => void files.delete(path),
        open: async (path: string) => ({
            writeFile: async (text: string) => void files.set(path, text),
            sync: async () => undefined,
            close: async () => undefined,
        }),
    };
    return all as unknown as JournalFiles;
}

const hidden = { __provider: "constant" };
type Properties = Record<string, unknown>;

/** A machine with a stack: its processes share the disk and the service. */
export class Machine {
    readonly service: ScriptedService;
    readonly clock: FakeClock;
    readonly files = new Map<string, string>();
    readonly alive = new Set<number>();
    /** What the stack's own state says; `undefined` where it cannot be read. */
    state: OwnState | undefined = {
        birth: "2026-01-01T00:00:00.000000001Z",
        pending: 0,
        resolved: 0,
        titles: [],
        has: () => false,
    };
    #pids = 0;

    constructor() {
        const clock: FakeClock = new FakeClock({ idle: () => this.service.idle });
        this.clock = clock;
        this.service = new ScriptedService(clock);
    }

    /** A provider process of the stack. */
    start(token = "token"): Process {
        const pid = ++this.#pids;
        this.alive.add(pid);
        return new Process(this, pid, token);
    }

    /** Of open journal entries. */
    get entries(): number {
        return this.files.size;
    }

    run<T>(promise: Promise<T>): Promise<T> {
        return this.clock.runUntil(promise);
    }
}

export class Process {
    readonly pid: number;
    readonly said: string[] = [];
    readonly #machine: Machine;
    readonly #adapter: Adapter;
    readonly #controller = new AbortController();

    constructor(machine: Machine, pid: number, token: string) {
        this.pid = pid;
        this.#machine = machine;
        const session = new Session({
            clock: machine.clock,
            random: seededRandom(pid),
            transport: machine.service.transport(),
            journal: new FileJournal({
                folder: "/journal",
                files: memoryFiles(machine.files),
                processes: {
                    self: { pid, host: "machine" },
                    isAlive: (owner) => machine.alive.has(owner.pid),
                },
            }),
            ownState: () => ({ of: async () => machine.state }),
            variables: {
                VIDEOGRAPH_ACCESS_TOKEN_ID: token,
                VIDEOGRAPH_SECRET_KEY: "secret",
                VIDEOGRAPH_BASE_URL: "https://video.test",
            },
            engine: {
                say: (severity, _urn, message, passing) => void (passing || this.said.push(`${severity}: ${message}`)),
                watch: () => undefined,
            },
            lifetime: {
                signal: this.#controller.signal,
                isEnding: false,
                during: (body) => body(),
                start: () => undefined,
            },
        });
        session.configure({}, () => undefined);
        this.#adapter = new Adapter(session, "Content", content);
    }

    /** The process is killed: what it does from now on counts for nothing. */
    kill(): void {
        this.#machine.alive.delete(this.pid);
    }

    interrupt(): void {
        this.#controller.abort(new Interrupted());
    }

    urn(name: string): string {
        return `dev::project::::${name}`;
    }

    inputs(name: string, more: Properties = {}): Properties {
        const content = [{ url: "https://media.test/a.mp4" }];
        return { title: name, content, waitForReady: false, ...hidden, __urn: this.urn(name), ...more };
    }

    check(name: string, olds: Properties = {}, more: Properties = {}) {
        return this.#machine.run(this.#adapter.check(olds, this.inputs(name, more)));
    }

    /** The id and outputs, also of a partial failure. */
    async create(name: string, more: Properties = {}): Promise<{ id: string; outs: Properties; failed?: string }> {
        try {
            const { inputs } = await this.check(name, {}, more);
            const { id, outs } = await this.#machine.run(this.#adapter.create(inputs));
            return { id, outs: outs as Properties };
        } catch (error) {
            const { id, properties, message } = error as { id?: string; properties?: Properties; message: string };
            // Its text is for the engine's stack row.
            if (id === undefined) throw new Error(message);
            return { id, outs: properties ?? {}, failed: message };
        }
    }

    async diff(name: string, { id, outs }: { id: string; outs: Properties }, more: Properties = {}) {
        const { inputs: before } = await this.check(name);
        const { inputs } = await this.check(name, before, more);
        return this.#machine.run(this.#adapter.diff(id, copy(outs), inputs));
    }

    async update(name: string, { id, outs }: { id: string; outs: Properties }, more: Properties = {}) {
        const { inputs: before } = await this.check(name);
        const { inputs } = await this.check(name, before, more);
        return this.#machine.run(this.#adapter.update(id, copy(outs), inputs));
    }

    read({ id, outs }: { id: string; outs: Properties }) {
        return this.#machine.run(this.#adapter.read(id, copy(outs)));
    }

    delete({ id, outs }: { id: string; outs: Properties }) {
        return this.#machine.run(this.#adapter.delete(id, copy(outs)));
    }
}

function copy(properties: Properties): Properties {
    return structuredClone(properties);
}
