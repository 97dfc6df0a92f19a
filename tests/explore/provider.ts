/**
 * One provider process of a run: the real adapter, session, journal and search over the emulator's core in virtual time. Each
 * request and each write to the journal is a point at which a fault may strike.
 */
import { EmulatorCore } from "videograph-emulator/core";
import { Store } from "../../emulator/dist/store.js";
import { ConnectionError } from "../../provider/dist/api/errors.js";
import type { TransportAnswer, TransportRequest } from "../../provider/dist/api/transport.js";
import { Adapter } from "../../provider/dist/dynamic/adapter.js";
import type { JournalFiles } from "../../provider/dist/evidence/journalFile.js";
import { LifecycleError, messages } from "../../provider/dist/messages/index.js";
import { ownStateReader } from "../../provider/dist/session/ownStateReader.js";
import { parseExport } from "../../provider/dist/session/stackExport.js";
import { FakeClock, seededRandom } from "../support/fakeClock.ts";
import { memoryFiles } from "../support/memoryFiles.ts";
import { ProviderProcess } from "../support/session.ts";
import type { Word } from "./explore.ts";
import type { Kind, Stack, World } from "./world.ts";
import { copy, idOf, idsOf, isHeld, markerOf, namesIn, tokens, urnOf } from "./world.ts";

/** What strikes at a point: the fate of a request, and who dies. */
export type Fault =
    | { fate: "lost" | "accepted" | "hidden" | "late"; kill?: "provider" | "both" | "once"; blind?: boolean }
    | { fate: "none"; kill: "provider" | "both" | "once" | "twice" };

/** How a run is started. */
export interface How {
    stack: number;
    machine: number;
    replace?: boolean | undefined;
    refresh?: boolean | undefined;
    /** What the user answers to the last refusal. */
    word?: Word | undefined;
    unreadable?: boolean | undefined;
    /** What the lists show cannot be read: no search comes to its end. */
    blind?: boolean | undefined;
    skip?: boolean | undefined;
    unrecorded?: string | undefined;
    /** The objects that the user has left alone by that. */
    leftAlone?: string[] | undefined;
    /** By the number of the point. */
    faults: Record<number, Fault>;
    /** A known defect that is put back. */
    defect?: string | undefined;
}

export class Killed extends Error {
    readonly who: "provider" | "both";
    constructor(who: "provider" | "both") {
        super(who);
        this.who = who;
    }
}

const lateMs = 30_000;
const hiddenMs = 60_000;

export class Provider {
    readonly points: string[] = [];
    /** What must never happen. */
    readonly violations: string[] = [];
    /** The random parts of the markers that were sent. */
    readonly sent: string[] = [];
    requests = 0;
    /** No list can be read any more. */
    #blind = false;
    readonly adapters: Record<Kind, Adapter>;
    readonly clock: FakeClock;
    readonly stack: Stack;
    readonly how: How;
    readonly #world: World;
    readonly #process: ProviderProcess;
    readonly #core: EmulatorCore;
    readonly #store = new Store();
    readonly #death = Promise.withResolvers<never>();
    #isDead = false;
    #read: Pick<Stack, "rows" | "olds"> | undefined;

    constructor(world: World, stack: Stack, how: How) {
        this.#world = world;
        this.stack = stack;
        this.how = how;
        const pid = ++world.processes;
        this.clock = new FakeClock({ start: world.now });
        this.#death.promise.catch(() => undefined);
        for (const object of world.objects)
            this.#store.apply("contentId" in object ? { content: object } : { livestream: object });
        this.#core = new EmulatorCore({
            ...{ clock: this.clock, random: seededRandom(1000 + pid), store: this.#store, processingTimeMs: 0 },
            tokens: tokens.map((id, index) => ({ id, secret: "secret", environmentId: index + 1 })),
            variants: how.defect === "K16" ? { createdSkewMs: -6 * 3_600_000 } : {},
        });
        for (const request of world.late)
            void this.clock.sleep(request.at - world.now).then(() => this.#acceptLate(request));
        this.#process = this.#start(pid);
        const adapter = (kind: Kind) => new Adapter(this.#process.session, kind);
        const [Content, Livestream] = [adapter("Content"), adapter("Livestream")];
        this.adapters = { Content, Livestream, ContentLibrary: adapter("ContentLibrary") };
    }

    /** The engine takes no answers any more. */
    get interrupted(): boolean {
        return this.#process.isEnding;
    }

    /** Runs one call of the engine's, until it ends or somebody dies. */
    call<T>(body: () => Promise<T>): Promise<T> {
        return this.clock.runUntil(Promise.race([body(), this.#death.promise]));
    }

    /** A point at which the process may die by itself. */
    async point(what: string): Promise<Fault | undefined> {
        if (this.#isDead) return new Promise(() => undefined);
        const fault = this.how.faults[this.points.length];
        this.points.push(what);
        if (fault?.fate === "none") return this.#strike(fault);
        return fault;
    }

    /** What is there when the run has ended. `isRecorded`: the state has what its creates have made, and what the user has answered. */
    save(isRecorded: boolean): void {
        const world = this.#world;
        this.#isDead = true;
        world.now = this.clock.now() + 1_000;
        world.objects = [...this.#store.contents(), ...this.#store.livestreams(world.now + 60_000)].map(copy);
        const { said } = this.#process;
        const leftAlone = said.flatMap((message) => /leaves (.*) alone:.*VG3022/.exec(message)?.[1] ?? []).join();
        for (const id of world.objects.filter((one) => isNamed(one, leftAlone)).map(idOf))
            if (isRecorded && world.owners[id] === this.stack.uid && !isHeld(world, id)) world.owners[id] = null;
        world.said = [...new Set([...world.said, ...namesIn(said.join(" "))])];
    }

    async #strike({ kill }: Fault): Promise<undefined> {
        if (kill === undefined) return undefined;
        if (kill === "once" || kill === "twice") {
            this.#process.isEnding ||= kill === "twice";
            this.#process.interrupt();
            return undefined;
        }
        this.#isDead = true;
        this.#death.reject(new Killed(kill));
        return new Promise(() => undefined);
    }

    #start(pid: number): ProviderProcess {
        const { machine, unreadable, skip, unrecorded = this.stack.adopts } = this.how;
        return new ProviderProcess({
            ...{ clock: this.clock, pid, host: `machine ${machine}`, isAlive: () => false },
            files: this.#files(this.#world.disks[machine] ?? {}),
            transport: { send: (request) => this.#send(request), close: async () => undefined },
            token: { id: this.stack.token, secret: "secret" },
            variables: unrecorded ? { VIDEOGRAPH_UNRECORDED: unrecorded } : {},
            ownState: (run) =>
                ownStateReader({
                    ...{ ...run, clock: this.clock, skipsCheckpoints: skip === true },
                    exported: async () => {
                        const text = unreadable ? "" : this.#export();
                        return (
                            parseExport(text) ??
                            Promise.reject(new LifecycleError(messages.ownStateUnread({ error: "" })))
                        );
                    },
                }),
        });
    }

    /** The creates of a run come together: each reads the state before it has what another one has made. */
    #export(): string {
        const { rows, olds } = this.stack;
        this.#read ??= copy({ rows, olds });
        return exported({ ...this.stack, ...this.#read });
    }

    #files(disk: Record<string, string>): JournalFiles {
        const files = new Map(Object.entries(disk));
        const real = memoryFiles(files);
        const writes = async <T>(what: string, write: () => Promise<T>): Promise<T> => {
            await this.point(`journal ${what}`);
            const result = await write();
            for (const path of Object.keys(disk)) delete disk[path];
            Object.assign(disk, Object.fromEntries(files));
            return result;
        };
        const open = async (path: string, flags: string) => {
            const handle = await real.open(path, flags);
            const appendFile = async (text: string) => {
                const lines = text.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line)));
                const opened = lines.filter(({ urn }) => urn !== undefined);
                const does = opened.length > 0 ? "opens" : lines.some(({ closed }) => closed) ? "closes" : "adds to";
                await writes(`${does} an entry`, () => handle.appendFile(text));
                for (const entry of opened) this.#noteSource(entry);
            };
            return { ...handle, appendFile };
        };
        const rm = (path: string) => writes("closes an entry", () => real.rm(path));
        return { ...real, open, rm } as unknown as JournalFiles;
    }

    #noteSource({ nonce, kind, urn }: { nonce: string; kind: Kind; urn: string }): void {
        const [name = ""] = (urn.split("::").at(-1) ?? "").split("/");
        const { program } = this.stack;
        this.#world.sources[nonce] = program[`${kind}/${name}`] ?? program[`ContentLibrary/${name}`] ?? "";
    }

    async #send(request: TransportRequest): Promise<TransportAnswer> {
        this.requests++;
        const [, nonce] = /-([0-9a-f]{12})"/.exec(request.body ?? "") ?? [];
        if (nonce !== undefined) this.sent.push(nonce);
        const { pathname } = new URL(request.url);
        if (request.method === "POST" && this.#isElsewhere()) this.violations.push("S2 POST in another environment");
        const fault = await this.point(`${request.method} ${pathname.split("/").slice(5).join("/")}`);
        request.signal.throwIfAborted();
        const isList = request.method === "GET" && /\/(contents|livestreams)(\?|$)/.test(request.url);
        if (this.how.blind && request.method === "GET" && !isList && !this.#isKnown(pathname))
            return { status: 404, headers: { "content-type": "application/json" }, body: "{}" };
        if (this.#blind && isList) return { status: 503, headers: {}, body: "" };
        if (fault === undefined || fault.fate === "none") return this.#handle(request);
        this.#blind ||= fault.blind === true;
        if (fault.fate === "late") {
            const body = request.body ?? "";
            const { uid, token } = this.stack;
            const late = { at: this.clock.now() + lateMs, uid, url: request.url, body, token };
            this.#world.late.push(late);
            void this.clock.sleep(lateMs).then(() => this.#acceptLate(late));
        } else if (fault.fate !== "lost") {
            const before = new Set(Object.keys(this.#world.owners));
            await this.#handle(request);
            if (fault.fate === "hidden")
                for (const id of Object.keys(this.#world.owners))
                    if (!before.has(id)) this.#world.hidden[id] = this.clock.now() + hiddenMs;
        }
        await this.#strike(fault);
        throw new ConnectionError("reset", "ambiguous");
    }

    #isKnown(path: string): boolean {
        const { machine, unrecorded } = this.how;
        const known = JSON.stringify([this.stack, this.#world.disks[machine], unrecorded]);
        return known.includes(path.split("/").at(-1) ?? "");
    }

    /** All objects that the state has are in another environment than that of the token. */
    #isElsewhere(): boolean {
        const ids = this.stack.rows.flatMap(idsOf);
        const own = this.#objects().filter((one) => ids.includes(idOf(one)));
        const isHere = own.some(({ environmentId }) => environmentId === tokens.indexOf(this.stack.token) + 1);
        return own.length > 0 && !isHere && !this.how.unreadable;
    }

    async #acceptLate(request: World["late"][number]): Promise<void> {
        if (this.#isDead) return;
        this.#world.late = this.#world.late.filter((one) => one.at !== request.at);
        await this.#accept({ method: "POST", url: request.url, body: request.body }, request);
    }

    async #handle({ method, url, body, signal }: TransportRequest): Promise<TransportAnswer> {
        signal.throwIfAborted();
        const [, id] = /\/(?:contents|livestreams)\/([^/?]+)/.exec(url) ?? [];
        if (id !== undefined && method !== "GET") this.#check(method, id);
        const before = this.#nonceOf(id);
        const reply = await this.#accept({ method, url, body }, this.stack);
        // What kept later runs from the object keeps them from it under its new marker, too.
        const why = this.#world.lost[before];
        if (why !== undefined && this.#nonceOf(id) !== before) this.#world.lost[this.#nonceOf(id)] = why;
        const isList = method === "GET" && id === undefined;
        const text = String(reply.body);
        return { ...reply, headers: { ...reply.headers }, body: isList ? this.#shown(text) : text };
    }

    async #accept(
        { method, url, body }: { method: string; url: string; body?: string | undefined },
        { uid, token }: { uid: number; token: string },
    ) {
        const headers = {
            authorization: `Basic ${Buffer.from(`${token}:secret`).toString("base64")}`,
            "content-type": "application/json",
        };
        const before = this.#objects().map(idOf);
        const reply = await this.#core.handle({ method, url, headers, body });
        for (const id of this.#objects().map(idOf)) if (!before.includes(id)) this.#world.owners[id] = uid;
        return reply;
    }

    #objects(): World["objects"] {
        return [...this.#store.contents(), ...this.#store.livestreams(this.clock.now())];
    }

    #nonceOf(id: string | undefined): string {
        return this.#objects().flatMap((one) => (idOf(one) === id ? markerOf(one).slice(-12) : []))[0] ?? "";
    }

    /** The list without what it hides. */
    #shown(body: string): string {
        const hidden = Object.entries(this.#world.hidden).flatMap(([id, until]) =>
            until > this.clock.now() ? [id] : [],
        );
        if (hidden.length === 0) return body;
        const answer = JSON.parse(body);
        const filtered = (items: unknown[]) =>
            items.filter((item) => !hidden.some((id) => JSON.stringify(item).includes(id)));
        return JSON.stringify({ ...answer, data: Array.isArray(answer.data) ? filtered(answer.data) : answer.data });
    }

    #check(method: string, id: string): void {
        const world = this.#world;
        if (method === "DELETE" && this.how.leftAlone?.includes(id))
            this.violations.push("S1 DELETE of an object that the user has left alone");
        const owner = world.owners[id];
        const others = world.stacks.filter((stack) => stack !== this.stack);
        const isOthers = isHeld({ stacks: others }, id);
        const { uid } = this.stack;
        if (isHeld({ stacks: [this.stack] }, id)) {
            if (owner !== uid && isOthers) this.violations.push(`S1 ${method} of an object that changed hands`);
            return;
        }
        // The user names it in the program.
        if (method === "PUT" && Object.values(this.stack.program).includes(`import ${id}`)) return;
        const why = owner === null ? "released" : owner !== uid ? "another stack's" : isOthers && "recorded elsewhere";
        if (why) this.violations.push(`S1 ${method} of an object that is ${why}`);
    }
}

/** By its id, or by the random part of its marker. */
function isNamed(object: World["objects"][number], text: string): boolean {
    return namesIn(text).some((name) => name === idOf(object) || markerOf(object).endsWith(name));
}

/** What `pulumi stack export` prints. */
function exported(stack: Stack): string {
    const type = (kind: Kind) => `pulumi-nodejs:dynamic/videograph:${kind}`;
    const urn = `urn:pulumi:${stack.stack}::${stack.project}::pulumi:pulumi:Stack::x`;
    const root = { urn, type: "pulumi:pulumi:Stack", created: stack.birth };
    const own = [...stack.rows, ...stack.olds].map((row) => ({ ...row, urn: urnOf(stack, row), type: type(row.kind) }));
    const operations = stack.operations.map(({ isUpdate, ...one }) => ({
        type: isUpdate ? "updating" : "creating",
        resource: { ...one, urn: urnOf(stack, one), type: type(one.kind) },
    }));
    const resources = stack.birth ? [root, ...own] : own;
    return JSON.stringify({ deployment: { resources, pending_operations: operations } });
}
