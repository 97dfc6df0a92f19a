/** Faults on demand: which requests a fault hits, and with which effect. `faultEffects.ts` carries the effect out. */
import { z } from "zod";
import { seededRandom } from "./clock";
import type { LoggedRequest } from "./requestLog";
import { webUrl } from "./requestSchemas";
import { check } from "./validate";

/** The requests that a fault hits. A condition that is left out matches everything. */
export interface FaultMatch {
    /** HTTP method, e.g. "POST". */
    method?: string | undefined;
    /**
     * Path below `/video/services/api/v1`, e.g. "/contents". `*` stands for one segment, so "/contents/*" is any
     * single content.
     */
    path?: string | undefined;
    /** Requests whose JSON body has this `title`. */
    title?: string | undefined;
    /** Requests that use this access token id. */
    tokenId?: string | undefined;
    /** A predicate on the request; in the library only. */
    where?: ((request: LoggedRequest) => boolean) | undefined;
    /** The number of matching requests that pass first. Default 0. */
    after?: number | undefined;
    /** The number of matching requests that are hit. Default: all of them. */
    times?: number | undefined;
    /** The probability with which a matching request is hit, from 0 to 1. Default 1. */
    probability?: number | undefined;
    /** The seed of the probability. Default 1. */
    seed?: number | undefined;
}

/**
 * Whether the request is carried out before the fault strikes: "after" acceptance a create has stored its object and only
 * the answer is lost. With "after", a request that is refused anyway (400, 401, 404) is answered as if there were no fault.
 */
export type When = "before" | "after";

/** The effect on a request that is hit. */
export type FaultEffect =
    /** The answer is late by `ms`. The request is accepted after (default) or before the delay. */
    | { kind: "latency"; ms: number; when?: When | undefined }
    /** The connection is reset: before (default) or after acceptance. */
    | { kind: "reset"; when?: When | undefined }
    /** The connection is reset at once, or `status` is answered, and the request is carried out `ms` later. */
    | { kind: "lateAcceptance"; ms: number; status?: number | undefined }
    /** No answer ever comes; the connection stays open. */
    | { kind: "hang"; when?: When | undefined }
    /** An error answer, by default before acceptance. */
    | {
          kind: "status";
          status: number;
          /** Seconds, or any text: a date, or garbage. */
          retryAfter?: number | string | undefined;
          when?: When | undefined;
          /** Default "envelope". */
          body?: "envelope" | "json" | "html" | "empty" | "malformed" | undefined;
      }
    /** The request is accepted and its status kept, but the body is corrupted. */
    | { kind: "body"; body: "malformed" | "html" | "empty" | "text" | "noData" }
    /** The request is accepted; half of the answer's body is sent, then the connection ends. */
    | { kind: "truncate" }
    /** Any answer at all, by default before acceptance: `json` or `text` as the body. */
    | {
          kind: "answer";
          status: number;
          json?: unknown;
          text?: string | undefined;
          /** Default "application/json" for `json`, "text/plain" for `text`. */
          contentType?: string | undefined;
          when?: When | undefined;
      }
    /** The request is accepted, and the answer shows a different object from the requested one. */
    | { kind: "otherObject" }
    /**
     * The client is redirected to the same path under `to`, or, without it, to the object's own path. By default the request
     * is not carried out. Default status 307.
     */
    | {
          kind: "redirect";
          to?: string | undefined;
          status?: 301 | 302 | 303 | 307 | 308 | undefined;
          when?: When | undefined;
      }
    /** A create of a content, or of a clip, is accepted, but its processing is slow, never ends, or fails for the given reason. */
    | { kind: "processing"; ms?: number | undefined; stuck?: boolean | undefined; fail?: string | undefined };

/** A fault to inject: its effect, and the requests that it hits. */
export type Fault = FaultMatch & FaultEffect;
/** Faults of some kinds. */
export type FaultOf<K extends Fault["kind"]> = Extract<Fault, { kind: K }>;

/** An injected fault. */
export interface InjectedFault {
    readonly id: number;
    readonly fault: Readonly<Fault>;
    /** The number of requests that it has hit so far. */
    readonly hits: number;
    /** Ends the fault; requests under way are not affected. */
    remove(): void;
}

const milliseconds = z.number().min(0);
const when = z.enum(["before", "after"]).optional();
const errorStatus = z.int().min(400).max(599);
const text = z.string().optional();
/** With another character, such as a line end, Node would refuse to send the header. */
const headerText = z.string().regex(/^[ -~\u0080-\u00ff]*$/, "must be text that a header can have");

const any = z.strictObject({
    method: text,
    path: z.string().startsWith("/").optional(),
    title: text,
    tokenId: text,
    where: z.custom<FaultMatch["where"]>((value) => typeof value === "function").optional(),
    after: z.int().min(0).optional(),
    times: z.int().min(1).optional(),
    probability: z.number().min(0).max(1).optional(),
    seed: z.int().optional(),
});
export const faultSchema = z.discriminatedUnion("kind", [
    any.extend({ kind: z.literal("latency"), ms: milliseconds, when }),
    any.extend({ kind: z.literal("reset"), when }),
    any.extend({ kind: z.literal("lateAcceptance"), ms: milliseconds, status: errorStatus.optional() }),
    any.extend({ kind: z.literal("hang"), when }),
    any.extend({
        kind: z.literal("status"),
        status: errorStatus,
        when,
        retryAfter: z.union([z.number(), headerText]).optional(),
        body: z.enum(["envelope", "json", "html", "empty", "malformed"]).optional(),
    }),
    any.extend({ kind: z.literal("body"), body: z.enum(["malformed", "html", "empty", "text", "noData"]) }),
    any.extend({ kind: z.literal("truncate") }),
    any.extend({
        kind: z.literal("redirect"),
        to: webUrl.optional(),
        status: z.literal([301, 302, 303, 307, 308]).optional(),
        when,
    }),
    any.extend({
        kind: z.literal("answer"),
        status: z.int().min(200).max(599),
        json: z.unknown().optional(),
        text,
        contentType: headerText.optional(),
        when,
    }),
    any.extend({ kind: z.literal("otherObject") }),
    any.extend({
        kind: z.literal("processing"),
        ms: milliseconds.optional(),
        stuck: z.boolean().optional(),
        fail: text,
    }),
]) satisfies z.ZodType<Fault>;

export const faultKinds = faultSchema.options.map(({ shape }) => shape.kind.value);

/** All faults that hit one request. Latencies add up; of the other faults, the one injected first acts. */
export interface FaultPlan {
    readonly latencies: FaultOf<"latency">[];
    readonly processing: FaultOf<"processing"> | undefined;
    readonly effect: Exclude<Fault, { kind: "latency" | "processing" }> | undefined;
    readonly kinds: string[];
}

interface Entry extends InjectedFault {
    hits: number;
    /** The number of matching requests so far, hit or not. */
    seen: number;
    readonly path: RegExp | undefined;
    readonly random: () => number;
}

export class Faults {
    #entries: Entry[] = [];
    #nextId = 1;

    /** Adds a fault. Throws when the fault is malformed, which is possible when it comes as JSON. */
    inject(wanted: unknown): InjectedFault {
        const entry = newEntry(wanted, this.#nextId, () => {
            this.#entries = this.#entries.filter((other) => other !== entry);
        });
        this.#nextId++;
        this.#entries.push(entry);
        return entry;
    }

    list(): readonly InjectedFault[] {
        return this.#entries;
    }

    clear(): void {
        this.#entries = [];
    }

    /** Decides which faults hit a request. `path`: the one below the API's root. `own`: faults of this request alone. */
    plan(request: LoggedRequest, path: string, own: readonly Fault[] = []): FaultPlan {
        const latencies: FaultPlan["latencies"] = [];
        const kinds: string[] = [];
        let processing: FaultPlan["processing"];
        let effect: FaultPlan["effect"];
        for (const entry of [...own.map((fault) => newEntry(fault, 0, () => {})), ...this.#entries]) {
            const { fault } = entry;
            // A fault behind another one does not count this request: "the next 2" means two requests that the fault really hits.
            if (fault.kind !== "latency" && (fault.kind === "processing" ? processing : effect)) continue;
            if (!matches(entry, request, path) || !hit(entry)) continue;
            kinds.push(fault.kind);
            if (fault.kind === "latency") latencies.push(fault);
            else if (fault.kind === "processing") processing = fault;
            else effect = fault;
        }
        return { latencies, processing, effect, kinds };
    }
}

function newEntry(wanted: unknown, id: number, remove: () => void): Entry {
    const fault: Fault = check(faultSchema, wanted, "fault");
    const path = fault.path === undefined ? undefined : pathPattern(fault.path);
    return { id, fault, hits: 0, seen: 0, path, random: seededRandom(fault.seed ?? 1), remove };
}

function matches({ fault, path: pattern }: Entry, request: LoggedRequest, path: string): boolean {
    return (
        (fault.method === undefined || fault.method.toUpperCase() === request.method) &&
        (pattern === undefined || pattern.test(path)) &&
        (fault.tokenId === undefined || fault.tokenId === request.tokenId) &&
        (fault.title === undefined || fault.title === titleOf(request.body)) &&
        // A processing fault applies only to creates of contents, and to clips of them.
        (fault.kind !== "processing" || (request.method === "POST" && /^\/contents(\/[^/]+\/clips)?$/.test(path))) &&
        (fault.where === undefined || fault.where(request))
    );
}

/** Counts the request, and says whether it is hit. */
function hit(entry: Entry): boolean {
    const { after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = entry.fault;
    entry.seen += 1;
    if (entry.seen <= after || entry.hits >= times) return false;
    if (probability < 1 && entry.random() >= probability) return false;
    entry.hits += 1;
    return true;
}

function titleOf(body: unknown): unknown {
    return typeof body === "object" && body !== null && "title" in body ? body.title : undefined;
}

function pathPattern(path: string): RegExp {
    const segments = path.split("*").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${segments.join("[^/]+")}$`);
}
