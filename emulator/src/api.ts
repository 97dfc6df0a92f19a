/**
 * The service's API: from a parsed request to its answer. Faults come later, and may change the answer. A handler, as in `contents.ts`, returns a
 * success with its status, or throws a `ServiceError` with that of the refusal.
 */
import { type Caller, requireEnvironment } from "./auth";
import { addSubtitle, clipContent, clipLivestream, deleteSubtitle, listSubtitles, setThumbnail } from "./contentParts";
import { createContent, deleteContent, getContent, listContents, updateContent } from "./contents";
import type { Context, RouteHandler } from "./context";
import type { FaultPlan } from "./faults";
import { type ApiRequest, type ErrorForm, errorReply, type Reply, ServiceError } from "./http";
import { createLivestream, deleteLivestream, getLivestream, listLivestreams, updateLivestream } from "./livestreams";
import { present } from "./present";
import { listSigningKeys } from "./signingKeys";

export const apiRoot = "/video/services/api/v1";

/** The routes; `*` stands for one segment of the path. */
export const routes: Record<string, Record<string, RouteHandler>> = {
    "/contents": { GET: listContents, POST: createContent },
    "/contents/*": { GET: getContent, PUT: updateContent, DELETE: deleteContent },
    "/contents/*/subtitles": { GET: listSubtitles, POST: addSubtitle },
    "/contents/*/subtitles/*": { DELETE: deleteSubtitle },
    "/contents/*/thumbnails": { POST: setThumbnail },
    "/contents/*/clips": { POST: clipContent },
    "/livestreams": { GET: listLivestreams, POST: createLivestream },
    "/livestreams/*": { GET: getLivestream, PUT: updateLivestream, DELETE: deleteLivestream },
    "/livestreams/*/clips": { POST: clipLivestream },
    "/signing-keys": { GET: listSigningKeys },
};

export function isApiPath(path: string): boolean {
    return path.startsWith(`${apiRoot}/`);
}

/** Executes a request. Nothing here is asynchronous: so a request is accepted as a whole or not at all. */
export function execute(
    context: Context,
    request: ApiRequest,
    caller: Caller,
    processing: FaultPlan["processing"],
): Reply {
    try {
        const environmentId = requireEnvironment(caller, context.variants);
        const { methods, ids } = findRoute(request.path);
        const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
        if (handler === undefined) {
            throw new ServiceError(405, `${request.method} is not allowed at ${request.path}`, {
                allow: Object.keys(methods).join(", "),
            });
        }
        requireRight(caller, request.method);
        return present(context, request.method, handler(context, { ...request, environmentId, ids, processing }));
    } catch (error) {
        if (error instanceof ServiceError) return errorReply(error, errorForm(context, error.status));
        throw error;
    }
}

function findRoute(path: string): { methods: Record<string, RouteHandler>; ids: string[] } {
    const segments = path.slice(apiRoot.length + 1).split("/");
    for (const [pattern, methods] of Object.entries(routes)) {
        const parts = pattern.slice(1).split("/");
        const fits = parts.every((part, index) => (part === "*" ? segments[index] : part === segments[index]));
        if (fits && parts.length === segments.length)
            return { methods, ids: segments.filter((_, index) => parts[index] === "*").map(decodeSegment) };
    }
    throw new ServiceError(404, `There is nothing at ${path}`);
}

/** Refuses a method that the token does not allow: some tokens may read only, some nothing at all. */
function requireRight({ access, tokenId }: Caller, method: string): void {
    if (access === "none") throw new ServiceError(403, `Forbidden: the token ${tokenId} is not allowed to use the API`);
    if (access === "read" && method !== "GET")
        throw new ServiceError(403, `Forbidden: the token ${tokenId} may only read`);
}

function errorForm({ variants }: Context, status: number): ErrorForm {
    return status === 404 && variants.notFoundBody !== "errorBody" ? variants.notFoundBody : variants.errorBody;
}

export function decodeSegment(segment: string): string {
    try {
        return decodeURIComponent(segment);
    } catch {
        throw new ServiceError(400, `The path segment ${segment} is not valid percent-encoding`);
    }
}
