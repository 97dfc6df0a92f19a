/**
 * `/_emulator/…`: the library's methods over HTTP, for tests that are not written in JavaScript or run elsewhere.
 * There is no authentication, so it answers only to its own machine, unless `remoteControl` is set.
 */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { decodeSegment } from "./api";
import type { EmulatorCore } from "./core";
import type { Fault, InjectedFault } from "./faults";
import { isLoopback } from "./hosts";
import { type ApiRequest, jsonReply, type Reply, ServiceError } from "./http";
import { openApiDocument } from "./openApi";
import { contentFields, livestreamFields } from "./plainFields";
import { changeShape } from "./plainSchemas";
import { metadata, policy, title } from "./requestSchemas";
import { addContent, addLivestream } from "./seed";
import { check, checkBody } from "./validate";
import { version } from "./version";

export const controlRoot = "/_emulator";

const environmentId = z.coerce.number().int();
export const tokenSchema = z.strictObject({
    id: z.string(),
    secret: z.string(),
    environmentId: z.int().default(1),
    access: z.enum(["full", "read", "none"]).default("full"),
});
export const advanceSchema = z.strictObject({ advanceMs: z.number().min(0) });

const limit = z.coerce.number().int().min(1).max(100_000).default(100_000);
/** Which part of the request log is wanted: the requests after a number, and how many. */
const sliceSchema = z.strictObject({ after: z.coerce.number().int().min(0).default(0), limit });
const overviewSchema = z.strictObject({
    view: z.enum(["videos", "requests"]).default("videos"),
    filter: z.string().default(""),
    limit,
});

const commonChanges = {
    title: title.exactOptional(),
    description: z.string().exactOptional(),
    metadata: metadata.exactOptional(),
    tags: z.array(z.string()).exactOptional(),
    playbackPolicy: policy.exactOptional(),
    status: z.string().exactOptional(),
};
export const contentChangeSchema = z.strictObject({
    ...commonChanges,
    ...changeShape(contentFields),
    reason: z.string().exactOptional(),
});
export const livestreamChangeSchema = z.strictObject({
    ...commonChanges,
    ...changeShape(livestreamFields),
    region: z.string().exactOptional(),
    record: z.boolean().exactOptional(),
    recordingsPlaybackPolicy: policy.exactOptional(),
    streamKey: z.string().exactOptional(),
});

type Action = (emulator: EmulatorCore, request: ApiRequest, id: string) => unknown;

const actions: Record<string, Action> = {
    "GET /contents": (emulator, request) => emulator.contents(environmentOf(request)),
    "POST /contents": (emulator, request) => addContent(emulator, parseBodyAs(z.unknown(), request)),
    "GET /contents/:id": (emulator, _request, id) => emulator.content(id) ?? throwNotFound(id),
    "PATCH /contents/:id": (emulator, request, id) => {
        const { status, reason, ...change } = parseBodyAs(contentChangeSchema, request);
        const changed = emulator.updateContent(id, change);
        return status === undefined ? changed : emulator.setContentStatus(id, status, reason);
    },
    "DELETE /contents/:id": (emulator, _request, id) => emulator.deleteContent(id),
    "GET /livestreams": (emulator, request) => emulator.livestreams(environmentOf(request)),
    "POST /livestreams": (emulator, request) => addLivestream(emulator, parseBodyAs(z.unknown(), request)),
    "GET /livestreams/:id": (emulator, _request, id) => emulator.livestream(id) ?? throwNotFound(id),
    "PATCH /livestreams/:id": (emulator, request, id) =>
        emulator.updateLivestream(id, parseBodyAs(livestreamChangeSchema, request)),
    "DELETE /livestreams/:id": (emulator, _request, id) => emulator.deleteLivestream(id),
    "GET /overview": (emulator, request) =>
        emulator.overview(check(overviewSchema, Object.fromEntries(request.query), "query")),
    "GET /signing-keys": (emulator, request) => emulator.signingKeys(environmentOf(request)),
    "GET /requests": (emulator, request) => {
        const { after, limit } = check(sliceSchema, Object.fromEntries(request.query), "query");
        return emulator.requests.filter(({ number }) => number > after).slice(0, limit);
    },
    "DELETE /requests": (emulator) => emulator.clearRequests(),
    "GET /faults": (emulator) => emulator.faults.map(showFault),
    "POST /faults": (emulator, request) => showFault(emulator.inject(parseBodyAs(z.unknown(), request) as Fault)), // inject checks what it is given
    "DELETE /faults": (emulator) => emulator.clearFaults(),
    "DELETE /faults/:id": (emulator, _request, id) =>
        (emulator.faults.find((fault) => fault.id === Number(id)) ?? throwNotFound(id)).remove(),
    "GET /variants": (emulator) => emulator.variants,
    "PATCH /variants": (emulator, request) => {
        emulator.setVariants(parseBodyAs(z.looseObject({}), request));
        return emulator.variants;
    },
    "POST /tokens": (emulator, request) => emulator.addToken(parseBodyAs(tokenSchema, request)),
    "DELETE /tokens/:id": (emulator, _request, id) => emulator.revokeToken(id) || throwNotFound(id),
    "GET /openapi.json": (emulator) => openApiDocument(emulator.publicUrl),
    "GET /health": () => ({ status: "ok", version }),
    "GET /clock": (emulator) => ({ now: emulator.now() }),
    "POST /clock": (emulator, request) => {
        emulator.advanceClock(parseBodyAs(advanceSchema, request).advanceMs);
        return { now: emulator.now() };
    },
    "POST /reset": (emulator) => emulator.reset(),
};

/** Answers with the result of the library's method as JSON; with `{}` if it returns nothing. */
export async function control(emulator: EmulatorCore, request: ApiRequest): Promise<Reply> {
    const [, collection = "", id, ...more] = request.path.slice(controlRoot.length).split("/");
    const pattern = id === undefined ? `/${collection}` : `/${collection}/:id`;
    const action = more.length === 0 ? actions[`${request.method} ${pattern}`] : undefined;
    if (action === undefined) {
        const known = Object.keys(actions).join(", ");
        throw new ServiceError(404, `${request.method} ${request.path} does not exist. These exist: ${known}`);
    }
    return jsonReply(200, (await action(emulator, request, decodeSegment(id ?? ""))) ?? {});
}

/** Refuses other machines unless they are allowed. */
export function requireAccess({ socket, headers }: IncomingMessage, remoteControl: boolean): void {
    const { host = "" } = headers;
    // A site can point its own host name at this address (DNS rebinding). Then its pages count as the emulator's own, unless the name is checked.
    const isHere = isLoopback(socket.remoteAddress ?? "") && isLoopback(URL.parse(`http://${host}`)?.hostname ?? "");
    if (!remoteControl && !isHere) {
        throw new ServiceError(
            403,
            "The control endpoint answers only requests from this machine; see --remote-control",
        );
    }
}

function showFault({ id, fault, hits }: InjectedFault) {
    return { id, fault, hits };
}

function parseBodyAs<T>(schema: z.ZodType<T>, request: ApiRequest): T {
    return checkBody(schema, request, 400);
}

function environmentOf(request: ApiRequest): number | undefined {
    const schema = z.strictObject({ environmentId: environmentId.optional() });
    return check(schema, Object.fromEntries(request.query), "query").environmentId;
}

function throwNotFound(id: string): never {
    throw new ServiceError(404, `The emulator has no object ${id}`);
}
