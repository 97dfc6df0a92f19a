/** Strict checks of a client's requests: every unknown field, wrong type and missing field is named. */
import { z } from "zod";
import { type ApiRequest, header, ServiceError } from "./http";

/** Parses `value`; refuses with every problem at once, each led by the path of its field. */
export function check<T>(schema: z.ZodType<T>, value: unknown, what: string, code = 400): T {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const problems = result.error.issues.map((issue) => {
        const path = z.core.toDotPath(issue.path);
        return path === "" ? issue.message : `${path}: ${issue.message}`;
    });
    throw new ServiceError(code, `Invalid ${what}: ${problems.join("; ")}`, {}, problems);
}

/** Parses a request's JSON body. */
export function checkBody<T>(schema: z.ZodType<T>, request: ApiRequest, code: number): T {
    const contentType = header(request.headers, "content-type") ?? "";
    if (contentType.split(";")[0]?.trim().toLowerCase() !== "application/json")
        throw new ServiceError(415, `Content-Type must be application/json, not "${contentType}"`);
    let value: unknown;
    try {
        value = JSON.parse(request.text);
    } catch {
        throw new ServiceError(400, "The request body is not valid JSON");
    }
    return check(schema, value, "request body", code);
}

/** Parses the query; a parameter that is given twice is refused, and an undocumented one is ignored. */
export function checkQuery<T>(
    schema: z.ZodType<T> & { shape: object },
    { query }: Pick<ApiRequest, "query">,
    code: number,
): T {
    const repeated = Object.keys(schema.shape).find((name) => query.getAll(name).length > 1);
    if (repeated !== undefined) throw new ServiceError(code, `Invalid query: ${repeated} is given more than once`);
    return check(schema, Object.fromEntries(query), "query", code);
}

/** Refuses a body of GET and DELETE: sending one is a mistake of the client. */
export function checkNoBody(request: ApiRequest): void {
    if (request.text !== "") throw new ServiceError(400, `${request.method} ${request.path} takes no request body`);
}
