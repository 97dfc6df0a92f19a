/** The answers that the OpenAPI document shows: those of a core to requests that touch every operation. */
import { EmulatorCore } from "videograph-emulator/core";
import { apiRoot } from "../../../emulator/dist/api.js";
import { seededRandom } from "../../../emulator/dist/clock.js";

interface Step {
    readonly method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
    /** Below the API's root, with `{…}` for ids from earlier answers. */
    readonly path: string;
    readonly body?: unknown;
    /** Set for a refusal: its name in the document. */
    readonly refusal?: string;
    readonly token?: "reader" | "wrong";
    readonly contentType?: string;
}

const title = "Trailer";
const source = { url: "https://media.example.com/trailer.mp4" };
const subtitle = {
    url: "https://media.example.com/trailer.en.vtt",
    name: "English",
    language_code: "en",
    support_closed_captions: true,
};

/** Processing ends after the first one. */
const steps: readonly Step[] = [
    {
        ...{ method: "POST", path: "/contents" },
        body: { title, content: [source], playback_policy: ["public"], metadata: [{ key: "season", value: "2" }] },
    },
    { method: "GET", path: "/contents" },
    { method: "GET", path: "/contents/{contentId}" },
    { method: "PUT", path: "/contents/{contentId}", body: { title: "Trailer, new", tags: ["launch"] } },
    { method: "POST", path: "/contents/{contentId}/subtitles", body: subtitle },
    { method: "GET", path: "/contents/{contentId}/subtitles" },
    {
        ...{ method: "POST", path: "/contents/{contentId}/thumbnails" },
        body: { videoPositionInSec: 3, width: 640, height: 360 },
    },
    { method: "POST", path: "/contents/{contentId}/clips", body: { startTimeInSecs: 2, endTimeInSecs: 5 } },
    { method: "POST", path: "/livestreams", body: { title: "Main stage", region: "us-east-1", record: true } },
    { method: "GET", path: "/livestreams" },
    { method: "GET", path: "/livestreams/{streamUUID}" },
    { method: "PUT", path: "/livestreams/{streamUUID}", body: { title: "Main stage", description: "Day two" } },
    {
        ...{ method: "POST", path: "/livestreams/{streamUUID}/clips" },
        body: { startTime: 1_767_225_600, endTime: 1_767_225_660, title: "The opening" },
    },
    { method: "GET", path: "/signing-keys" },
    { method: "POST", path: "/contents", body: { title }, refusal: "400 invalid" },
    { method: "GET", path: "/contents", token: "wrong", refusal: "401 unauthorized" },
    { method: "DELETE", path: "/contents/{contentId}", token: "reader", refusal: "403 forbidden" },
    { method: "GET", path: "/contents/none", refusal: "404 not found" },
    { method: "PATCH", path: "/contents", refusal: "405 method not allowed" },
    { method: "POST", path: "/contents", body: {}, contentType: "text/plain", refusal: "415 unsupported media type" },
    { method: "DELETE", path: "/contents/{contentId}/subtitles/{uuid}" },
    { method: "DELETE", path: "/contents/{contentId}" },
    { method: "DELETE", path: "/livestreams/{streamUUID}" },
    {
        ...{ method: "PUT", path: "/livestreams/{streamUUID}", body: { title: "Too late" } },
        refusal: "409 conflict",
    },
];

/** By "<method> <path> <status>", "<method> <path> request", and "refusal <name>". */
export async function exampleAnswers(): Promise<Record<string, unknown>> {
    let now = Date.UTC(2026, 0, 1);
    const tokens = { owner: "owner", reader: "reader" };
    const core = new EmulatorCore({
        clock: { now: () => now, sleep: async () => {} },
        random: seededRandom(1),
        tokens: [
            { id: tokens.owner, secret: "secret" },
            { id: tokens.reader, secret: "secret", access: "read" },
        ],
        publicUrl: "https://playback.example.com",
    });
    const examples: Record<string, unknown> = {};
    const known: Record<string, string> = {};
    for (const { method, path, body, refusal, token = "owner", contentType = "application/json" } of steps) {
        const { status, json } = await send(core, {
            method,
            url: apiRoot + path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? ""),
            headers: {
                authorization: `Basic ${Buffer.from(`${token}:secret`).toString("base64")}`,
                "content-type": contentType,
            },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        if (refusal !== undefined) examples[`refusal ${refusal}`] = json;
        else remember(examples, `${method.toLowerCase()} ${path}`, status, json, body);
        const { contentId, streamUUID, uuid } = (json.data ?? {}) as Record<string, string | undefined>;
        // The objects of the first answers that name one; clips are others.
        if (contentId !== undefined) known.contentId ??= contentId;
        if (streamUUID !== undefined) known.streamUUID ??= streamUUID;
        if (uuid !== undefined) known.uuid ??= uuid;
        now += 1_500;
    }
    return examples;
}

function remember(
    examples: Record<string, unknown>,
    operation: string,
    status: number,
    json: Record<string, unknown>,
    body: unknown,
): void {
    examples[`${operation} request`] = body;
    examples[`${operation} ${status}`] = json;
    // A create that is answered with 200 says the same with another code.
    if (status === 201) examples[`${operation} 200`] = { ...json, code: 200 };
}

async function send(core: EmulatorCore, request: Parameters<EmulatorCore["handle"]>[0]) {
    const { status, body } = await core.handle(request);
    return { status, json: JSON.parse(body) as Record<string, unknown> };
}
