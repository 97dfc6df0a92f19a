/** What goes wrong between a client and the service, within what the contract leaves open. */
import type { Dice } from "./dice.ts";

/** What happens to one request. */
export type Fault =
    | { kind: "refused" }
    /** The connection is reset, before or after the request was carried out, or the request is carried out later. */
    | { kind: "reset"; accepted: boolean }
    | { kind: "lateAcceptance"; ms: number }
    /** No answer ever comes. */
    | { kind: "hang"; accepted: boolean }
    /** Some answer of this status, whatever was done. */
    | { kind: "status"; status: number; accepted: boolean; body: ErrorBody }
    | { kind: "redirect"; status: number; accepted: boolean }
    | { kind: "malformed"; body: number };

export type ErrorBody = "envelope" | "json" | "html" | "empty";

const bodies: ErrorBody[] = ["envelope", "json", "html", "empty"];
/** Gateways do not speak the service's envelope. */
const foreignBodies: ErrorBody[] = ["json", "html", "empty"];
/** Of a 404: one in JSON is believed, whoever says it, as long as the list answers. */
const foreignNotFound: ErrorBody[] = ["html", "empty"];

/** How late a request may be carried out that its sender has given up, in ms. */
export const latestAcceptance = 60_000;

export interface FaultRequest {
    method: string;
    /** Whether it sets a part of an object, and the same part again in its place. */
    sets: boolean;
    /** Whether it asks for a page of a list, and not the first one. */
    laterPage: boolean;
}

/** A fault for a request, all of them alike. */
export function pickFault(dice: Dice, request: FaultRequest): Fault {
    const accepted = dice.chance(0.5);
    switch (dice.below(12)) {
        case 0:
            return { kind: "refused" };
        case 1:
        case 2:
            return { kind: "reset", accepted };
        case 3:
            // What arrives after a later one is beyond any client: the service knows no versions.
            if (request.sets) return { kind: "reset", accepted };
            return {
                kind: "lateAcceptance",
                ms: dice.random() * (dice.hazard("lateAcceptance", 0.5) ? latestAcceptance : 5_000),
            };
        case 4:
            return { kind: "hang", accepted };
        case 5:
        case 6:
            return { kind: "status", status: dice.pick([500, 502, 503, 504]), accepted, body: dice.pick(bodies) };
        case 7:
            return { kind: "status", status: 408, accepted, body: dice.pick(bodies) };
        case 8:
            return { kind: "status", status: 429, accepted: false, body: dice.pick(bodies) };
        case 9:
            return { kind: "malformed", body: dice.below(5) };
        case 10:
            return dice.hazard("redirects", request.method === "POST" ? 1 : 0.2)
                ? { kind: "redirect", status: dice.pick([301, 302, 303, 307, 308]), accepted }
                : { kind: "reset", accepted };
        default:
            return dice.hazard(request.laterPage ? "cutLists" : "refusals", 1)
                ? refusal(dice, request)
                : { kind: "reset", accepted };
    }
}

/** A 4xx: from the service, which then did nothing, or from something in front of it, where nobody knows. */
function refusal(dice: Dice, { method, laterPage }: FaultRequest): Fault {
    if (laterPage) {
        return { kind: "status", status: dice.pick([400, 404, 413, 416]), accepted: false, body: dice.pick(bodies) };
    }
    const byGateway = dice.chance(0.5);
    // "There is no such object" in JSON is believed by everybody: nobody lies about one object.
    const own = method === "POST" ? [400, 403, 404, 409, 413, 422] : [400, 403, 409, 422];
    const status = byGateway ? dice.pick([400, 403, 404, 410, 413]) : dice.pick(own);
    return {
        kind: "status",
        status,
        accepted:
            byGateway && dice.chance(0.5) && (method !== "POST" || status === 404 || dice.hazard("deniedCreates", 1)),
        body: byGateway ? dice.pick([404, 410].includes(status) ? foreignNotFound : foreignBodies) : "envelope",
    };
}

/** A gateway that answers 404 for a while: a rollout of an ingress. */
export interface Outage {
    until: number;
    scope: "everything" | "objects" | "contents" | "livestreams";
    body: ErrorBody;
}

export function pickOutage(dice: Dice, now: number): Outage {
    const scope = dice.pick(["everything", "everything", "objects", "contents", "livestreams"] as const);
    // In JSON only where the lists answer 404 as well.
    const body = scope === "everything" ? dice.pick(bodies) : dice.pick(foreignNotFound);
    return { until: now + dice.pick([2_000, 60_000, 3_600_000]), scope, body };
}

export function isOut(outage: Outage | undefined, now: number, collection: string, id: string | undefined): boolean {
    if (outage === undefined || now >= outage.until) return false;
    const { scope } = outage;
    return scope === "everything" || (scope === "objects" ? id !== undefined : scope === collection);
}

export function errorBody(status: number, body: ErrorBody): string {
    switch (body) {
        case "envelope":
            return JSON.stringify({ status: "Error", code: status, message: "It cannot be done now." });
        case "json":
            return JSON.stringify({ message: "no Route matched with those values" });
        case "html":
            return `<html><head><title>${status}</title></head><body><center>nginx</center></body></html>`;
        case "empty":
            return "";
    }
}

/** A successful answer that arrives damaged. */
export function malformedBody(which: number, body: string): string {
    return ["", "<html>Bad gateway</html>", "{}", '{"status":"Success","data":{}}', body.slice(0, -9)][which] as string;
}
