/**
 * One provider process of a run: the real adapter, session, journal and search over the emulator's core in virtual time. Each
 * request and each write to the journal is a point at which a fault may strike.
 */
import { EmulatorCore } from "videograph-emulator/core";
import { Store } from "../../emulator/dist/store.js";
import { ConnectionError } from "../../provider/dist/api/errors.js";
import type { TransportAnswer, TransportRequest } from "../../provider/dist/api/transport.js";
import type { JournalFiles } from "../../provider/dist/evidence/journalFile.js";
import { LifecycleError, messages } from "../../provider/dist/messages/index.js";
import { OwnState, type StackExport } from "../../provider/dist/operation/ownState.js";
import { parseExport } from "../../provider/dist/session/stackExport.js";
import { FakeClock, seededRandom } from "../support/fakeClock.ts";
import { memoryFiles } from "../support/memoryFiles.ts";
import { ProviderProcess } from "../support/session.ts";
import type { Word } from "./explore.ts";
import { DynamicFace, type FaceOf, NativeFace } from "./faces.ts";
import type { Face, Kind, Row, Stack, World } from "./world.ts";
import { copy, idOf, idsOf, isEntry, isHeld, markerOf, namesIn, titleOf, tokens, typeOf, urnOf } from "./world.ts";

/** What strikes at a point: the fate of a request, and who dies. */
export type Fault =
    | { fate: "lost" | "accepted" | "hidden" | "late"; kill?: "provider" | "both" | "once"; blind?: boolean }
    | { fate: "none"; kill: "provider" | "both" | "once" | "twice" }
    | { fate: "silent"; kill?: undefined };

/** How a run is started. */
export interface How {
    stack: number;
    machine: number;
    replace?: boolean | undefined;
    refresh?: boolean | undefined;
    /** `pulumi destroy` */
    destroy?: boolean | undefined;
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
/** For how long a replica shows the earlier form of an object that was changed, and one that was deleted. */
const staleMs = { PUT: 20_000, DELETE: 30_000 };

export class Provider {
    readonly points: string[] = [];
    /** What must never happen. */
    readonly violations: string[] = [];
    /** The random parts of the markers that were sent. */
    readonly sent: string[] = [];
    /** The objects that this run has changed or deleted. */
    readonly changed: string[] = [];
    requests = 0;
    /** No list can be read any more. */
    #blind = false;
    /** The nonces of the objects that the lists could show when the run began. */
    readonly #listed: string[];
    readonly clock: FakeClock;
    readonly stack: Stack;
    readonly how: How;
    readonly #world: World;
    /** One process for each face: they share no claims. */
    readonly #processes = new Map<Face, ProviderProcess>();
    readonly #faces = new Map<string, FaceOf>();
    readonly #core: EmulatorCore;
    readonly #store = new Store();
    readonly #death = Promise.withResolvers<never>();
    readonly #skew: number;
    #isDead = false;
    #isEnding = false;
    #isInterrupted = false;
    readonly #seed: number;
    readonly #pids: number[] = [];
    /** The own state could not be read, or only once. */
    isUnread = false;
    #read: Pick<Stack, "rows" | "olds"> | undefined;

    constructor(world: World, stack: Stack, how: How) {
        this.#world = world;
        this.stack = stack;
        this.how = how;
        const seed = 1000 + ++world.processes;
        this.#seed = seed;
        this.#skew = world.skew.machines[how.machine] ?? 0;
        this.clock = new FakeClock({ start: world.now + this.#skew });
        // Without a state, a search goes by the titles that the program declares.
        const titles = Object.keys(stack.program).map((name) => titleOf(stack, name.split("/")[1] ?? ""));
        const isListed = (one: World["objects"][number]) =>
            (world.hidden[idOf(one)] ?? 0) <= world.now && (isEntry(one) || titles.includes(one.title));
        this.#listed = world.objects.filter(isListed).map(nonceOf);
        this.#death.promise.catch(() => undefined);
        for (const object of world.objects)
            this.#store.apply("contentId" in object ? { content: object } : { livestream: object });
        const ahead = world.skew.service - this.#skew;
        const clock = { now: () => this.clock.now() + ahead, sleep: (ms: number) => this.clock.sleep(ms) };
        this.#core = new EmulatorCore({
            ...{ clock: clock as FakeClock, random: seededRandom(seed), store: this.#store, processingTimeMs: 0 },
            tokens: tokens.map((id, index) => ({ id, secret: "secret", environmentId: index + 1 })),
            variants: how.defect === "K16" ? { createdSkewMs: -6 * 3_600_000 } : {},
        });
        for (const request of world.late)
            void this.clock.sleep(request.at - world.now).then(() => this.#acceptLate(request));
    }

    /** The time, as none of the clocks may show it. */
    get now(): number {
        return this.clock.now() - this.#skew;
    }

    /** The engine takes no answers any more. */
    get interrupted(): boolean {
        return this.#isEnding;
    }

    /** The nonces of others' objects that the lists could not show when the run began. */
    concealed(): string[] {
        const late = this.#world.late.flatMap(({ body }) => nonceIn(body) ?? []);
        const all = [...this.#world.objects.map(nonceOf), ...late];
        return all.filter((nonce) => !this.sent.includes(nonce) && !this.#listed.includes(nonce));
    }

    /** The lines that stay. */
    get said(): string[] {
        return [...this.#processes.values()].flatMap(({ said }) => said);
    }

    /** What serves the resource; the engine starts the process of a face when it is needed. */
    of({ face, kind }: Pick<Row, "face" | "kind">): FaceOf {
        const known = this.#faces.get(`${face} ${kind}`);
        if (known !== undefined) return known;
        const process = this.#processes.get(face) ?? this.#start();
        this.#processes.set(face, process);
        const one = face === "native" ? new NativeFace(process.session, kind) : new DynamicFace(process.session, kind);
        this.#faces.set(`${face} ${kind}`, one);
        return one;
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
        if (fault?.fate === "none") await this.#strike(fault);
        if (fault?.fate === "none") return undefined;
        return fault;
    }

    /** What is there when the run has ended. `isRecorded`: the state has what its creates have made, and what the user has answered. */
    save(isRecorded: boolean): void {
        const world = this.#world;
        this.#isDead = true;
        world.now = this.now + 1_000;
        world.objects = [...this.#store.contents(), ...this.#store.livestreams(world.now + 60_000)].map(copy);
        const { said } = this;
        const leftAlone = said.flatMap((message) => /leaves (.*) alone:.*VG3022/.exec(message)?.[1] ?? []).join();
        for (const id of world.objects.filter((one) => isNamed(one, leftAlone)).map(idOf))
            if (isRecorded && world.owners[id] === this.stack.uid && !isHeld(world, id)) world.owners[id] = null;
        if (isRecorded) world.forgotten = world.forgotten.filter((id) => !leftAlone.includes(id));
        // What was found again is this stack's as before.
        const told = said.filter((line) => !line.includes("[VG3005]"));
        world.said = [...new Set([...world.said, ...namesIn(told.join(" "))])];
    }

    async #strike({ kill }: Fault): Promise<undefined> {
        if (kill === undefined) return undefined;
        if (kill === "once" || kill === "twice") {
            this.#isEnding ||= kill === "twice";
            this.#isInterrupted = true;
            for (const process of this.#processes.values()) this.#interrupt(process);
            return undefined;
        }
        this.#isDead = true;
        this.#death.reject(new Killed(kill));
        return new Promise(() => undefined);
    }

    #interrupt(process: ProviderProcess): void {
        process.isEnding ||= this.#isEnding;
        process.interrupt();
    }

    #start(): ProviderProcess {
        const { machine, skip, unrecorded = this.stack.adopts } = this.how;
        const world = this.#world;
        const process = new ProviderProcess({
            ...{ clock: this.clock, pid: ++world.processes, host: `machine ${machine}`, port: String(this.#seed) },
            // The other process of this run.
            isAlive: (pid) => !this.#isDead && this.#pids.includes(pid),
            files: this.#files(this.#world.disks[machine] ?? {}),
            transport: { send: (request) => this.#send(request), close: async () => undefined },
            token: { id: this.stack.token, secret: "secret" },
            variables: unrecorded ? { VIDEOGRAPH_UNRECORDED: unrecorded } : {},
            ownState: (run) =>
                new OwnState({
                    ...{ ...run, clock: this.clock, skipsCheckpoints: skip === true },
                    exported: () => this.#export(),
                }),
        });
        this.#pids.push(world.processes);
        if (this.#isInterrupted) this.#interrupt(process);
        return process;
    }

    /** The creates of a run come together: each reads the state before it has what another one has made. */
    async #export(): Promise<StackExport> {
        const { unreadable, machine } = this.how;
        const fault = await this.point("stack export");
        if (fault !== undefined || unreadable || this.#world.silent.includes(machine)) {
            this.isUnread = true;
            throw new LifecycleError(messages.ownStateUnread({ error: "" }));
        }
        const { rows, olds } = this.stack;
        this.#read ??= copy({ rows, olds });
        return parseExport(exported({ ...this.stack, ...this.#read })) as StackExport;
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
        const nonce = nonceIn(request.body);
        if (nonce !== undefined) this.sent.push(nonce);
        const { pathname } = new URL(request.url);
        if (request.method === "POST" && this.#isElsewhere()) this.violations.push("S2 POST in another environment");
        const fault = await this.point(`${request.method} ${pathname.split("/").slice(5).join("/")}`);
        request.signal.throwIfAborted();
        const isList = request.method === "GET" && /\/(contents|livestreams)(\?|$)/.test(request.url);
        if (this.how.blind && request.method === "GET" && !isList && !this.#isKnown(pathname))
            return { status: 404, headers: { "content-type": "application/json" }, body: "{}" };
        if (this.#blind && isList) return { status: 503, headers: {}, body: "" };
        if (fault === undefined || fault.fate === "none" || fault.fate === "silent") return this.#handle(request);
        this.#blind ||= fault.blind === true;
        if (fault.fate === "late") {
            const body = request.body ?? "";
            const { uid, token } = this.stack;
            const late = { at: this.now + lateMs, uid, url: request.url, body, token };
            this.#world.late.push(late);
            void this.clock.sleep(lateMs).then(() => this.#acceptLate(late));
        } else if (fault.fate !== "lost") {
            const before = new Set(Object.keys(this.#world.owners));
            await this.#handle(request);
            if (fault.fate === "hidden")
                for (const id of Object.keys(this.#world.owners))
                    if (!before.has(id)) this.#world.hidden[id] = this.now + hiddenMs;
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
        return own.length > 0 && !isHere && !this.isUnread;
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
        if (id !== undefined && method === "GET") {
            const stale = this.#staleOf(id);
            const headers = { "content-type": "application/json", date: new Date(this.now).toUTCString() };
            if (stale !== undefined) return { status: 200, headers, body: JSON.stringify(stale.object) };
        }
        const before = this.#nonceOf(id);
        if (id !== undefined && (method === "PUT" || method === "DELETE")) {
            await this.#keepStale(method, url, id);
            this.changed.push(id);
            this.#world.edited = this.#world.edited.filter((one) => one !== id);
        }
        const reply = await this.#accept({ method, url, body }, this.stack);
        // What kept later runs from the object keeps them from it under its new marker, too.
        const why = this.#world.lost[before];
        if (why !== undefined && this.#nonceOf(id) !== before) this.#world.lost[this.#nonceOf(id)] = why;
        const isList = method === "GET" && id === undefined;
        const text = String(reply.body);
        return { ...reply, headers: { ...reply.headers }, body: isList ? this.#shown(text, url) : text };
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

    #staleOf(id: string): World["stale"][string] | undefined {
        const stale = this.#world.stale[id];
        return stale !== undefined && stale.until > this.now ? stale : undefined;
    }

    /** What a replica that is behind goes on to show. */
    async #keepStale(method: "PUT" | "DELETE", url: string, id: string): Promise<void> {
        if (!this.#world.isBehind || !this.#objects().some((one) => idOf(one) === id)) return;
        const earlier = this.#staleOf(id);
        const get = async (url: string) =>
            JSON.parse(String((await this.#accept({ method: "GET", url }, this.stack)).body));
        const object = earlier?.object ?? (await get(url));
        const list = (await get(`${url.split(`/${id}`)[0]}?limit=100`)).data as { [key: string]: unknown }[];
        const item = earlier?.item ?? list.find((one) => JSON.stringify(one).includes(id));
        this.#world.stale[id] = {
            until: this.now + staleMs[method],
            object,
            item,
            isDeleted: method === "DELETE",
            by: this.stack.uid,
        };
    }

    #objects(): World["objects"] {
        return [...this.#store.contents(), ...this.#store.livestreams(this.clock.now())];
    }

    #nonceOf(id: string | undefined): string {
        return this.#objects().flatMap((one) => (idOf(one) === id ? markerOf(one).slice(-12) : []))[0] ?? "";
    }

    /** The list without what it hides. */
    #shown(body: string, url: string): string {
        const hidden = Object.entries(this.#world.hidden).flatMap(([id, until]) => (until > this.now ? [id] : []));
        const stale = Object.keys(this.#world.stale).flatMap((id) => this.#staleOf(id) ?? []);
        const answer = JSON.parse(body);
        if (hidden.length + stale.length === 0 || !Array.isArray(answer.data)) return body;
        const items = answer.data.filter((item: unknown) => !hidden.some((id) => JSON.stringify(item).includes(id)));
        const earlier = stale.flatMap(({ item }) => item ?? []);
        const isSame = (one: unknown, other: unknown) => idsIn(one)[0] === idsIn(other)[0];
        const now = items.map((item: unknown) => earlier.find((one) => isSame(one, item)) ?? item);
        const isFirst = !/start=[1-9]/.test(url);
        const gone = earlier.filter((one) => isFirst && !now.includes(one));
        return JSON.stringify({ ...answer, data: [...now, ...gone] });
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
            // No answer shows what another stack has done since.
            const { by = uid } = this.#staleOf(id) ?? {};
            const when = by === uid ? "" : ", and the replica is behind";
            if (owner !== uid && isOthers) this.violations.push(`S1 ${method} of an object that changed hands${when}`);
            return;
        }
        // The user names it in the program.
        const declared = Object.values(this.stack.program).filter((source) => source.startsWith("import "));
        if (method === "PUT" && declared.some((source) => source.includes(id))) return;
        const isOld = owner === null && this.#staleOf(id) !== undefined;
        const why = owner === null ? "released" : owner !== uid ? "another stack's" : isOthers && "recorded elsewhere";
        const when = isOld ? ", and the replica is behind" : "";
        if (why) this.violations.push(`S1 ${method} of an object that is ${why}${when}`);
    }
}

const nonceIn = (body: string | undefined): string | undefined => /-([0-9a-f]{12})"/.exec(body ?? "")?.[1];

const nonceOf = (object: World["objects"][number]) => markerOf(object).slice(-12);

const idsIn = (item: unknown): string[] =>
    JSON.stringify(item).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];

/** By its id, or by the random part of its marker. */
function isNamed(object: World["objects"][number], text: string): boolean {
    return namesIn(text).some((name) => name === idOf(object) || markerOf(object).endsWith(name));
}

const packages = { dynamic: "pulumi-nodejs", native: "videograph" };

/** What `pulumi stack export` prints. */
function exported(stack: Stack): string {
    const urn = `urn:pulumi:${stack.stack}::${stack.project}::pulumi:pulumi:Stack::x`;
    const root = { urn, type: "pulumi:pulumi:Stack", created: stack.birth };
    const known = (row: Pick<Row, "face" | "kind" | "name">) => ({
        ...{ urn: urnOf(stack, row), type: typeOf(row) },
        provider: `urn:pulumi:${stack.stack}::${stack.project}::pulumi:providers:${packages[row.face]}::default::id`,
    });
    const own = [...stack.rows, ...stack.olds].map((row) => ({ ...row, ...known(row) }));
    const operations = stack.operations.map(({ isUpdate, ...one }) => ({
        type: isUpdate ? "updating" : "creating",
        resource: { ...one, ...known(one) },
    }));
    const resources = stack.birth ? [root, ...own] : own;
    return JSON.stringify({ deployment: { resources, pending_operations: operations } });
}
