/** The emulator's OpenAPI document as a judge: whether it allows an answer. */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;

export interface OpenApiDocument {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly responses: { readonly Refusal: Response } };
}

export interface Operation {
    readonly operationId: string;
    readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
    readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
    readonly content: Readonly<Record<string, { schema: Json; example?: unknown }>>;
}

interface Answered {
    readonly method: string;
    /** Without the query. */
    readonly path: string;
    readonly status: number;
    readonly contentType: string | null;
    readonly text: string;
}

/** Throws when the document does not allow an answer. */
export function contractOf(document: OpenApiDocument): { allows(answered: Answered): void } {
    const ajv = new Ajv2020({ strict: false, allErrors: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "openapi", ...document });
    const paths = Object.entries(document.paths).map(([path, operations]) => ({
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
        path,
        operations,
    }));
    const pointer = (...parts: string[]) =>
        `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

    const schemaFor = (method: string, path: string, status: number, type: string) => {
        if (status >= 400 && status < 500)
            return pointer("components", "responses", "Refusal", "content", type, "schema");
        const found = paths.find(({ pattern }) => pattern.test(path));
        const operation = method.toLowerCase();
        assert.ok(found?.operations[operation]?.responses[status], `${method} ${path} may not answer ${status}`);
        return pointer("paths", found.path, operation, "responses", String(status), "content", type, "schema");
    };

    return {
        allows({ method, path, status, contentType, text }) {
            const type = contentType?.split(";")[0] ?? "";
            // A refusal may say nothing; so does every answer to HEAD.
            if (status >= 400 && text === "") return;
            const reference = schemaFor(method, path, status, type);
            const validate = ajv.getSchema(reference);
            assert.ok(validate, `${method} ${path} may not answer ${status} as ${type}`);
            const value = type === "application/json" ? JSON.parse(text) : text;
            assert.ok(validate(value), `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}\n${text}`);
        },
    };
}
