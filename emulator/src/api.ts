/** The service's API: from a request that was read to the answer it deserves, before any fault touches it. */
import { type Caller, requireEnvironment } from "./auth";
import { createContent, deleteContent, getContent, listContents, updateContent } from "./contents";
import type { Context, ProcessingFault, RouteHandler } from "./context";
import { type ApiRequest, jsonReply, type Reply, ServiceError } from "./http";
import { createLivestream, deleteLivestream, getLivestream, listLivestreams, updateLivestream } from "./livestreams";
import { listSigningKeys } from "./signingKeys";

export const apiRoot = "/video/services/api/v1";

const routes: Record<string, Record<string, RouteHandler>> = {
    "/contents": { GET: listContents, POST: createContent },
    "/contents/:id": { GET: getContent, PUT: updateContent, DELETE: deleteContent },
    "/livestreams": { GET: listLivestreams, POST: createLivestream },
    "/livestreams/:id": { GET: getLivestream, PUT: updateLivestream, DELETE: deleteLivestream },
    "/signing-keys": { GET: listSigningKeys },
};

/** Carries a request out. Everything is synchronous: a request is accepted as a whole or not at all. */
export function carryOut(
    context: Context,
    request: ApiRequest,
    caller: Caller,
    processing: ProcessingFault | undefined,
): Reply {
    try {
        const environmentId = requireEnvironment(caller);
        const [, collection = "", id, ...more] = request.path.slice(apiRoot.length).split("/");
        const pattern = id === undefined ? `/${collection}` : `/${collection}/:id`;
        const methods = more.length === 0 && id !== "" ? routes[pattern] : undefined;
        if (methods === undefined) throw new ServiceError(404, `There is nothing at ${request.path}`);
        const handler = methods[request.method];
        if (handler === undefined) {
            throw new ServiceError(405, `${request.method} is not allowed at ${request.path}`, {
                allow: Object.keys(methods).join(", "),
            });
        }
        return handler(context, { ...request, environmentId, id: decodeSegment(id ?? ""), processing });
    } catch (error) {
        if (error instanceof ServiceError) return errorReply(error, context.variants.errorBody);
        throw error;
    }
}

export function errorReply(error: ServiceError, body: "envelope" | "json" | "html" | "empty"): Reply {
    const { status, message, headers, problems } = error;
    switch (body) {
        case "envelope": {
            const data = problems.length > 0 ? { errors: problems } : null;
            return jsonReply(status, { status: "Error", code: status, message, data }, headers);
        }
        case "json":
            return jsonReply(status, { error: message }, headers);
        case "html":
            return {
                status,
                headers: { "content-type": "text/html", ...headers },
                body: `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>`,
            };
        case "empty":
            return { status, headers, body: "" };
    }
}

function decodeSegment(segment: string): string {
    try {
        return decodeURIComponent(segment);
    } catch {
        throw new ServiceError(400, `The path segment ${segment} is not valid percent-encoding`);
    }
}
