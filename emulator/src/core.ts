/**
 * The emulated service without a server: requests go in, answers come out, in one process. Time, randomness and the fetching of
 * sources are parameters, and nothing touches a disk or the network. `startEmulator` puts HTTP around it.
 *
 * ```ts
 * const core = new EmulatorCore({ clock, random, tokens, processingTimeMs: () => random() * 60_000 });
 * const { status, headers, body } = await core.handle({ method: "GET", url: "https://any.test/video/…/contents", headers });
 * // A fault for this one request; several combine as injected ones do. `core.inject` and `core.setVariants` work as well.
 * await core.handle(request, { faults: [{ kind: "lateAcceptance", ms: 60_000 }] });
 * ```
 */
import { apiRoot, execute, isApiPath } from "./api";
import { type Caller, defaultToken, type Token, Tokens } from "./auth";
import { type Clock, type Random, realClock, secureRandom } from "./clock";
import { applyEffect, LostAnswer, latencyMs } from "./faultEffects";
import { type Fault, type FaultPlan, Faults, type InjectedFault } from "./faults";
import { type ApiRequest, errorReply, type Headers, jsonOrText, parseTarget, type Reply, ServiceError } from "./http";
import { OutsideAccess } from "./outsideAccess";
import { type Overview, type OverviewQuery, overviewOf } from "./overview";
import { type LoggedRequest, RequestLog } from "./requestLog";
import type { ContentCreate } from "./requests";
import { initialSigningKeys } from "./signingKeys";
import { type FetchSource, SourceQueue } from "./sourceQueue";
import { type Change, type SourceOutcome, Store } from "./store";
import { type Variants, withVariants } from "./variants";

/** So many characters of a refusal are logged: an emulator may run for weeks, and the log must not fill the memory. */
const maxRefusal = 1000;

export { type Clock, type FetchSource, LostAnswer, type Random, type SourceOutcome };

/** The options of a core. Everything has a default. */
export interface CoreOptions {
    /** Default: real time. */
    clock?: Clock;
    /** Source of ids, stream keys and everything else that is random. Default: unpredictable. */
    random?: Random;
    /** Fetches and checks a source. Without it, every source counts as a video of 10 s of 1280x720. */
    sources?: FetchSource;
    /** Access tokens. Default: {@link defaultToken}. */
    tokens?: Token[];
    /** The least processing time of a content, in ms, or a function of the create's body. Default 1000. */
    processingTimeMs?: number | ((create: ContentCreate) => number);
    /** The time for which a livestream stays "Deleting" after DELETE, in ms. Default 1000. */
    deletingTimeMs?: number | (() => number);
    /** The behavior where the service's documentation leaves something open. */
    variants?: Partial<Variants>;
    /** Faults to start with. */
    faults?: Fault[];
    /** Objects to begin with. Default: none but signing keys. */
    store?: Store;
    /** Base of playback URLs. Default: where the emulator listens; without a server, "http://emulator.invalid". */
    publicUrl?: string;
}

/** A request as it arrives. Header names are in lower case. */
export interface CoreRequest {
    readonly method: string;
    /** A whole URL, or the path with its query. */
    readonly url: string;
    readonly headers: Headers;
    readonly body?: string | undefined;
}

export interface HandleOptions {
    /** Faults of this request alone. They come before the injected ones. */
    readonly faults?: readonly Fault[] | undefined;
}

/** A request under way. */
export interface Exchange {
    /** Rejects with {@link LostAnswer} when the answer is lost on its way. */
    readonly answer: Promise<Reply>;
    /** Ends the exchange. Whoever owns the connection calls it when the answer is sent, or the connection lost. */
    readonly finish: () => void;
}

export class EmulatorCore extends OutsideAccess {
    /** The first token. */
    readonly token: Readonly<Required<Token>>;
    /** The function that is called after each change, by a request or from outside. */
    onChange: (change: Change) => void = () => {};
    protected readonly queue: SourceQueue;
    readonly #clock: Clock;
    /** The time by which the service is ahead of the clock. */
    readonly #ahead: { ms: number };
    readonly #log = new RequestLog();
    readonly #faults = new Faults();
    readonly #tokens = new Tokens();
    readonly #closing = new AbortController();

    constructor(options: CoreOptions = {}) {
        const { clock = realClock(), random = secureRandom, processingTimeMs = 1000, deletingTimeMs = 1000 } = options;
        const { store = new Store() } = options;
        const ahead = { ms: 0 };
        const now = () => clock.now() + ahead.ms;
        const queue = new SourceQueue({ store, fetch: options.sources });
        super({
            store,
            deleted: new Map(),
            variants: withVariants(options.variants ?? {}),
            now,
            random,
            processingTimeMs: typeof processingTimeMs === "number" ? () => processingTimeMs : processingTimeMs,
            deletingTimeMs: typeof deletingTimeMs === "number" ? () => deletingTimeMs : deletingTimeMs,
            publicUrl: options.publicUrl ?? "http://emulator.invalid",
            process: (content) => queue.add(content),
            listRequests: 0,
        });
        this.queue = queue;
        this.#clock = clock;
        this.#ahead = ahead;
        for (const fault of options.faults ?? []) this.#faults.inject(fault);
        this.token = { ...defaultToken, ...options.tokens?.[0] };
        for (const token of options.tokens ?? [defaultToken]) this.#tokens.add(token);
        store.observers.push((change) => this.onChange(change));
        this.seedKeys();
    }

    /** Executes a request. Rejects with {@link LostAnswer} when its answer is lost. */
    async handle({ method, url, headers, body = "" }: CoreRequest, options: HandleOptions = {}): Promise<Reply> {
        try {
            const { path, query } = parseTarget(url);
            if (!isApiPath(path)) throw new ServiceError(404, `There is nothing at ${path}`);
            const { answer, finish } = this.begin({ method, path, query, headers, text: body }, options);
            return await answer.finally(finish);
        } catch (error) {
            if (error instanceof ServiceError) return errorReply(error);
            throw error;
        }
    }

    /** As `handle`, for a server, which says itself when the request has ended. The path has to be one of the API. */
    begin(request: ApiRequest, options: HandleOptions = {}): Exchange {
        const caller = this.#tokens.identify(request.headers);
        const logged = this.#log.add(newLoggedRequest(request, caller, this.now()));
        const plan = this.#faults.plan(logged, request.path.slice(apiRoot.length), options.faults);
        logged.faults = plan.kinds;
        const finish = () => {
            logged.finishedAt = this.now();
            this.#log.changed(logged);
        };
        return { answer: this.#answer(request, caller, logged, plan), finish };
    }

    async #answer(request: ApiRequest, caller: Caller, logged: LoggedRequest, plan: FaultPlan): Promise<Reply> {
        await this.#sleep(latencyMs(plan, "before"));
        const accept = (): Reply => {
            const reply = execute(this.context, request, caller, plan.processing);
            logged.accepted = reply.status < 300;
            this.#log.changed(logged);
            return reply;
        };
        const reply = applyEffect(plan.effect, request, {
            accept,
            sleep: (ms) => this.#sleep(ms),
        });
        await this.#sleep(latencyMs(plan, "after"));
        logged.status = reply.status;
        if (reply.status >= 400) logged.refusal = parseBody(reply.body.slice(0, maxRefusal));
        return { ...reply, headers: { ...this.#date(), ...reply.headers } };
    }

    #date(): Record<string, string> {
        const { dateSkewMs } = this.context.variants;
        return dateSkewMs === null ? {} : { date: new Date(this.now() + dateSkewMs).toUTCString() };
    }

    async #sleep(ms: number): Promise<void> {
        if (ms > 0) await this.#clock.sleep(ms, this.#closing.signal);
    }

    /** The newest 200,000 requests to the API, oldest first. The array grows as requests arrive. */
    get requests(): readonly LoggedRequest[] {
        return this.#log.requests;
    }

    /** The content of the page. */
    overview(query: OverviewQuery): Overview {
        return overviewOf(this.context, this.requests, query);
    }

    clearRequests(): void {
        this.#log.clear();
    }

    /**
     * The first matching request, past or future. The predicate sees a request on arrival, when it is carried out
     * (`accepted`) and when it ends (`finishedAt`). Rejects after `timeoutMs` of real time, 10,000 by default.
     */
    waitForRequest(predicate: (request: LoggedRequest) => boolean, timeoutMs = 10_000): Promise<LoggedRequest> {
        return this.#log.waitFor(predicate, timeoutMs);
    }

    /** Adds an access token, e.g. a second one for an environment whose token is being rotated. */
    addToken(token: Token): void {
        this.#tokens.add(token);
        this.seedKeys();
    }

    /** Revokes a token: from now on it gets 401. Returns whether it existed. */
    revokeToken(id: string): boolean {
        return this.#tokens.revoke(id);
    }

    /** Makes requests fail from now on; see {@link Fault}. Of several faults that match a request, the first one applies. */
    inject(fault: Fault): InjectedFault {
        return this.#faults.inject(fault);
    }

    get faults(): readonly InjectedFault[] {
        return this.#faults.list();
    }

    clearFaults(): void {
        this.#faults.clear();
    }

    get variants(): Readonly<Variants> {
        return { ...this.context.variants };
    }

    /** Changes variants while running. */
    setVariants(variants: Partial<Variants>): void {
        Object.assign(this.context.variants, withVariants(variants, this.context.variants));
    }

    /** The service's time, in epoch ms. */
    now(): number {
        return this.context.now();
    }

    /** Advances the service's time by this much at once. */
    advanceClock(ms: number): void {
        this.#ahead.ms += ms;
    }

    /** The beginning of playback URLs. */
    get publicUrl(): string {
        return this.context.publicUrl;
    }

    /** Removes contents, livestreams, faults and logged requests, and resets the clock; everything else is kept. */
    reset(): void {
        this.#ahead.ms = 0;
        this.context.store.clear();
        this.context.deleted.clear();
        this.#faults.clear();
        this.#log.clear();
    }

    /** Ends all waits. */
    async close(): Promise<void> {
        this.#closing.abort();
        await this.queue.close();
    }

    /** Adds signing keys: each environment that a token opens has some from the start. */
    protected seedKeys(): void {
        const { store } = this.context;
        for (const { environmentId } of this.#tokens.list()) {
            if (store.signingKeys(environmentId).length > 0) continue;
            for (const signingKey of initialSigningKeys(environmentId)) store.apply({ signingKey });
        }
    }
}

/** The log's entry for a request. Without good credentials its body is not kept: anyone could fill the log with it. */
function newLoggedRequest({ method, path, query, headers, text }: ApiRequest, caller: Caller, at: number) {
    const { scheme, tokenId, environmentId } = caller;
    const { authorization: _, ...others } = headers;
    const body = environmentId === undefined ? undefined : parseBody(text);
    const sent = { method, path, query: Object.fromEntries(query), headers: others, body };
    return { ...sent, authorization: scheme, tokenId, environmentId, at };
}

function parseBody(text: string): unknown {
    return text === "" ? undefined : jsonOrText(text);
}
