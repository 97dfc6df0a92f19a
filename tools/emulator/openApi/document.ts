/** The contract as an OpenAPI 3.1 document, made from the schemas that requests are checked with and that answers are tested against. */
import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathItemObject } from "zod-openapi";
import { apiRoot } from "../../../emulator/dist/api.js";
import * as requests from "../../../emulator/dist/requestSchemas.js";
import * as answers from "./answerSchemas.ts";

type Json = Record<string, unknown>;

interface Operation {
    readonly id: string;
    readonly summary: string;
    readonly query?: z.ZodObject;
    readonly body?: z.ZodType;
    /** A request's body, where there is one. */
    readonly example?: Json;
    /** Successful answers' data; undefined where there is none, optional where there may be none. */
    readonly data?: z.ZodType;
    /** Those of successful answers; by default 200. */
    readonly codes?: readonly number[];
}

const list = (item: z.ZodType) => z.array(item);
const created = { codes: [200, 201] };
const trailer = {
    title: "Trailer",
    content: [{ url: "https://media.example.com/trailer.mp4" }],
    playback_policy: ["public"],
    metadata: [{ key: "season", value: "2" }],
};
const english = {
    url: "https://media.example.com/trailer.en.vtt",
    name: "English",
    language_code: "en",
    support_closed_captions: true,
};

/** By method and path below the API's root. */
const operations: Readonly<Record<string, Operation>> = {
    "post /contents": {
        id: "createContent",
        summary: "Create a content from a URL",
        body: requests.contentCreate,
        example: trailer,
        data: answers.createdContent,
        ...created,
    },
    "get /contents": {
        id: "listContents",
        summary: "List contents",
        query: requests.pageQuery,
        data: list(answers.contentItem),
    },
    "get /contents/{contentId}": { id: "getContent", summary: "Get a content", data: answers.content },
    "put /contents/{contentId}": {
        id: "updateContent",
        summary: "Update a content",
        data: answers.content.optional(),
        body: requests.contentUpdate,
        example: { title: "Trailer, new", tags: ["launch"] },
    },
    "post /contents/{contentId}/subtitles": {
        id: "addSubtitle",
        summary: "Add a subtitle, or replace the one of the same language",
        body: requests.subtitleCreate,
        example: english,
        data: answers.subtitle,
    },
    "get /contents/{contentId}/subtitles": {
        id: "listSubtitles",
        summary: "List subtitles",
        data: list(answers.subtitleItem),
    },
    "post /contents/{contentId}/thumbnails": {
        id: "setThumbnail",
        summary: "Make a frame the thumbnail",
        data: answers.thumbnailData,
        body: requests.thumbnailCreate,
        example: { videoPositionInSec: 3, width: 640, height: 360 },
    },
    "post /contents/{contentId}/clips": {
        id: "clipContent",
        summary: "Clip a content",
        data: answers.createdContent,
        ...created,
        body: requests.clipCreate,
        example: { startTimeInSecs: 2, endTimeInSecs: 5 },
    },
    "post /livestreams": {
        id: "createLivestream",
        summary: "Create a livestream",
        data: answers.createdLivestream,
        ...created,
        body: requests.livestreamCreate,
        example: { title: "Main stage", region: "us-east-1", record: true },
    },
    "get /livestreams": {
        id: "listLivestreams",
        summary: "List livestreams",
        query: requests.livestreamQuery,
        data: list(answers.livestreamItem),
    },
    "get /livestreams/{streamUUID}": { id: "getLivestream", summary: "Get a livestream", data: answers.livestream },
    "put /livestreams/{streamUUID}": {
        id: "updateLivestream",
        summary: "Update a livestream",
        data: answers.livestream.optional(),
        body: requests.livestreamUpdate,
        example: { title: "Main stage", description: "Day two" },
    },
    "post /livestreams/{streamUUID}/clips": {
        id: "clipLivestream",
        summary: "Clip a livestream",
        data: answers.createdContent,
        ...created,
        body: requests.liveClipCreate,
        example: { startTime: 1_767_225_600, endTime: 1_767_225_660, title: "The opening" },
    },
    "get /signing-keys": {
        id: "listSigningKeys",
        summary: "List the environment's signing keys",
        data: list(answers.signingKey),
    },
    "delete /contents/{contentId}/subtitles/{uuid}": { id: "deleteSubtitle", summary: "Delete a subtitle" },
    "delete /contents/{contentId}": {
        id: "deleteContent",
        summary: "Delete a content",
        data: answers.content.optional(),
    },
    "delete /livestreams/{streamUUID}": {
        id: "deleteLivestream",
        summary: "Delete a livestream; the deletion goes on after the answer",
        data: answers.livestream,
    },
};

const refusal = {
    description:
        "Refused: 400 or 422 invalid, 401 wrong credentials, 403 not allowed, 404 not found, 405 wrong method, 409 in the wrong status, 413 too large, 415 not JSON. The body is not documented: expect JSON of any form, HTML, or nothing.",
    content: {
        "application/json": {
            schema: answers.error,
            example: { status: "Error", code: 404, message: "Content none not found", data: null },
        },
        "text/html": { schema: z.string(), example: "<html><body><h1>404</h1></body></html>" },
    },
};

/** The document that the package ships. */
export function makeDocument(): object {
    const paths: Record<string, ZodOpenApiPathItemObject> = {};
    for (const [route, operation] of Object.entries(operations)) {
        const [method = "", below = ""] = route.split(" ");
        const path = apiRoot + below;
        paths[path] = { ...paths[path], [method]: describe(route, operation) };
    }
    return createDocument({
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
            responses: { Refusal: refusal },
        },
    });
}

function describe(route: string, operation: Operation): ZodOpenApiOperationObject {
    const { id, summary, query, body, example, data, codes = [200] } = operation;
    const ids = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, z.string()] as const);
    const params = {
        ...(ids.length > 0 && { path: z.object(Object.fromEntries(ids)) }),
        ...(query && { query }),
    };
    const answer = { description: summary, content: { "application/json": { schema: answers.envelope(data) } } };
    return {
        operationId: id,
        summary,
        ...(Object.keys(params).length > 0 && { requestParams: params }),
        ...(body && { requestBody: { required: true, content: { "application/json": { schema: body, example } } } }),
        responses: {
            ...Object.fromEntries(codes.map((code) => [code, answer])),
            "4XX": { $ref: "#/components/responses/Refusal" },
        },
    };
}
