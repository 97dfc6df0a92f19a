/**
 * The service, in memory and on virtual time: two environments, three tokens, every fault that the contract leaves room
 * for. Objects that are not ours are counted as harmed when anything changes them.
 */
import type { Transport, TransportAnswer, TransportRequest } from "../../provider/dist/api/transport.js";
import type { FakeClock } from "../support/fakeClock.ts";
import type { Build } from "./build.ts";
import type { SimulatedProcess } from "./process.ts";

export interface StoredObject {
    id: string;
    kind: "Content" | "Livestream";
    fields: Record<string, unknown>;
    createdAt: number;
    /** Can be read, changed and deleted from then on. */
    visibleAt: number;
    /** Lists show it from then on. */
    listedAt: number;
    /** Ready or Failed from then on. */
    doneAt: number;
    /** Gone from then on. */
    goneAt?: number;
    ours: boolean;
}

/** How the service is, within what the contract leaves open. */
export interface ServiceTraits {
    listsHaveMetadata: boolean;
    newestFirst: boolean;
    pageSize: number;
    largestPage: number;
    createdStatus: 200 | 201;
    /** An answer to a create that tells little more than the id. */
    terseCreate: boolean;
    /** What it makes of titles that have more blanks than they need. */
    titles: "kept" | "trimmed" | "collapsed";
    /** Time until an object can be read at all, in ms. */
    visibleDelay: number;
    /** Longest time until lists show an object, in ms. */
    listDelay: number;
    latency: number;
    /** Longest processing of a content, in ms. */
    processing: number;
    /** Longest deletion of a livestream, in ms. */
    deleting: number;
}

interface Place {
    objects: Map<string, StoredObject>;
    nextId: number;
}

/** Environment by access token id: the first two belong to the same one. */
export const tokens = { first: "here", rotated: "here", foreign: "elsewhere" } as const;
export type Token = keyof typeof tokens;

type Fault =
    | "refused"
    | "lostBefore"
    | "lostAfter"
    | "lateAcceptance"
    | "hangBefore"
    | "hangAfter"
    | "errorBefore"
    | "errorAfter"
    | "timeoutAfter"
    | "busy"
    | "malformed";
const faults: Fault[] = [
    "refused",
    "lostBefore",
    "lostAfter",
    "lateAcceptance",
    "hangBefore",
    "hangAfter",
    "errorBefore",
    "errorAfter",
    "timeoutAfter",
    "busy",
    "malformed",
];

export class SimulatedService {
    /** The share of requests that go wrong. */
    faultRate = 0;
    requests = 0;
    /** What happened to objects that are not ours. */
    readonly harm: string[] = [];
    readonly places: Record<"here" | "elsewhere", Place> = {
        here: { objects: new Map(), nextId: 1 },
        elsewhere: { objects: new Map(), nextId: 1 },
    };
    readonly #clock: FakeClock;
    readonly #random: () => number;
    readonly #traits: ServiceTraits;
    readonly #errors: Build["errors"];
    readonly #tell: (line: string) => void;

    constructor(
        clock: FakeClock,
        random: () => number,
        traits: ServiceTraits,
        errors: Build["errors"],
        tell: (line: string) => void,
    ) {
        this.#tell = tell;
        this.#clock = clock;
        this.#random = random;
        this.#traits = traits;
        this.#errors = errors;
    }

    /** The network as one process sees it. */
    transportFor(process: SimulatedProcess): Transport {
        return {
            send: (request) => process.does(() => Promise.race([this.#serve(request), aborted(request.signal)])),
            close: async () => undefined,
        };
    }

    /** Whether somebody could still see or pay for the object. */
    isLive(object: StoredObject): boolean {
        return object.goneAt === undefined;
    }

    live(place: "here" | "elsewhere"): StoredObject[] {
        return [...this.places[place].objects.values()].filter((object) => this.isLive(object));
    }

    /** Somebody else's object. */
    addForeign(place: "here" | "elsewhere", kind: StoredObject["kind"], fields: Record<string, unknown>): void {
        this.#add(place, kind, fields, false);
    }

    async #serve(request: TransportRequest): Promise<TransportAnswer> {
        this.requests++;
        const { latency } = this.#traits;
        await this.#clock.sleep(latency * (0.5 + this.#random()));
        const fault = this.#random() < this.faultRate ? this.#pick(faults) : undefined;
        this.#tell(`${request.method} ${request.url.split("/v1")[1]}${fault === undefined ? "" : ` (${fault})`}`);
        const { ConnectionError } = this.#errors;
        const lost = () => new ConnectionError("The connection was reset.", { sent: true });
        switch (fault) {
            case "refused":
                throw new ConnectionError("The connection was refused.", { sent: false });
            case "lostBefore":
                throw lost();
            case "lostAfter":
                this.#handle(request);
                throw lost();
            case "lateAcceptance":
                void this.#clock.sleep(this.#random() * 5_000).then(() => this.#handle(request));
                throw lost();
            case "hangBefore":
                return aborted(request.signal);
            case "hangAfter":
                this.#handle(request);
                return aborted(request.signal);
            case "errorBefore":
                return this.#failure(this.#pick([500, 502, 503, 504]));
            case "errorAfter":
                this.#handle(request);
                return this.#failure(this.#pick([500, 502, 503, 504]));
            case "timeoutAfter":
                if (this.#random() < 0.5) this.#handle(request);
                return this.#failure(408);
            case "busy":
                return this.#failure(429);
            case "malformed": {
                const answer = this.#handle(request);
                const bodies = [
                    "",
                    "<html>Bad gateway</html>",
                    "{}",
                    '{"status":"Success","data":{}}',
                    answer.body.slice(0, -9),
                ];
                return { ...answer, body: this.#pick(bodies) };
            }
            default:
                return this.#handle(request);
        }
    }

    #failure(status: number): TransportAnswer {
        const after = this.#random() < 0.5 ? { "retry-after": String(Math.floor(this.#random() * 4)) } : {};
        return { status, headers: after, body: this.#random() < 0.5 ? "" : '{"status":"Error","message":"try later"}' };
    }

    /** The service as it is meant to be. */
    #handle({ method, url, headers, body }: TransportRequest): TransportAnswer {
        const [token = ""] = Buffer.from((headers.authorization ?? "").slice(6), "base64")
            .toString()
            .split(":");
        if (!(token in tokens)) return this.#answer(401, undefined);
        const place = tokens[token as Token];
        const { pathname, searchParams } = new URL(url);
        const [collection = "", id] = pathname.replace("/video/services/api/v1/", "").split("/");
        const kind = collection === "contents" ? "Content" : "Livestream";
        const fields = body === undefined ? {} : (JSON.parse(body) as Record<string, unknown>);
        if (method === "POST") {
            const object = this.#add(place, kind, fields, true);
            return this.#answer(
                this.#traits.createdStatus,
                this.#show(object, this.#traits.terseCreate ? "terse" : "whole"),
            );
        }
        if (id === undefined) return this.#list(place, kind, searchParams);
        const object = this.#find(place, kind, id);
        if (object === undefined) return this.#answer(404, undefined);
        if (method === "GET") return this.#answer(200, this.#show(object, "whole"));
        if (!object.ours) this.harm.push(`${method} of the foreign ${kind} ${id}`);
        if (object.goneAt !== undefined) return this.#answer(409, undefined);
        if (method === "PUT") {
            Object.assign(object.fields, fields);
            return this.#answer(200, this.#random() < 0.5 ? this.#show(object, "whole") : undefined);
        }
        const time = kind === "Livestream" ? this.#random() * this.#traits.deleting : 0;
        object.goneAt = this.#clock.now() + time;
        return this.#answer(200, kind === "Livestream" ? this.#show(object, "whole") : undefined);
    }

    #find(place: "here" | "elsewhere", kind: StoredObject["kind"], id: string): StoredObject | undefined {
        const object = this.places[place].objects.get(decodeURIComponent(id));
        const isVisible = object !== undefined && this.#exists(object) && object.visibleAt <= this.#clock.now();
        return isVisible && object.kind === kind ? object : undefined;
    }

    #exists({ goneAt }: StoredObject): boolean {
        return goneAt === undefined || goneAt > this.#clock.now();
    }

    #list(place: "here" | "elsewhere", kind: StoredObject["kind"], query: URLSearchParams): TransportAnswer {
        const { newestFirst, pageSize, largestPage, listsHaveMetadata } = this.#traits;
        const all = [...this.places[place].objects.values()]
            .filter((object) => object.kind === kind && this.#exists(object) && object.listedAt <= this.#clock.now())
            .filter(({ fields }) => kind === "Content" || String(fields.record === true) === query.get("record"));
        if (newestFirst) all.reverse();
        const start = Number(query.get("start") ?? 0);
        const limit =
            kind === "Content"
                ? Math.min(Number(query.get("limit") ?? pageSize), largestPage)
                : // No paging of livestreams is shown; if there is any, its pages are not smaller than what callers read.
                  Math.max(10, pageSize);
        const items = all
            .slice(start, start + limit)
            .map((object) => this.#show(object, listsHaveMetadata ? "whole" : "item"));
        return this.#answer(200, items);
    }

    #add(
        place: "here" | "elsewhere",
        kind: StoredObject["kind"],
        fields: Record<string, unknown>,
        ours: boolean,
    ): StoredObject {
        const now = this.#clock.now();
        const { listDelay, processing, titles } = this.#traits;
        const title = String(fields.title);
        const shown = { kept: title, trimmed: title.trim(), collapsed: title.trim().replace(/\s+/g, " ") }[titles];
        // Small numbers: the ids of two environments coincide, as they may.
        const id = `${kind === "Content" ? "c" : "l"}${this.places[place].nextId++}`;
        const object: StoredObject = {
            id,
            kind,
            fields: { ...fields, title: shown },
            createdAt: now,
            visibleAt: now + (ours ? this.#traits.visibleDelay : 0),
            listedAt: now + this.#random() * listDelay,
            doneAt: now + this.#random() * processing,
            ours,
        };
        this.places[place].objects.set(id, object);
        return object;
    }

    #show({ id, kind, fields, createdAt, doneAt, goneAt }: StoredObject, how: "whole" | "item" | "terse"): unknown {
        const done = doneAt <= this.#clock.now();
        if (kind === "Livestream") {
            const status = goneAt === undefined ? "Idle" : "Deleting";
            if (how === "item") return { streamUUID: id, title: fields.title, created_at: createdAt, status };
            if (how === "terse") return { streamUUID: id, status };
            const urls = { rtmpUrl: "rtmp://in.test/live", rtmpsUrl: "", playbackUrl: `https://out.test/${id}.m3u8` };
            return { streamUUID: id, ...fields, status, createdOn: createdAt, streamKey: `key-${id}`, ...urls };
        }
        const { content, ...told } = fields;
        const failed = JSON.stringify(content ?? "").includes("broken");
        const status = !done ? "Preparing" : failed ? "Failed" : "Ready";
        if (how === "item") return { contentId: id, title: fields.title, created_at: createdAt, status };
        if (how === "terse") return { contentId: id, status };
        const ready = status === "Ready" && {
            duration: 1000,
            resolution: "1x1",
            playbackUrl: `https://out.test/${id}.m3u8`,
        };
        return { contentId: id, ...told, status, created_at: createdAt, ...ready };
    }

    #answer(status: number, data: unknown): TransportAnswer {
        const body = JSON.stringify({ status: status < 300 ? "Success" : "Error", code: status, message: "", data });
        return { status, headers: { date: new Date(this.#clock.now()).toUTCString() }, body };
    }

    #pick<T>(items: readonly T[]): T {
        return items[Math.floor(this.#random() * items.length)] as T;
    }
}

function aborted(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
}
