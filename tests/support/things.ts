/**
 * Creates without a resource: things of two shapes, each listed apart, that a service in memory keeps; processes that share
 * a disk and a service; virtual time. The create protocol, its journal and its search are the real ones.
 */
import { setImmediate } from "node:timers/promises";
import { ApiError, ConnectionError, NotFoundError, ServerError } from "../../provider/dist/api/errors.js";
import { type CallOptions, Deadline } from "../../provider/dist/api/index.js";
import { createOnce, type Made } from "../../provider/dist/create/createOnce.js";
import { told } from "../../provider/dist/create/recorded.js";
import type { Kind } from "../../provider/dist/create/search.js";
import { FileJournal } from "../../provider/dist/evidence/fileJournal.js";
import { Interrupted, Lists, Managers, type Operation, type OwnState } from "../../provider/dist/lifecycle/index.js";
import type { Message } from "../../provider/dist/messages/message.js";
import { FakeClock, seededRandom } from "./fakeClock.ts";
import { memoryFiles } from "./memoryFiles.ts";

export interface Thing {
    id: string;
    shape: "round" | "square";
    title: string;
    metadata: Record<string, string>;
    createdOn?: number;
    status?: string;
}

/** What becomes of one POST: accepted so many ms after it arrived, or never; its answer, or an error. */
export interface ThingPost {
    accepted?: number;
    /** When the answer comes or fails, in ms after the POST arrived. */
    after?: number;
    error?: Error;
}

const message = (text: string) => text as Message;

/** The answer was lost. */
export const lost = () => new ConnectionError("The connection was reset.", { sent: true });
export const unavailable = () =>
    new ServerError(message("503"), { endpoint: "POST", status: 503, outcome: "ambiguous" });
export const refused = (status = 422) =>
    new ApiError(message("No such thing."), { endpoint: "POST", status, outcome: "refused" });

export const missing = () => new NotFoundError(message("404"), { endpoint: "GET", status: 404, outcome: "refused" });

export class ThingService {
    readonly clock: FakeClock;
    /** Newest first. */
    readonly things: Thing[] = [];
    /** `POST`, `GET t1`, `LIST round`, `DELETE t1`. */
    readonly requests: string[] = [];
    readonly posts: ThingPost[] = [];
    readonly files = new Map<string, string>();
    readonly alive = new Set<number>();
    /** A thing as lists show it: without metadata, as many services do. */
    listed: (thing: Thing) => Partial<Thing> = ({ metadata: _, ...item }) => item;
    /** The order of the lists, where they are not sorted by age. */
    sorted: (things: readonly Thing[]) => readonly Thing[] = (things) => things;
    pageSize = 1_000;
    /** How far the service's clock is ahead of the machine's, in ms; where it is set, lists have the service's time. */
    clockAhead: number | undefined;
    /** What the stack's own state says to a create; by default that it was born, and records nothing. */
    state: OwnState | undefined = stateOf({});
    /** An error that a request other than a POST meets. */
    fault: (request: string) => Error | undefined = () => undefined;
    #ids = 0;
    #pids = 0;
    #underWay = 0;

    constructor() {
        this.clock = new FakeClock({ idle: () => this.#underWay === 0 });
    }

    get ids(): string[] {
        return this.things.map(({ id }) => id);
    }

    get nextPid(): number {
        return ++this.#pids;
    }

    count(request: string): number {
        return this.requests.filter((one) => one.startsWith(request)).length;
    }

    add(thing: Partial<Thing>): Thing {
        const base: Thing = { id: `t${++this.#ids}`, shape: "round", title: "a", metadata: {} };
        const added = { ...base, createdOn: this.clock.now() + (this.clockAhead ?? 0), ...thing };
        this.things.unshift(added);
        return added;
    }

    start({ token = "token", unrecorded = [] as readonly string[] | "create" } = {}): ThingProcess {
        return new ThingProcess(this, token, unrecorded);
    }

    /** As the journal has them. */
    async entries() {
        return new FileJournal({ folder: "/journal", files: memoryFiles(this.files) }).entries();
    }

    async post(thing: Omit<Thing, "id">): Promise<Thing> {
        this.requests.push("POST");
        const { accepted, after = 0, error } = this.posts.shift() ?? { accepted: 0 };
        let made: Thing | undefined;
        if (accepted === 0) made = this.add(thing);
        else if (accepted !== undefined) void this.clock.sleep(accepted).then(() => this.add(thing));
        await this.clock.sleep(after);
        if (error !== undefined) throw error;
        return structuredClone(made ?? this.add(thing));
    }

    async answer<T>(request: string, signal: AbortSignal | undefined, body: () => T): Promise<T> {
        this.requests.push(request);
        this.#underWay++;
        try {
            await setImmediate();
            signal?.throwIfAborted();
            const error = this.fault(request);
            if (error !== undefined) throw error;
            return structuredClone(body());
        } finally {
            this.#underWay--;
        }
    }

    kind(shape: Thing["shape"]): Kind<Thing> {
        const list = (listed: string) => ({
            name: listed,
            pages: ({ signal }: CallOptions) => this.#pages(listed, signal),
        });
        const find = (id: string) => {
            const index = this.things.findIndex((thing) => thing.id.toLowerCase() === id.toLowerCase());
            if (index < 0)
                throw new NotFoundError(message("404"), { endpoint: "GET", status: 404, outcome: "refused" });
            return index;
        };
        return {
            name: "Thing",
            idOf: ({ id }) => id,
            get: (id, { signal }) => this.answer(`GET ${id}`, signal, () => this.things[find(id)] as Thing),
            lists: (anyShape) => (anyShape ? [list("round"), list("square")] : [list(shape)]),
            remove: (id, { signal }) => this.answer(`DELETE ${id}`, signal, () => void this.things.splice(find(id), 1)),
        };
    }

    async *#pages(shape: string, signal: AbortSignal | undefined) {
        for (let start = 0; ; start += this.pageSize) {
            const all = await this.answer(`LIST ${shape}`, signal, () =>
                this.sorted(this.things)
                    .filter((thing) => thing.shape === shape)
                    .map((thing) => this.listed(thing) as Thing),
            );
            const serverTime = this.clockAhead === undefined ? undefined : this.clock.now() + this.clockAhead;
            const items = all.slice(start, start + this.pageSize);
            yield { items, ...(serverTime !== undefined && { serverTime }) };
            if (start + this.pageSize >= all.length) return;
        }
    }
}

/** What a state says that was born at a time, has creates that never ended, and records these things. */
export function stateOf({
    birth = "2026-01-01T00:00:00.000000001Z",
    pending = 0,
    has = [] as string[],
    titles = [] as string[],
}): OwnState {
    return {
        birth,
        pending,
        resolved: 0,
        titles,
        has: ({ id, nonce }) => has.includes(id ?? "") || has.includes(nonce ?? ""),
    };
}

export const urn = "urn:pulumi:dev::shop::test:index:Thing::a";

export class ThingProcess {
    readonly info: string[] = [];
    readonly warnings: string[] = [];
    readonly progress: string[] = [];
    readonly journal: FileJournal;
    readonly managers = new Managers();
    readonly operation: Operation;
    /** Of the last create: before its POST is sent again. */
    noteTry: () => Promise<void> = async () => undefined;
    readonly #service: ThingService;
    readonly #controller = new AbortController();
    readonly #pid: number;

    constructor(service: ThingService, token: string, unrecorded: readonly string[] | "create") {
        this.#service = service;
        const pid = service.nextPid;
        this.#pid = pid;
        service.alive.add(pid);
        this.journal = new FileJournal({
            folder: "/journal",
            files: memoryFiles(service.files),
            processes: { self: { pid, host: "machine" }, isAlive: (one) => service.alive.has(one.pid) },
        });
        this.operation = {
            urn,
            environment: {
                api: { fingerprint: token },
                clock: service.clock,
                random: seededRandom(pid),
                journal: this.journal,
                ownState: { of: async () => service.state },
                trust: { reaches: (fingerprint: string) => fingerprint === token },
                managers: this.managers,
                lists: new Lists(service.clock),
                unrecorded,
            } as unknown as Operation["environment"],
            timeouts: {},
            signal: this.#controller.signal,
            progress: (message) => void this.progress.push(message),
            info: (message) => void this.info.push(message),
            warn: (message) => void this.warnings.push(message),
        };
    }

    kill(): void {
        this.#service.alive.delete(this.#pid);
    }

    interrupt(): void {
        this.#controller.abort(new Interrupted());
    }

    create({
        title = "a",
        shape = "round" as Thing["shape"],
        timeoutMs = 3_600_000,
        identity = shape as unknown,
    } = {}): Promise<Made<Thing>> {
        const service = this.#service;
        const { signal } = this.operation;
        const created = createOnce<Thing>(this.operation, {
            kind: service.kind(shape),
            title,
            identity,
            options: { signal, deadline: Deadline.after(service.clock, timeoutMs) },
            post: async (marker, beforeTry) => {
                this.noteTry = beforeTry;
                await beforeTry();
                return service.post({ title, shape, metadata: { managed_by: marker } });
            },
        });
        return service.clock.runUntil(created);
    }

    /** The answer leaves for the engine. */
    async told(made: Made<Thing>): Promise<Made<Thing>> {
        await told(this.journal, made.marker);
        return made;
    }
}
