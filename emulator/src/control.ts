/**
 * `/_emulator/…`: the library's methods over HTTP, for tests that are not written in JavaScript or run elsewhere.
 * There is no authentication, so it answers only to the machine it runs on, unless `remoteControl` is set.
 */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { decodeSegment } from "./api";
import type { Emulator } from "./emulator";
import type { Fault, InjectedFault } from "./faults";
import { isLoopback } from "./hosts";
import { type ApiRequest, jsonReply, type Reply, ServiceError } from "./http";
import { openApiDocument } from "./openApi";
import { contentFields, livestreamFields } from "./plainFields";
import { changeShape } from "./plainSchemas";
import { metadata, parseContentCreate, parseLivestreamCreate, policy, title } from "./requestSchemas";
import { check, checkBody } from "./validate";

export const controlRoot = "/_emulator";

const environmentId = z.coerce.number().int();
const tokenSchema = z.strictObject({
    id: z.string(),
    secret: z.string(),
    environmentId: environmentId.default(1),
    access: z.enum(["full", "read", "none"]).default("full"),
});
const addSchema = z.looseObject({ title, environmentId: environmentId.optional() });

/** Of the request log: those after a number, at most so many. Of the overview: so many of each kind. */
const sliceSchema = z.strictObject({
    after: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(100_000).default(100_000),
});

const common = {
    title: title.exactOptional(),
    description: z.string().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
    metadata: metadata.exactOptional(),
    playbackPolicy: policy.exactOptional(),
    status: z.string().exactOptional(),
};
const contentChangeSchema = z.strictObject({
    ...common,
    ...changeShape(contentFields),
    reason: z.string().exactOptional(),
});
const livestreamChangeSchema = z.strictObject({
    ...common,
    ...changeShape(livestreamFields),
    region: z.string().exactOptional(),
    record: z.boolean().exactOptional(),
    recordingsPlaybackPolicy: policy.exactOptional(),
    streamKey: z.string().exactOptional(),
});

type Action = (emulator: Emulator, request: ApiRequest, id: string) => unknown;

const actions: Record<string, Action> = {
    "GET /contents": (emulator, request) => emulator.contents(environmentOf(request)),
    "POST /contents": (emulator, request) => {
        const { environmentId, ...create } = body(addSchema, request);
        parseContentCreate({
            content: [{ url: "https://media.example.com/" }],
            playback_policy: ["public"],
            ...create,
        });
        return emulator.addContent(create, environmentId);
    },
    "GET /contents/:id": (emulator, _request, id) => emulator.content(id) ?? missing(id),
    "PATCH /contents/:id": (emulator, request, id) => {
        if (emulator.content(id) === undefined) missing(id);
        const { status, reason, ...change } = body(contentChangeSchema, request);
        const changed = emulator.updateContent(id, change);
        return status === undefined ? changed : emulator.setContentStatus(id, status, reason);
    },
    "DELETE /contents/:id": (emulator, _request, id) => {
        if (emulator.content(id) === undefined) missing(id);
        emulator.deleteContent(id);
    },
    "GET /livestreams": (emulator, request) => emulator.livestreams(environmentOf(request)),
    "POST /livestreams": (emulator, request) => {
        const { environmentId, ...create } = body(addSchema, request);
        parseLivestreamCreate({ region: "us-east-1", record: false, ...create });
        return emulator.addLivestream(create, environmentId);
    },
    "GET /livestreams/:id": (emulator, _request, id) => emulator.livestream(id) ?? missing(id),
    "PATCH /livestreams/:id": (emulator, request, id) => {
        if (emulator.livestream(id) === undefined) missing(id);
        const change = body(livestreamChangeSchema, request);
        return emulator.updateLivestream(id, change);
    },
    "DELETE /livestreams/:id": (emulator, _request, id) => {
        if (emulator.livestream(id) === undefined) missing(id);
        emulator.deleteLivestream(id);
    },
    "GET /overview": (emulator, request) =>
        emulator.overview(check(sliceSchema, Object.fromEntries(request.query), "query").limit),
    "GET /signing-keys": (emulator, request) => emulator.signingKeys(environmentOf(request)),
    "GET /requests": (emulator, request) => {
        const { after, limit } = check(sliceSchema, Object.fromEntries(request.query), "query");
        return emulator.requests.filter(({ number }) => number > after).slice(0, limit);
    },
    "DELETE /requests": (emulator) => emulator.clearRequests(),
    "GET /faults": (emulator) => emulator.faults.map(showFault),
    "POST /faults": (emulator, request) => showFault(emulator.inject(body(z.unknown(), request) as Fault)), // inject checks what it is given
    "DELETE /faults": (emulator) => emulator.clearFaults(),
    "DELETE /faults/:id": (emulator, _request, id) =>
        (emulator.faults.find((fault) => fault.id === Number(id)) ?? missing(id)).remove(),
    "GET /variants": (emulator) => emulator.variants,
    "PATCH /variants": (emulator, request) => {
        emulator.setVariants(body(z.looseObject({}), request));
        return emulator.variants;
    },
    "POST /tokens": (emulator, request) => {
        emulator.addToken(body(tokenSchema, request));
    },
    "DELETE /tokens/:id": (emulator, _request, id) => {
        if (!emulator.revokeToken(id)) missing(id);
    },
    "GET /openapi.json": (emulator) => openApiDocument(emulator.publicUrl, emulator.variants),
    "POST /reset": (emulator) => emulator.reset(),
};

/** Answers with what the library's method returns, as JSON; with `{}` where it returns nothing. */
export async function control(emulator: Emulator, request: ApiRequest): Promise<Reply> {
    const [, collection = "", id, ...more] = request.path.slice(controlRoot.length).split("/");
    const pattern = id === undefined ? `/${collection}` : `/${collection}/:id`;
    const action = more.length === 0 ? actions[`${request.method} ${pattern}`] : undefined;
    if (action === undefined) {
        const known = Object.keys(actions).join(", ");
        throw new ServiceError(404, `There is no ${request.method} ${request.path}; there are ${known}`);
    }
    return jsonReply(200, (await action(emulator, request, decodeSegment(id ?? ""))) ?? {});
}

/** Refuses other machines unless they are allowed, and pages of other origins always. */
export function requireAccess({ socket, headers }: IncomingMessage, remoteControl: boolean): void {
    const { host = "", origin } = headers;
    // A site can also give its own name our address; by that name it comes as if from the page itself.
    const isHere = isLoopback(socket.remoteAddress ?? "") && isLoopback(URL.parse(`http://${host}`)?.hostname ?? "");
    if (!remoteControl && !isHere) {
        throw new ServiceError(403, "The control endpoint answers to this machine only; see --remote-control");
    }
    if (origin !== undefined && URL.parse(origin)?.host !== host) {
        throw new ServiceError(403, "The control endpoint does not answer to pages of other sites");
    }
}

function showFault({ id, fault, hits }: InjectedFault) {
    return { id, fault, hits };
}

function body<T>(schema: z.ZodType<T>, request: ApiRequest): T {
    return checkBody(schema, request, 400);
}

function environmentOf(request: ApiRequest): number | undefined {
    const schema = z.strictObject({ environmentId: environmentId.optional() });
    return check(schema, Object.fromEntries(request.query), "query").environmentId;
}

function missing(id: string): never {
    throw new ServiceError(404, `The emulator has nothing called ${id} here`);
}
