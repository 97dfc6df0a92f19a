/**
 * The contract as an OpenAPI 3.1 document, made from the schemas that requests are checked with and that answers are tested
 * against. The examples are answers of the emulator's core to the requests of `examples.ts`.
 */
import { z } from "zod";
import { apiRoot } from "../../../emulator/dist/api.js";
import * as requests from "../../../emulator/dist/requestSchemas.js";
import * as answers from "./answerSchemas.ts";
import { exampleAnswers } from "./examples.ts";

type Json = Record<string, unknown>;

interface Operation {
    readonly method: "get" | "post" | "put" | "delete";
    /** Below the API's root. */
    readonly path: string;
    readonly id: string;
    readonly summary: string;
    readonly query?: z.ZodObject;
    readonly body?: z.ZodType;
    /** Successful answers' data; undefined where there is none, optional where there may be none. */
    readonly data?: z.ZodType;
    readonly codes: readonly number[];
}

const list = (item: z.ZodType) => z.array(item);
const created = [200, 201];

const operations: readonly Operation[] = [
    {
        ...{ method: "get", path: "/contents", id: "listContents", summary: "List contents" },
        ...{ query: requests.pageQuery, data: list(answers.contentItem), codes: [200] },
    },
    {
        ...{ method: "post", path: "/contents", id: "createContent", summary: "Create a content from a URL" },
        ...{ body: requests.contentCreate, data: answers.createdContent, codes: created },
    },
    {
        ...{ method: "get", path: "/contents/{contentId}", id: "getContent", summary: "Get a content" },
        ...{ data: answers.content, codes: [200] },
    },
    {
        ...{ method: "put", path: "/contents/{contentId}", id: "updateContent", summary: "Update a content" },
        ...{ body: requests.contentUpdate, data: answers.content.optional(), codes: [200] },
    },
    {
        ...{ method: "delete", path: "/contents/{contentId}", id: "deleteContent", summary: "Delete a content" },
        ...{ data: answers.content.optional(), codes: [200] },
    },
    {
        ...{ method: "get", path: "/contents/{contentId}/subtitles", id: "listSubtitles", summary: "List subtitles" },
        ...{ data: list(answers.subtitleItem), codes: [200] },
    },
    {
        ...{ method: "post", path: "/contents/{contentId}/subtitles", id: "addSubtitle" },
        ...{ summary: "Add a subtitle, or replace the one of the same language" },
        ...{ body: requests.subtitleCreate, data: answers.subtitle, codes: [200] },
    },
    {
        ...{ method: "delete", path: "/contents/{contentId}/subtitles/{uuid}", id: "deleteSubtitle" },
        ...{ summary: "Delete a subtitle", codes: [200] },
    },
    {
        ...{ method: "post", path: "/contents/{contentId}/thumbnails", id: "setThumbnail" },
        ...{ summary: "Make a frame the thumbnail" },
        ...{ body: requests.thumbnailCreate, data: answers.thumbnailData, codes: [200] },
    },
    {
        ...{ method: "post", path: "/contents/{contentId}/clips", id: "clipContent", summary: "Clip a content" },
        ...{ body: requests.clipCreate, data: answers.createdContent, codes: created },
    },
    {
        ...{ method: "get", path: "/livestreams", id: "listLivestreams", summary: "List livestreams" },
        ...{ query: requests.livestreamQuery, data: list(answers.livestreamItem), codes: [200] },
    },
    {
        ...{ method: "post", path: "/livestreams", id: "createLivestream", summary: "Create a livestream" },
        ...{ body: requests.livestreamCreate, data: answers.createdLivestream, codes: created },
    },
    {
        ...{ method: "get", path: "/livestreams/{streamUUID}", id: "getLivestream", summary: "Get a livestream" },
        ...{ data: answers.livestream, codes: [200] },
    },
    {
        ...{ method: "put", path: "/livestreams/{streamUUID}", id: "updateLivestream" },
        ...{ summary: "Update a livestream" },
        ...{ body: requests.livestreamUpdate, data: answers.livestream.optional(), codes: [200] },
    },
    {
        ...{ method: "delete", path: "/livestreams/{streamUUID}", id: "deleteLivestream" },
        ...{ summary: "Delete a livestream; the deletion goes on after the answer" },
        ...{ data: answers.livestream, codes: [200] },
    },
    {
        ...{ method: "post", path: "/livestreams/{streamUUID}/clips", id: "clipLivestream" },
        ...{ summary: "Clip a livestream" },
        ...{ body: requests.liveClipCreate, data: answers.createdContent, codes: created },
    },
    {
        ...{
            method: "get",
            path: "/signing-keys",
            id: "listSigningKeys",
            summary: "List the environment's signing keys",
        },
        ...{ data: list(answers.signingKey), codes: [200] },
    },
];

/** Schemas that the document names. */
const named: Record<string, z.ZodType> = {
    Content: answers.content,
    ContentItem: answers.contentItem,
    Livestream: answers.livestream,
    LivestreamItem: answers.livestreamItem,
    Subtitle: answers.subtitle,
    SubtitleItem: answers.subtitleItem,
    SigningKey: answers.signingKey,
    Error: answers.error,
};

/** The document that the package ships. */
export async function makeDocument(): Promise<Json> {
    const examples = await exampleAnswers();
    const paths: Record<string, Json> = {};
    for (const operation of operations) {
        const path = `${apiRoot}${operation.path}`;
        paths[path] = { ...paths[path], [operation.method]: describe(operation, examples) };
    }
    return {
        openapi: "3.1.0",
        info: {
            title: "Videograph, as videograph-emulator emulates it",
            version: "1",
            description:
                "What the platform's public documentation shows, disagreements included, and nothing else: no document of the platform itself.",
            license: { name: "Apache-2.0", identifier: "Apache-2.0" },
        },
        servers: [{ url: "http://127.0.0.1:4410" }],
        security: [{ accessToken: [] }],
        paths,
        components: {
            securitySchemes: {
                accessToken: {
                    type: "http",
                    scheme: "basic",
                    description: "user name: access token id; password: secret key",
                },
            },
            schemas: namedSchemas(),
            responses: { Refusal: refusal(examples) },
        },
    };
}

function describe(operation: Operation, examples: Examples): Json {
    const { method, path, id, summary, query, body, codes } = operation;
    const parameters = [
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter("path", name ?? "", { type: "string" })),
        ...Object.entries(query?.shape ?? {}).map(([name, schema]) => parameter("query", name, jsonSchema(schema))),
    ];
    const example = (kind: "request" | number) => examples[`${method} ${path} ${kind}`];
    const content = (schema: Json, shown: unknown) => ({ "application/json": { schema, example: shown } });
    const answer = jsonSchema(answers.envelope(operation.data));
    return {
        operationId: id,
        summary,
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(body === undefined
            ? {}
            : { requestBody: { required: true, content: content(jsonSchema(body, "input"), example("request")) } }),
        responses: {
            ...Object.fromEntries(
                codes.map((code) => [String(code), { description: summary, content: content(answer, example(code)) }]),
            ),
            "4XX": { $ref: "#/components/responses/Refusal" },
        },
    };
}

type Examples = Readonly<Record<string, unknown>>;

function parameter(where: "path" | "query", name: string, schema: Json): Json {
    return { name, in: where, required: where === "path", schema };
}

function refusal(examples: Examples): Json {
    const shown = Object.entries(examples).filter(([key]) => key.startsWith("refusal "));
    return {
        description:
            "Refused: 400 or 422 invalid, 401 wrong credentials, 403 not allowed, 404 not found, 405 wrong method, 409 in the wrong status, 413 too large, 415 not JSON. The body is not documented: expect JSON of any form, HTML, or nothing.",
        content: {
            "application/json": {
                schema: { $ref: "#/components/schemas/Error" },
                examples: Object.fromEntries(shown.map(([key, value]) => [key.slice("refusal ".length), { value }])),
            },
            "text/html": { schema: { type: "string" }, example: "<html><body><h1>404</h1></body></html>" },
        },
    };
}

function namedSchemas(): Record<string, Json> {
    return Object.fromEntries(
        Object.entries(named).map(([name, schema]) => [name, jsonSchema(schema, "output", name)]),
    );
}

/** References schemas that have a name, except the one that is being defined. */
function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output", defining?: string): Json {
    const references = new Map<unknown, string>(Object.entries(named).map(([name, type]) => [type, name]));
    const { $schema: _, ...result } = z.toJSONSchema(schema, {
        io,
        reused: "inline",
        override: ({ zodSchema, jsonSchema }) => {
            const name = references.get(zodSchema);
            // Every integer that JavaScript can hold: a bound that says nothing.
            if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
            if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
            if (name === undefined || name === defining) return;
            for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
            jsonSchema.$ref = `#/components/schemas/${name}`;
        },
    });
    return result as Json;
}
