/** The answers that the OpenAPI document shows: those of a core to one request of each operation. */
import { EmulatorCore } from "videograph-emulator/core";
import { apiRoot } from "../../../emulator/dist/api.js";
import { seededRandom } from "../../../emulator/dist/clock.js";

/** `operations`: by method and path below the API's root, with `{…}` for ids from earlier answers. Each request comes later than the one before. */
export async function exampleAnswers(
    operations: Readonly<Record<string, { readonly example?: unknown }>>,
): Promise<Readonly<Record<string, object>>> {
    let now = Date.UTC(2026, 0, 1);
    const core = new EmulatorCore({
        clock: { now: () => now, sleep: async () => {} },
        random: seededRandom(1),
        tokens: [{ id: "owner", secret: "secret" }],
        publicUrl: "https://playback.example.com",
    });
    const headers = { authorization: `Basic ${btoa("owner:secret")}`, "content-type": "application/json" };
    const known: Record<string, unknown> = {};
    const answers: Record<string, object> = {};
    for (const [route, { example }] of Object.entries(operations)) {
        const [method = "", path = ""] = route.split(" ");
        const { body } = await core.handle({
            ...{
                method: method.toUpperCase(),
                headers,
                body: example === undefined ? undefined : JSON.stringify(example),
            },
            url: apiRoot + path.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name])),
        });
        const answer = JSON.parse(body) as { data?: object | null };
        answers[route] = answer;
        // The ids of the first answers that have one; clips are other contents.
        for (const [name, value] of Object.entries(answer.data ?? {})) known[name] ??= value;
        now += 1_500;
    }
    return answers;
}
