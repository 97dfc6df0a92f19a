/**
 * The service on virtual time: the emulator's core behind a network that loses, delays and spoils. Two environments, three
 * tokens, whatever faults and shapes of answers the contract leaves room for. Keeps book on who made and deleted what.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { EmulatorCore } from "videograph-emulator/core";
import type { Transport, TransportAnswer, TransportRequest } from "../../provider/dist/api/transport.js";
import { type FakeClock, seededRandom } from "../support/fakeClock.ts";
import type { Build } from "./build.ts";
import type { Dice } from "./dice.ts";
import type { EngineRun } from "./engine.ts";
import { errorBody, type Fault, isOut, malformedBody, type Outage, pickFault } from "./faults.ts";
import { AnswerShape, type Collection } from "./gaps.ts";
import type { SimulatedProcess } from "./machine.ts";
import type { Stack } from "./stack.ts";

/** Environment by access token id: the first two belong to the same one. */
export const tokens = { first: "here", rotated: "here", foreign: "elsewhere" } as const;
export type Token = keyof typeof tokens;
export type Place = (typeof tokens)[Token];

export interface ServiceObject {
    id: string;
    place: Place;
    kind: "Content" | "Livestream";
    title: string;
    description: string;
    tags: string[];
    metadata: Pair[];
    status: string;
    /** Of a content. */
    subtitle?: readonly { url: string; language_code?: string | undefined }[];
}

interface Pair {
    key: string;
    value: string;
}

/** A provider process as the service's bookkeeping knows it. */
export interface Sender {
    process: SimulatedProcess;
    stack: Stack;
    /** What each resource of its program is made as, by name. */
    identities: ReadonlyMap<string, string>;
    engine?: EngineRun;
    /** The objects that it has changed. */
    updated: Set<string>;
    /** The objects that it was told it has created, in answers that it can read. */
    created: Set<string>;
}

type Core = { core: EmulatorCore; environmentId: number };

/** The request that is being carried out. */
const current = new AsyncLocalStorage<{ sender: Sender; method: string }>();

export class SimulatedService {
    /** The share of requests that go wrong. */
    faultRate = 0;
    /** While true, every PUT is refused. */
    refusesUpdates = false;
    outage: Outage | undefined;
    requests = 0;
    /** What happened to objects that are not ours. */
    readonly harm: string[] = [];
    /** The stack of each object, by place and id; objects of other people are not in it. */
    readonly owners = new Map<string, Stack>();
    /** Ids of objects that were there before a stack imported them. */
    readonly imported = new Set<string>();
    /** A create is sent, whatever becomes of it. */
    onPost: (marker: string | undefined, place: Place, sender: Sender) => void = () => undefined;
    onMade: (object: ServiceObject, sender: Sender) => void = () => undefined;
    onDelete: (id: string, place: Place, sender: Sender) => void = () => undefined;
    readonly #clock: FakeClock;
    readonly #dice: Dice;
    readonly #errors: Build["errors"];
    readonly #log: (line: string) => void;
    readonly #places: Record<Place, Core>;
    readonly #shape: AnswerShape;
    readonly #latency: number;
    readonly #titles: "kept" | "trimmed" | "collapsed";
    /** How far the service's clock is ahead of virtual time, in ms. */
    #clockOffset: number;

    constructor(clock: FakeClock, dice: Dice, errors: Build["errors"], log: (line: string) => void) {
        this.#clock = clock;
        this.#dice = dice;
        this.#errors = errors;
        this.#log = log;
        this.#clockOffset = dice.hazard("clocks", 0.3) ? (dice.random() - 0.5) * 8 * 60_000 : 0;
        this.#shape = new AnswerShape(dice);
        this.#latency = dice.pick([1, 50, 400]);
        this.#titles = dice.pick(["kept", "trimmed", "collapsed"]);
        const options = this.#coreOptions();
        // Both make the same ids: those of two environments may coincide.
        const idSeed = dice.below(1e6);
        const core = (environmentId: number, ids: readonly string[]) => ({
            environmentId,
            core: new EmulatorCore({
                ...options,
                // Ids may coincide, ids and creation times together do not.
                variants: { ...options.variants, createdSkewMs: environmentId * 12_345 },
                random: seededRandom(idSeed),
                tokens: ids.map((id) => ({ id, secret: "secret", environmentId })),
            }),
        });
        this.#places = { here: core(1, ["first", "rotated"]), elsewhere: core(2, ["foreign"]) };
        for (const place of ["here", "elsewhere"] as const) this.#observe(place);
    }

    #coreOptions() {
        const dice = this.#dice;
        const processing = dice.pick([0, 5_000, 120_000]);
        const deleting = dice.pick([0, 20_000]);
        const pageMaximum = dice.pick([3, 30, 100]);
        return {
            clock: { now: () => this.now(), sleep: (ms: number) => this.#clock.sleep(ms) },
            requestLogLimit: 1,
            processingTimeMs: () => dice.random() * processing,
            deletingTimeMs: () => dice.random() * deleting,
            sources: async (url: string) =>
                url.includes("broken")
                    ? { playable: false as const, reason: "no video" }
                    : { playable: true as const, durationMs: 1_000, resolution: "1x1", file: null },
            variants: {
                listMetadata: dice.chance(0.3),
                listTags: dice.chance(0.3),
                listOrder: dice.pick(["newest", "oldest"] as const),
                pageDefault: Math.min(pageMaximum, dice.pick([3, 10])),
                pageMaximum,
                livestreamPaging: false,
                overMaximum: dice.pick(["cap", "cap", "reject"] as const),
                createCode: dice.pick([200, 201] as const),
                policyKey: dice.pick(["playback_policy", "playbackPolicy"] as const),
                ingestKey: dice.pick(["rtmpUrl", "ingestUrl"] as const),
                rtmpsUrl: dice.pick(["url", "empty"] as const),
                idShape: dice.pick(["uuid", "numeric", "number", "opaque"] as const),
                emptyFields: dice.pick(["present", "omitted", "null"] as const),
                put: dice.hazard("replacingPut", 0.3) ? ("replace" as const) : ("partial" as const),
                putData: dice.chance(0.5),
                deleteData: dice.chance(0.5),
                visibleAfterMs: dice.pick([0, 0, 3_000]),
                listedAfterMs: dice.pick([0, 0, 4_000]),
                invalidCode: dice.pick([400, 422] as const),
                errorBody: dice.hazard("errorBodies", 0.1)
                    ? dice.pick(["json", "html", "empty"] as const)
                    : ("envelope" as const),
                whileDeleting: dice.pick(["Deleting", "notFound"] as const),
            },
        };
    }

    now(): number {
        return this.#clock.now() + this.#clockOffset;
    }

    /** Time passes that the machine does not notice: it sleeps. */
    passTime(ms: number): void {
        this.#clockOffset += ms;
    }

    /** The network as one process sees it. */
    transportFor(sender: Sender): Transport {
        return {
            send: (request) =>
                sender.process.does(() => Promise.race([this.#serve(request, sender), aborted(request.signal)])),
            close: async () => undefined,
        };
    }

    /** What is really there. */
    objects(place: Place): ServiceObject[] {
        const { core } = this.#places[place];
        const contents = core
            .contents()
            .map((content): ServiceObject => ({ ...content, id: content.contentId, place, kind: "Content" }));
        const livestreams = core
            .livestreams()
            .filter(({ goneAt }) => goneAt === null)
            .map((stream): ServiceObject => ({ ...stream, id: stream.streamUUID, place, kind: "Livestream" }));
        return [...contents, ...livestreams];
    }

    /** The objects of stacks. */
    ours(place: Place): ServiceObject[] {
        return this.objects(place).filter(({ id }) => this.owners.has(`${place} ${id}`));
    }

    /** The object, and others that an ambiguous create has made with the same marker. */
    sharingMarker(id: string): string[] {
        const marker = (object: ServiceObject | undefined) =>
            object?.metadata.find(({ key }) => key === "managed_by")?.value;
        const all = this.ours("here");
        const own = marker(all.find((one) => one.id === id));
        return all.filter((one) => one.id === id || (own !== undefined && marker(one) === own)).map((one) => one.id);
    }

    owner({ place, id }: { place: Place; id: string }): Stack | undefined {
        return this.owners.get(`${place} ${id}`);
    }

    /** Whether answers lack a field, or have it in an odd form. */
    hides(kind: ServiceObject["kind"], name: string): boolean {
        return this.#shape.hides(kind === "Content" ? "contents" : "livestreams", name);
    }

    /** Somebody else's object. */
    addForeign(place: Place, kind: ServiceObject["kind"], fields: { title: string; metadata?: Pair[] }): string {
        const { core, environmentId } = this.#places[place];
        return kind === "Content"
            ? core.addContent(fields, environmentId).contentId
            : core.addLivestream({ ...fields, record: this.#dice.chance(0.5) }, environmentId).streamUUID;
    }

    /** Somebody changes our object outside. */
    retitle({ kind, id, place }: ServiceObject, title: string): void {
        const { core } = this.#places[place];
        if (kind === "Content") core.updateContent(id, { title });
        else core.updateLivestream(id, { title });
    }

    /** Somebody deletes our object outside. */
    remove({ kind, id, place }: ServiceObject): void {
        const { core } = this.#places[place];
        if (kind === "Content") core.deleteContent(id);
        else core.deleteLivestream(id);
    }

    #observe(place: Place): void {
        this.#places[place].core.onChange = (change) => {
            const request = current.getStore();
            if (request === undefined || "signingKey" in change) return;
            const { sender, method } = request;
            const id = idIn(change);
            if (id === undefined) return;
            const key = `${place} ${id}`;
            if (method === "POST" && !this.owners.has(key)) {
                this.owners.set(key, sender.stack);
                const made = this.objects(place).find((object) => object.id === id);
                if (made !== undefined) this.onMade(made, sender);
            } else if (!this.owners.has(key)) this.harm.push(`${method} of the foreign object ${id}`);
            else if (method === "DELETE") this.onDelete(id, place, sender);
            else if (method === "PUT") sender.updated.add(id);
        };
    }

    async #serve(request: TransportRequest, sender: Sender): Promise<TransportAnswer> {
        this.requests++;
        await this.#clock.sleep(this.#latency * (0.5 + this.#dice.random()));
        const { method, url } = request;
        if (method === "POST") this.onPost(sentMarker(request), placeOf(request), sender);
        const { pathname, search } = new URL(url);
        const [collection = "", id, part] = pathname.replace("/video/services/api/v1/", "").split("/");
        const sets = method === "PUT" || part === "subtitles";
        const log = (what: string) =>
            this.#log(`${method} ${collection}/${id ?? ""}${part === undefined ? "" : `/${part}`}${search} ${what}`);
        if (isOut(this.outage, this.#clock.now(), collection, id)) {
            log("(gateway 404)");
            return { status: 404, headers: {}, body: errorBody(404, this.outage?.body ?? "html") };
        }
        if (sets && this.refusesUpdates) {
            log("(422)");
            return { status: 422, headers: {}, body: errorBody(422, "envelope") };
        }
        const laterPage = method === "GET" && id === undefined && /[?&]start=[1-9]/.test(search);
        const fault =
            this.#dice.random() < this.faultRate ? pickFault(this.#dice, { method, sets, laterPage }) : undefined;
        const answer = await this.#suffer(fault, request, () => this.#handle(request, sender, sets));
        if (method === "POST" && !sets && fault === undefined && answer.status < 300)
            sender.created.add(createdId(answer));
        log(`${fault === undefined ? "" : JSON.stringify(fault)} ${answer.status}`);
        return answer;
    }

    async #suffer(
        fault: Fault | undefined,
        request: TransportRequest,
        handle: () => Promise<TransportAnswer>,
    ): Promise<TransportAnswer> {
        const { ConnectionError } = this.#errors;
        const lost = () => new ConnectionError("The connection was reset.", { sent: true });
        switch (fault?.kind) {
            case undefined:
                return handle();
            case "refused":
                throw new ConnectionError("The connection was refused.", { sent: false });
            case "reset":
                if (fault.accepted) await handle();
                throw lost();
            case "lateAcceptance":
                void this.#clock.sleep(fault.ms).then(handle);
                throw lost();
            case "hang":
                if (fault.accepted) await handle();
                return aborted(request.signal);
            case "status":
                if (fault.accepted) await handle();
                return this.#failure(fault.status, errorBody(fault.status, fault.body));
            case "redirect":
                if (fault.accepted) await handle();
                return { status: fault.status, headers: { location: "/moved" }, body: "" };
            case "malformed": {
                const answer = await handle();
                return { ...answer, body: malformedBody(fault.body, answer.body) };
            }
        }
    }

    #failure(status: number, body: string): TransportAnswer {
        const mayRetry = status === 429 || status >= 500;
        const headers: Record<string, string> =
            mayRetry && this.#dice.chance(0.5) ? { "retry-after": String(this.#dice.below(4)) } : {};
        return { status, headers, body };
    }

    /** The service as it is meant to be. */
    async #handle(
        { method, url, headers, body }: TransportRequest,
        sender: Sender,
        sets: boolean,
    ): Promise<TransportAnswer> {
        const place = placeOf({ headers });
        const { core } = this.#places[place];
        const stored = body === undefined ? {} : { body: this.#stored(body) };
        const reply = await current.run({ sender, method: sets ? "PUT" : method }, () =>
            core.handle({ method, url, headers, ...stored }),
        );
        if (reply.status >= 300) return { ...reply, headers: { ...reply.headers } };
        const collection: Collection = url.includes("/contents") ? "contents" : "livestreams";
        const text = String(reply.body);
        return { ...reply, headers: { ...reply.headers }, body: this.#shape.apply(text, collection, method) };
    }

    /** What the service makes of titles that have more blanks than they need. */
    #stored(body: string): string {
        if (this.#titles === "kept" || body === "") return body;
        const fields = JSON.parse(body);
        if (typeof fields.title === "string") {
            const trimmed = fields.title.trim();
            fields.title = this.#titles === "trimmed" ? trimmed : trimmed.replace(/\s+/g, " ");
        }
        return JSON.stringify(fields);
    }
}

/** The environment of a request's credentials. */
function placeOf({ headers }: Pick<TransportRequest, "headers">): Place {
    const [token = ""] = Buffer.from((headers.authorization ?? "").slice(6), "base64")
        .toString()
        .split(":");
    return tokens[token as Token] ?? "here";
}

function sentMarker({ body }: TransportRequest): string | undefined {
    const { metadata = [] } = JSON.parse(body ?? "{}") as { metadata?: Pair[] };
    return metadata.find(({ key }) => key === "managed_by")?.value;
}

/** Of the object that a change is about. A livestream that ceases to exist was deleted before. */
function idIn(change: object): string | undefined {
    if ("content" in change) return (change.content as { contentId: string }).contentId;
    if ("contentDeleted" in change) return (change.contentDeleted as { id: string }).id;
    return "livestream" in change ? (change.livestream as { streamUUID: string }).streamUUID : undefined;
}

function createdId({ body }: TransportAnswer): string {
    const { data } = JSON.parse(String(body)) as { data: { contentId?: unknown; streamUUID?: unknown } };
    return String(data.contentId ?? data.streamUUID);
}

function aborted(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
}
