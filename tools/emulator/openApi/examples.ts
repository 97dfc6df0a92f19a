/** The answers that the OpenAPI document shows: those of a core to one request of each operation, and to some that it refuses. */
import { EmulatorCore } from "videograph-emulator/core";
import { apiRoot } from "../../../emulator/dist/api.js";
import { seededRandom } from "../../../emulator/dist/clock.js";

export interface ExampleAnswers {
    /** By method and path, as in the operations. */
    readonly answers: Readonly<Record<string, object>>;
    /** By what is wrong. */
    readonly refusals: Readonly<Record<string, object>>;
}

interface Sent {
    readonly body?: unknown;
    readonly token?: "reader" | "wrong";
    readonly contentType?: string;
}

const refused: Readonly<Record<string, readonly [route: string, sent?: Sent]>> = {
    "400 invalid": ["post /contents", { body: { title: "Trailer" } }],
    "401 unauthorized": ["get /contents", { token: "wrong" }],
    "403 forbidden": ["delete /contents/{contentId}", { token: "reader" }],
    "404 not found": ["get /contents/none"],
    "405 method not allowed": ["patch /contents"],
    "409 conflict": ["put /livestreams/{streamUUID}", { body: { title: "Too late" } }],
    "415 unsupported media type": ["post /contents", { body: {}, contentType: "text/plain" }],
};

/** `operations`: by method and path below the API's root, with `{…}` for ids from earlier answers. Each request comes later than the one before. */
export async function exampleAnswers(
    operations: Readonly<Record<string, { readonly example?: unknown }>>,
): Promise<ExampleAnswers> {
    let now = Date.UTC(2026, 0, 1);
    const core = new EmulatorCore({
        clock: { now: () => now, sleep: async () => {} },
        random: seededRandom(1),
        tokens: [
            { id: "owner", secret: "secret" },
            { id: "reader", secret: "secret", access: "read" },
        ],
        publicUrl: "https://playback.example.com",
    });
    const known: Record<string, unknown> = {};
    const send = async (route: string, { body, token, contentType }: Sent = {}): Promise<object> => {
        const [method = "", path = ""] = route.split(" ");
        const answer = await core.handle({
            method: method.toUpperCase(),
            url: apiRoot + path.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name])),
            headers: {
                authorization: `Basic ${Buffer.from(`${token ?? "owner"}:secret`).toString("base64")}`,
                "content-type": contentType ?? "application/json",
            },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        const json = JSON.parse(answer.body) as { data?: object | null };
        // The ids of the first answers that have one; clips are other contents.
        for (const [name, value] of Object.entries(json.data ?? {})) known[name] ??= value;
        now += 1_500;
        return json;
    };
    const answers: Record<string, object> = {};
    for (const [route, { example }] of Object.entries(operations))
        answers[route] = await send(route, { body: example });
    const refusals: Record<string, object> = {};
    for (const [name, [route, sent]] of Object.entries(refused)) refusals[name] = await send(route, sent);
    return { answers, refusals };
}
