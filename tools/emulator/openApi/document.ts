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
    readonly query?: z.ZodObject;
    readonly body?: z.ZodType;
    /** Successful answers' data; undefined where there is none, optional where there may be none. */
    readonly data?: z.ZodType;
    /** Those of successful answers; by default 200. */
    readonly codes?: readonly number[];
}

const list = (item: z.ZodType) => z.array(item);
const created = { codes: [200, 201] };

/** By method and path below the API's root: an id, a summary, and what is sent and answered. */
const operations: Readonly<Record<string, readonly [id: string, summary: string, operation: Operation]>> = {
    "get /contents": ["listContents", "List contents", { query: requests.pageQuery, data: list(answers.contentItem) }],
    "post /contents": [
        "createContent",
        "Create a content from a URL",
        { body: requests.contentCreate, data: answers.createdContent, ...created },
    ],
    "get /contents/{contentId}": ["getContent", "Get a content", { data: answers.content }],
    "put /contents/{contentId}": [
        "updateContent",
        "Update a content",
        { body: requests.contentUpdate, data: answers.content.optional() },
    ],
    "delete /contents/{contentId}": ["deleteContent", "Delete a content", { data: answers.content.optional() }],
    "get /contents/{contentId}/subtitles": ["listSubtitles", "List subtitles", { data: list(answers.subtitleItem) }],
    "post /contents/{contentId}/subtitles": [
        "addSubtitle",
        "Add a subtitle, or replace the one of the same language",
        { body: requests.subtitleCreate, data: answers.subtitle },
    ],
    "delete /contents/{contentId}/subtitles/{uuid}": ["deleteSubtitle", "Delete a subtitle", {}],
    "post /contents/{contentId}/thumbnails": [
        "setThumbnail",
        "Make a frame the thumbnail",
        { body: requests.thumbnailCreate, data: answers.thumbnailData },
    ],
    "post /contents/{contentId}/clips": [
        "clipContent",
        "Clip a content",
        { body: requests.clipCreate, data: answers.createdContent, ...created },
    ],
    "get /livestreams": [
        "listLivestreams",
        "List livestreams",
        { query: requests.livestreamQuery, data: list(answers.livestreamItem) },
    ],
    "post /livestreams": [
        "createLivestream",
        "Create a livestream",
        { body: requests.livestreamCreate, data: answers.createdLivestream, ...created },
    ],
    "get /livestreams/{streamUUID}": ["getLivestream", "Get a livestream", { data: answers.livestream }],
    "put /livestreams/{streamUUID}": [
        "updateLivestream",
        "Update a livestream",
        { body: requests.livestreamUpdate, data: answers.livestream.optional() },
    ],
    "delete /livestreams/{streamUUID}": [
        "deleteLivestream",
        "Delete a livestream; the deletion goes on after the answer",
        { data: answers.livestream },
    ],
    "post /livestreams/{streamUUID}/clips": [
        "clipLivestream",
        "Clip a livestream",
        { body: requests.liveClipCreate, data: answers.createdContent, ...created },
    ],
    "get /signing-keys": ["listSigningKeys", "List the environment's signing keys", { data: list(answers.signingKey) }],
};

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
    for (const route of Object.keys(operations)) {
        const [method = "", below = ""] = route.split(" ");
        const path = apiRoot + below;
        paths[path] = { ...paths[path], [method]: describe(route, examples) };
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

function describe(route: string, examples: Examples): Json {
    const [id, summary, { query, body, data, codes = [200] }] = operations[route] ?? ["", "", {}];
    const parameters = [
        ...[...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter("path", name ?? "", { type: "string" })),
        ...Object.entries(query?.shape ?? {}).map(([name, schema]) => parameter("query", name, jsonSchema(schema))),
    ];
    const example = (kind: "request" | number) => examples[`${route} ${kind}`];
    const content = (schema: Json, shown: unknown) => ({ "application/json": { schema, example: shown } });
    const answer = jsonSchema(answers.envelope(data));
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
