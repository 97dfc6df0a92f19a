/** Carries faults out, all but the broken connection: whoever owns the connection breaks it. */
import type { FaultOf, FaultPlan, When } from "./faults";
import { type ApiRequest, errorReply, jsonReply, type Reply, ServiceError } from "./http";

/** An answer that never arrives as a whole. */
export class LostAnswer extends Error {
    override readonly name = "LostAnswer";
    constructor(
        /** The way of the loss: the connection is reset, stays open in silence, or ends in the middle of the body. */
        readonly how: "reset" | "hang" | "truncate",
        /** The whole answer, of which "truncate" sends half the body. */
        readonly reply: Reply | undefined = undefined,
    ) {
        super(`The answer is lost (${how})`);
    }
}

interface EffectTools {
    readonly sleep: (ms: number) => Promise<void>;
    /** Carries the request out. */
    readonly accept: () => Reply;
}

/** Carries a request out under a fault. Returns the answer to send; throws {@link LostAnswer} when there is none. */
export function applyEffect(effect: FaultPlan["effect"], request: ApiRequest, tools: EffectTools): Reply {
    const { accept } = tools;
    if (effect === undefined) return accept();
    const accepted = "when" in effect && effect.when === "after" ? accept() : undefined;
    // The fault is for accepted requests. A refused one gets its refusal.
    if (accepted !== undefined && accepted.status >= 300) return accepted;
    switch (effect.kind) {
        case "reset":
            throw new LostAnswer("reset");
        case "lateAcceptance":
            tools.sleep(effect.ms).then(accept, () => {}); // a closed core accepts nothing
            if (effect.status !== undefined) return statusReply({ kind: "status", status: effect.status });
            throw new LostAnswer("reset");
        case "hang":
            throw new LostAnswer("hang");
        case "status":
            return statusReply(effect);
        case "redirect":
            return redirect(effect, request, accepted);
        case "answer":
            return answerReply(effect);
        case "otherObject":
            return withOtherId(accept());
        case "body":
            return corruptBody(accept(), effect.body);
        case "truncate":
            throw new LostAnswer("truncate", accept());
    }
}

export function latencyMs(plan: FaultPlan, when: When): number {
    const parts = plan.latencies.filter((latency) => (latency.when ?? "before") === when);
    return parts.reduce((sum, { ms }) => sum + ms, 0);
}

function redirect({ to, status = 307 }: FaultOf<"redirect">, request: ApiRequest, accepted: Reply | undefined): Reply {
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

function answerReply({ status, json, text, contentType }: FaultOf<"answer">): Reply {
    if (text === undefined && json === undefined) return { status, headers: {}, body: "" };
    const type = contentType ?? (text === undefined ? "application/json; charset=utf-8" : "text/plain; charset=utf-8");
    return { status, headers: { "content-type": type }, body: text ?? JSON.stringify(json) };
}

function statusReply(effect: FaultOf<"status">): Reply {
    const { status, retryAfter, body = "envelope" } = effect;
    const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    if (body === "malformed")
        return corruptBody(jsonReply(status, { status: "Error", code: status }, headers), "malformed");
    return errorReply(new ServiceError(status, `Emulated failure ${status}`, headers), body);
}

/** The same answer with the id of another object. */
function withOtherId(reply: Reply): Reply {
    const { data, ...rest } = reply.status >= 300 || reply.body === "" ? {} : JSON.parse(reply.body);
    if (typeof data !== "object" || Array.isArray(data)) return reply;
    const id = "streamUUID" in data ? { streamUUID: "other" } : { contentId: "other" };
    return { ...reply, body: JSON.stringify({ ...rest, data: { ...data, ...id } }) };
}

/** Whole bodies, for faults that send nothing else. */
const bareBodies = { empty: "", text: '"OK"' };

function corruptBody(reply: Reply, how: FaultOf<"body">["body"]): Reply {
    if (how === "malformed") return { ...reply, body: `${reply.body.slice(0, -2)},,` };
    if (how === "html") {
        const body = "<html><body>The service is being maintained.</body></html>";
        return { status: reply.status, headers: { "content-type": "text/html" }, body };
    }
    if (how !== "noData") return { ...reply, body: bareBodies[how] };
    if (reply.body === "" || reply.headers["content-type"] === "text/html") return reply;
    const { data: _, ...rest } = JSON.parse(reply.body) as Record<string, unknown>;
    return { ...reply, body: JSON.stringify(rest) };
}
