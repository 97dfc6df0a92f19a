/** How a fault is carried out, short of breaking the connection: that is left to its owner. */
import type { FaultEffect, FaultPlan, When } from "./faults";
import { type ApiRequest, errorReply, jsonReply, type Reply, ServiceError } from "./http";

/** An answer that never arrives as a whole. */
export class LostAnswer extends Error {
    override readonly name = "LostAnswer";
    constructor(
        /** The connection is reset, it stays open in silence, or it ends in the middle of the body. */
        readonly how: "reset" | "hang" | "truncate",
        /** The whole answer, of which "truncate" sends half the body. */
        readonly reply: Reply | undefined = undefined,
    ) {
        super(`The answer is lost (${how})`);
    }
}

export interface StrikeTools {
    readonly now: () => number;
    readonly sleep: (ms: number) => Promise<void>;
    /** Carries the request out. */
    readonly accept: () => Reply;
    /** The same answer with another object in it. */
    readonly withOtherObject: (reply: Reply) => Reply;
}

/** Carries a request out under a fault. Gives the answer to send; throws {@link LostAnswer} when there is none. */
export function strike(effect: FaultPlan["effect"], request: ApiRequest, tools: StrikeTools): Reply {
    const { accept, now } = tools;
    if (effect === undefined) return accept();
    const accepted = "when" in effect && effect.when === "after" ? accept() : undefined;
    // A request that is refused anyway is still refused: the fault applies to accepted requests.
    if (accepted !== undefined && accepted.status >= 300) return accepted;
    switch (effect.kind) {
        case "reset":
            throw new LostAnswer("reset");
        case "lateAcceptance":
            tools.sleep(effect.ms).then(accept, () => {}); // a closed core accepts nothing
            if (effect.status !== undefined)
                return statusReply({ ...effect, kind: "status", status: effect.status }, now());
            throw new LostAnswer("reset");
        case "hang":
            throw new LostAnswer("hang");
        case "status":
            return statusReply(effect, now());
        case "redirect":
            return redirect(effect, request, accepted);
        case "answer":
            return answer(effect);
        case "otherObject":
            return tools.withOtherObject(accept());
        case "body":
            return spoil(accept(), effect.body);
        case "truncate":
            throw new LostAnswer("truncate", accept());
    }
}

export function latencyMs(plan: FaultPlan, when: When): number {
    return plan.latencies.reduce((sum, part) => (part.when === when ? sum + part.ms : sum), 0);
}

type Effect<K extends FaultEffect["kind"]> = Extract<FaultEffect, { kind: K }>;

function redirect({ to, status = 307 }: Effect<"redirect">, request: ApiRequest, accepted: Reply | undefined): Reply {
    const query = request.query.size > 0 ? `?${request.query}` : "";
    const created = to === undefined && request.method === "POST" ? idIn(accepted) : undefined;
    const path = created === undefined ? `${request.path}${query}` : `${request.path}/${encodeURIComponent(created)}`;
    return { status, headers: { location: to === undefined ? path : new URL(path, to).href }, body: "" };
}

function idIn(reply: Reply | undefined): string | undefined {
    const { data } = reply === undefined ? {} : JSON.parse(reply.body);
    const id = data?.contentId ?? data?.streamUUID;
    return id === undefined ? undefined : String(id);
}

function answer({ status, json, text, contentType }: Effect<"answer">): Reply {
    if (text === undefined && json === undefined) return { status, headers: {}, body: "" };
    const type = contentType ?? (text === undefined ? "application/json; charset=utf-8" : "text/plain; charset=utf-8");
    return { status, headers: { "content-type": type }, body: text ?? JSON.stringify(json) };
}

function statusReply(effect: Effect<"status">, now: number): Reply {
    const { status, retryAfter, retryAfterDateIn, body = "envelope" } = effect;
    const headers: Record<string, string> = {};
    if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
    else if (retryAfterDateIn !== undefined) {
        headers["retry-after"] = new Date(now + retryAfterDateIn * 1000).toUTCString();
    }
    if (body === "malformed") return spoil(jsonReply(status, { status: "Error", code: status }, headers), "malformed");
    return errorReply(new ServiceError(status, `Emulated failure ${status}`, headers), body);
}

/** Bodies that consist only of this. */
const bare = { empty: "", null: "null", array: "[]", text: '"OK"' };

function spoil(reply: Reply, how: Effect<"body">["body"]): Reply {
    if (how === "malformed") return { ...reply, body: `${reply.body.slice(0, -2)},,` };
    if (how === "html") {
        const body = "<html><body>The service is being maintained.</body></html>";
        return { status: reply.status, headers: { "content-type": "text/html" }, body };
    }
    if (how !== "noData") return { ...reply, body: bare[how] };
    if (reply.body === "" || reply.headers["content-type"] === "text/html") return reply;
    const { data: _, ...rest } = JSON.parse(reply.body) as Record<string, unknown>;
    return { ...reply, body: JSON.stringify(rest) };
}
