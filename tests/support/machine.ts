/**
 * A machine with one stack, without an engine: provider processes that share a disk, the emulated service in one process, and
 * virtual time. A test calls the hosts, as either face does, and so plays the engine.
 */
import type { Fault } from "videograph-emulator";
import { type CoreOptions, EmulatorCore, LostAnswer } from "videograph-emulator/core";
import { ConnectionError } from "../../provider/dist/api/errors.js";
import type { Transport, TransportRequest } from "../../provider/dist/api/transport.js";
import { digestOfTitle } from "../../provider/dist/evidence/digest.js";
import { digestOfResource, noncePrefixOf } from "../../provider/dist/evidence/marker.js";
import { metaOf } from "../../provider/dist/inputs/recordedMeta.js";
import type { Timeouts } from "../../provider/dist/inputs/values.js";
import { PartialFailure } from "../../provider/dist/operation/operation.js";
import {
    type Neighbour,
    type ResourceState,
    type UnfinishedCreate,
    unconfirmedCreate,
} from "../../provider/dist/operation/ownState.js";
import { lifecycles } from "../../provider/dist/resources/index.js";
import { ResourceHost } from "../../provider/dist/session/resourceHost.js";
import { FakeClock, seededRandom } from "./fakeClock.ts";
import { memoryFiles } from "./memoryFiles.ts";
import { sent } from "./requests.ts";
import { ProviderProcess } from "./session.ts";

export type Properties = Record<string, unknown>;

/** Two of one environment, and one of another. */
export const tokens = [
    { id: "first", secret: "key of the first", environmentId: 1 },
    { id: "rotated", secret: "key of the rotated", environmentId: 1 },
    { id: "foreign", secret: "key of the foreign", environmentId: 2 },
];

export function urnOf(name: string, kind = "Content"): string {
    return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/videograph:${kind}::${name}`;
}

/** A resource as the state has it, and what was said when it was not finished. */
export interface Made {
    id: string;
    outputs: Properties;
    failed?: string;
}

interface Call {
    urn?: string;
    timeouts?: Timeouts;
}

export class Machine {
    readonly clock = new FakeClock();
    readonly core: EmulatorCore;
    /** The journal's folder. */
    readonly files = new Map<string, string>();
    readonly alive = new Set<number>();
    /** What the stack's own state says to a create; `undefined` where it cannot be read. */
    state: StateOf | undefined = stateOf();
    /** How long it takes to read it. */
    readingMs = 0;
    /** `PULUMI_SKIP_CHECKPOINTS` */
    skipsCheckpoints = false;
    #pids = 0;

    constructor(options: CoreOptions = {}) {
        this.core = new EmulatorCore({ clock: this.clock, random: seededRandom(1), tokens, ...options });
    }

    /** A provider process, with what its environment says. */
    start(token = "first", variables: Record<string, string> = {}): Process {
        const pid = ++this.#pids;
        this.alive.add(pid);
        return new Process(this, pid, token, variables);
    }

    /** A process that is killed while it does this: it closes no entry. Or it is only ended. */
    async cutOff(body: (process: Process) => Promise<unknown>, isKilled = true): Promise<void> {
        const process = this.start();
        void this.clock.sleep(500).then(() => process.interrupt());
        if (isKilled) this.files.delete = () => false;
        process.isEnding = isKilled;
        await body(process).catch(() => undefined);
        Reflect.deleteProperty(this.files, "delete");
        this.core.clearFaults();
        process.kill();
    }

    /**
     * A create whose process is killed, by `kill -9`: before its POST, after it, of which `fate` has become, or at its answer, which the engine does not
     * hear any more. The journal names it, and the object that there is of it, whose id this gives, has its marker.
     */
    async killedCreate(
        create: (process: Process) => Promise<unknown>,
        when: "before its POST" | "after its POST" | "at its answer" = "after its POST",
        fate: Fault = { kind: "reset", when: "after" },
    ): Promise<string> {
        const lists = {
            method: "GET",
            path: `/${fate.path === "/livestreams" ? "livestreams" : "contents"}`,
            kind: "hang",
        } as const;
        const posts = () => this.core.requests.filter(({ method }) => method === "POST").length;
        const before = posts();
        if (when === "at its answer") {
            const process = this.start();
            process.isEnding = true;
            await create(process);
            process.kill();
        } else {
            if (when === "after its POST") this.core.inject({ method: "POST", path: "/contents", times: 1, ...fate });
            this.core.inject({ ...lists, ...(when === "after its POST" && { where: () => posts() > before }) });
            await this.cutOff(create);
        }
        return this.ids.at(-1) ?? this.core.livestreams().at(-1)?.streamUUID ?? "";
    }

    /** The next run is on another machine: the journal of this one is lost. */
    lose(): void {
        this.files.clear();
    }

    run<T>(promise: Promise<T>): Promise<T> {
        return this.clock.runUntil(promise);
    }

    /** The ids of all contents, oldest first. */
    get ids(): string[] {
        return this.core.contents().map(({ contentId }) => contentId);
    }

    /** The metadata of an object as a map, which may be changed as a whole. */
    metadataOf(id: string): Record<string, string> {
        const { metadata = [] } = this.core.content(id) ?? this.core.livestream(id) ?? {};
        return Object.fromEntries(metadata.map(({ key, value }) => [key, value]));
    }

    setMetadata(id: string, map: Record<string, unknown>): void {
        this.change(id, { metadata: Object.entries(map).map(([key, value]) => ({ key, value: String(value) })) });
    }

    /** Somebody changes an object in the dashboard. */
    change(id: string, fields: object): void {
        if (this.core.content(id)) this.core.updateContent(id, fields as never);
        else this.core.updateLivestream(id, fields as never);
    }

    /** The requests since the last call, as `POST /contents`. */
    since(): string[] {
        const requests = sent(this.core);
        this.core.clearRequests();
        return requests;
    }

    transport(): Transport {
        return { send: (request) => this.#send(request), close: async () => undefined };
    }

    async #send({ method, url, headers, body, signal }: TransportRequest) {
        signal.throwIfAborted();
        const aborted = new Promise<never>((_, reject) => {
            signal.addEventListener("abort", () => reject(new ConnectionError("aborted", "ambiguous")));
        });
        try {
            const reply = await Promise.race([this.core.handle({ method, url, headers, body }), aborted]);
            const text = { ...reply.headers } as Record<string, string>;
            return { status: reply.status, headers: text, body: String(reply.body) };
        } catch (error) {
            if (!(error instanceof LostAnswer)) throw error;
            if (error.how === "hang") return await aborted;
            throw new ConnectionError("the connection was reset", "ambiguous");
        }
    }
}

type StateOf = (urn: string, kind: string) => ResourceState;

const nothingSaid = {
    birth: "2026-01-01T00:00:00.000000001Z",
    /** The processes whose creates of these resources never ended. */
    lostPids: [] as number[],
    /** Those that a recorded create has settled. */
    settledPids: [] as number[],
    /** The outputs of the create that has settled others. */
    settled: {} as Properties,
    /** Of the credentials of those creates. */
    fingerprint: undefined as string | undefined,
    /** Its resources whose creates ended in doubt. */
    rows: [] as Made[],
    urns: [urnOf("one")],
    /** The ids of its objects. */
    has: [] as string[],
    /** Objects of other providers, and their resources. */
    elsewhere: {} as Record<string, string>,
    titles: [] as string[],
    neighbours: [] as Neighbour[],
};
export type Said = Partial<typeof nothingSaid>;

/** What a state says to a create of one of these resources. */
export function stateOf(said: Said = {}): StateOf {
    const { birth, lostPids, settledPids, settled, fingerprint, rows, urns, has, elsewhere, titles, neighbours } = {
        ...nothingSaid,
        ...said,
    };
    return (urn, kind) => {
        const prefix = (pid: number, resource: string) => noncePrefixOf(attemptOf(pid), resource);
        const known = { fingerprint, titleDigest: titles.map(digestOfTitle)[0], startedAt: Date.parse(birth) || 0 };
        const pending = (resource: string): UnfinishedCreate[] =>
            (urns.includes(urn) ? lostPids : []).map((pid) => ({
                ...{ attempt: attemptOf(pid), nonce: prefix(pid, resource), ...known },
                ...{ sent: true, ours: true, neverRecorded: false },
            }));
        const resource = digestOfResource(urn, kind);
        const ofRows = rows.flatMap(({ outputs }) => unconfirmedCreate(metaOf(outputs)) ?? []);
        return {
            ...{ birth, neighbours },
            unfinished: [...pending(resource), ...ofRows],
            handled: settledPids.map((pid) => prefix(pid, resource)),
            isHandled: (nonce) =>
                [...settledPids.map((pid) => prefix(pid, resource)), ...(metaOf(settled).handled ?? [])].some((one) =>
                    nonce.startsWith(one),
                ),
            has: ({ id = "" }) => has.includes(id),
            holderElsewhere: (id) => elsewhere[id],
        };
    };
}

/** Each process is asked once for each resource. */
function attemptOf(pid: number): string {
    return `attempt ${pid}`;
}

export class Process extends ProviderProcess {
    readonly content = this.host("Content");
    readonly livestream = this.host("Livestream");
    readonly readiness = this.host("ContentReadiness");
    readonly #machine: Machine;
    readonly #pid: number;

    constructor(machine: Machine, pid: number, id: string, variables: Record<string, string>) {
        const { clock, files, alive } = machine;
        super({
            ...{ clock, pid, host: "machine", files: memoryFiles(files), transport: machine.transport(), variables },
            token: { id, secret: tokens.find((one) => one.id === id)?.secret },
            isAlive: (pid) => alive.has(pid),
            ownState: () => ({
                skipsCheckpoints: machine.skipsCheckpoints,
                of: async (urn, kind) => {
                    await clock.sleep(machine.readingMs);
                    return machine.state?.(urn, kind);
                },
                holderOf: async (id, urn) => machine.state?.(urn, "Content").holderElsewhere(id),
            }),
        });
        this.#machine = machine;
        this.#pid = pid;
    }

    host(kind: keyof typeof lifecycles): ResourceHost {
        return new ResourceHost(this.session, lifecycles[kind]);
    }

    /** The process is killed: what it does from now on counts for nothing. */
    kill(): void {
        this.#machine.alive.delete(this.#pid);
    }

    /** The object, also where it was not finished. */
    async create(
        inputs: Properties,
        { urn = urnOf("one"), timeouts = {} }: Call = {},
        host = this.content,
    ): Promise<Made> {
        return this.#made(host.create({ urn, timeouts, inputs: { ...inputs, __attempt: attemptOf(this.#pid) } }));
    }

    async update(
        { id, outputs: olds }: Made,
        news: Properties,
        { urn = urnOf("one"), timeouts = {} }: Call = {},
        host = this.content,
    ): Promise<Made> {
        const updated = host.update({ urn, timeouts, id, olds, news });
        return this.#made(updated.then((outputs) => ({ id, outputs })));
    }

    /** As the engine asks: it checks the inputs before, and those of a replacement once more. */
    async diff({ id, outputs: olds }: Made, news: Properties, { urn = urnOf("one") }: Call = {}, host = this.content) {
        await host.check({ urn, olds, news });
        const difference = await host.diff({ urn, id, olds, news });
        if (difference.kind === "replace") await host.check({ urn, news });
        return difference;
    }

    read({ id, outputs: olds }: Made, { urn = urnOf("one"), timeouts = {} }: Call = {}, host = this.content) {
        return this.#machine.run(host.read({ urn, timeouts, id, olds }));
    }

    delete({ id, outputs: olds }: Made, { urn = urnOf("one"), timeouts = {} }: Call = {}, host = this.content) {
        return this.#machine.run(host.delete({ urn, timeouts, id, olds }));
    }

    async #made(making: Promise<Made>): Promise<Made> {
        try {
            return await this.#machine.run(making);
        } catch (error) {
            if (!(error instanceof PartialFailure)) throw error;
            return { id: error.id, outputs: error.outputs, failed: error.message };
        }
    }
}
