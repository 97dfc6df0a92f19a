/** S2: when a 404 means that an object is gone, by the real CLI. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

describe("Answers of 404 (S2)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 }, "native");
    const content = [{ url: "https://media.example.com/a.mp4" }];
    const program =
        declare("Content", "one", { title: "One", content }) +
        declare("Content", "two", { title: "Two", content }) +
        declare("Livestream", "stage", { title: "Stage", region: "us-east-1" });
    /** No envelope, as the service's error bodies are not documented. */
    const notFound = (path: string, method?: string) =>
        testbed.emulator.inject({
            ...{ kind: "answer", status: 404, json: { statusCode: 404, message: "x" }, path },
            ...(method !== undefined && { method }),
        });

    const recordedIds = async (stack: TestStack) => (await stack.resources()).map(({ id }) => id).sort();

    it(`count where another object is there, whatever their JSON, and are refused where all objects give them`, async () => {
        const stack = await testbed.stack(program);
        await stack.up();
        const all = await recordedIds(stack);

        // Everything is gone, under the same credentials: that is another environment.
        const nothing = notFound("/*/*");
        for (const command of ["refresh", "destroy"]) {
            await stack.fails(
                [command, "--yes", "--skip-preview"],
                /(Content|Livestream) \S+ returns 404, .*every object.*VIDEOGRAPH_TRUST_NOT_FOUND=true/,
            );
            assert.deepEqual(await recordedIds(stack), all, command);
        }
        nothing.remove();

        // One is gone.
        const gone = await stack.resourceId("one");
        const one = notFound(`/contents/${gone}`);
        await stack.refresh();
        assert.deepEqual(
            await recordedIds(stack),
            all.filter((id) => id !== gone),
        );
        one.remove();

        // A livestream's delete ends with the first 404.
        testbed.emulator.clearRequests();
        const stage = notFound("/livestreams/*", "GET");
        await stack.destroy();
        assert.ok(sentBy(testbed.emulator, "GET").length <= 3, `${sentBy(testbed.emulator, "GET").length} requests`);
        assert.deepEqual(await recordedIds(stack), []);
        stage.remove();
    });
});
