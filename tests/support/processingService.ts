/**
 * A service in memory, in virtual time, that does nothing but process contents: any number of them, listed in whatever way
 * the contract leaves open. Tells how late each was noticed to be Ready, and how many requests were needed.
 * `EmulatorCore` will not do: its lists tell the truth, and with ten thousand contents it is what would be measured.
 */
import { VideographApi } from "../../provider/dist/api/index.js";
import type { Transport, TransportAnswer, TransportRequest } from "../../provider/dist/api/transport.js";
import type { FakeClock } from "./fakeClock.ts";

export type Listing = ProcessingService["listing"];

interface Processed {
    id: string;
    createdAt: number;
    readyAt: number;
}

export class ProcessingService implements Transport {
    readonly clock: FakeClock;
    readonly api: VideographApi;
    readonly contents: Processed[] = [];
    readonly requests = { get: 0, list: 0 };
    readonly listing = {
        order: "newestFirst" as "newestFirst" | "oldestFirst",
        largestPage: 100,
        /** How late the list shows anything, in ms. */
        delay: 0,
        /** What it makes of a content's status. */
        status: (actual: string): string | undefined => actual,
        /** Whether it shows this content at all. */
        shows: (_id: string): boolean => true,
        /** Answers this HTTP status instead of a list. */
        refusal: undefined as number | undefined,
        /** Never answers. */
        hangs: false,
    };
    /** How late every answer comes, in ms. */
    latency = 30;
    readonly #lags: number[] = [];
    readonly #byId = new Map<string, Processed>();

    constructor(clock: FakeClock) {
        this.clock = clock;
        const settings = { baseUrl: "https://service.test", accessTokenId: "id", secretKey: "key" };
        this.api = new VideographApi({ ...settings, transport: this, clock, random: () => 0.5 });
    }

    /** Creates a content that becomes Ready after this time, in ms. */
    add(processing: number): string {
        const now = this.clock.now();
        const content = { id: `c${this.contents.length}`, createdAt: now, readyAt: now + processing };
        this.contents.push(content);
        this.#byId.set(content.id, content);
        return content.id;
    }

    /** The wait for this content has ended. */
    noticed(id: string): void {
        this.#lags.push(this.clock.now() - (this.#byId.get(id)?.readyAt ?? 0));
    }

    /** How long after each content had become Ready its wait ended, in ms, sorted. */
    get lags(): number[] {
        return this.#lags.sort((a, b) => a - b);
    }

    async send({ url, signal }: TransportRequest): Promise<TransportAnswer> {
        const { pathname, searchParams } = new URL(url);
        const id = pathname.split("/contents/")[1];
        this.requests[id === undefined ? "list" : "get"]++;
        await this.clock.sleep(this.latency / 2, signal);
        if (id === undefined && this.listing.hangs) await this.clock.sleep(Number.POSITIVE_INFINITY, signal);
        const answer = id === undefined ? this.#list(searchParams) : this.#one(id);
        await this.clock.sleep(this.latency / 2, signal);
        return answer;
    }

    async close(): Promise<void> {}

    #one(id: string): TransportAnswer {
        const content = this.#byId.get(id);
        if (content === undefined) return answer(404, null);
        const status = this.#statusOf(content, this.clock.now());
        return answer(200, { contentId: id, title: id, status, created_at: content.createdAt });
    }

    #list(query: URLSearchParams): TransportAnswer {
        const { order, largestPage, delay, status, shows, refusal } = this.listing;
        if (refusal !== undefined) return answer(refusal, null);
        const asOf = this.clock.now() - delay;
        const count = this.contents.findLastIndex(({ createdAt }) => createdAt <= asOf) + 1;
        const start = Number(query.get("start") ?? 0);
        const items: unknown[] = [];
        for (let place = start; place < Math.min(start + largestPage, count); place++) {
            const content = this.contents[order === "newestFirst" ? count - 1 - place : place] as Processed;
            if (!shows(content.id)) continue;
            const told = status(this.#statusOf(content, asOf));
            items.push({ contentId: content.id, title: content.id, status: told, created_at: content.createdAt });
        }
        return answer(200, items);
    }

    #statusOf({ readyAt }: Processed, now: number): string {
        return readyAt <= now ? "Ready" : "Processing";
    }
}

function answer(status: number, data: unknown): TransportAnswer {
    return { status, headers: {}, body: JSON.stringify({ status: "Success", code: status, message: "", data }) };
}
