/** docs/guides/requests.md says what each run sends for each kind of object: here, it is what the service receives. */
import assert from "node:assert/strict";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("What is sent, as its page says", () => {
    const testbed = useTestbed();

    it("by each run, for each kind of object", async () => {
        const program = (title: string, file: string) => {
            const video = `content: [{ url: "${testbed.media.video(file)}" }]`;
            return `
                const film = new videograph.Content("film", { title: "${title}", ${video} });
                new videograph.Clip("clip", { title: "${title}", contentId: film.contentId, startTime: 0, endTime: 1 });
                new videograph.Livestream("stage", { title: "${title}", region: "us-east-1" });
                const entry = { title: "${title}", ${video} };
                new videograph.ContentLibrary("library", { contents: { a: entry, b: entry } });
            `;
        };
        const stack = await testbed.stack(program("One", "one.mp4"));
        /** How often each request was sent, whichever object it was about. */
        const sent = async (run: () => Promise<unknown>) => {
            const requests = await requestsOf(testbed.emulator, run);
            const kinds = Map.groupBy(requests, (request) => request.replace(/[0-9a-f-]{36}/, "<id>"));
            return Object.fromEntries([...kinds].map(([kind, all]): [string, number] => [kind, all.length]));
        };
        const writes = (counts: Record<string, number>) =>
            Object.fromEntries(Object.entries(counts).filter(([kind]) => !kind.startsWith("GET")));
        const creates = { "POST /contents": 3, "POST /contents/<id>/clips": 1 };

        // What sends nothing, a preview and a second run: e2e/standard.test.ts.
        const first = await sent(() => stack.up());
        assert.deepEqual(writes(first), { ...creates, "POST /livestreams": 1 });
        assert.deepEqual(await sent(() => stack.refresh()), { "GET /contents/<id>": 4, "GET /livestreams/<id>": 1 });
        await stack.program(program("Two", "one.mp4"));
        assert.deepEqual(await sent(() => stack.up()), {
            ...{ "GET /contents/<id>": 4, "PUT /contents/<id>": 4 },
            ...{ "GET /livestreams/<id>": 1, "PUT /livestreams/<id>": 1 },
        });
        await stack.program(program("Two", "two.mp4"));
        assert.deepEqual(writes(await sent(() => stack.up())), { ...creates, "DELETE /contents/<id>": 4 });
        const { "GET /livestreams/<id>": polls = 0, ...destroyed } = await sent(() => stack.destroy());
        assert.ok(polls >= 1);
        assert.deepEqual(destroyed, {
            ...{ "GET /contents/<id>": 4, "DELETE /contents/<id>": 4, "DELETE /livestreams/<id>": 1 },
            "GET /livestreams": 2,
        });
    });
});
