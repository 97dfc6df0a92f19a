/** S6 and S1: before anything is sent that could leave a doubt, one list request is answered. (K12) */
import assert from "node:assert/strict";
import { join } from "node:path";
import { holds, journalOf, stream, theOne, video } from "../support/law.ts";
import { serve } from "../support/media.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

describe("A create and the service's address and token (S1, S6)", () => {
    const testbed = useTestbed({ fetchSources: false }, "native");

    /** An `up` whose creates have to fail, and leave nothing to be looked for. */
    async function fails(stack: TestStack, ...said: RegExp[]): Promise<void> {
        await stack.upOfAllFails(/film \*\*creating failed\*\*/, /stage \*\*creating failed\*\*/, ...said);
        assert.deepEqual(await journalOf(stack), []);
        assert.deepEqual(await stack.resources(), []);
    }

    it("a wrong address, page or token fails after a few requests with nothing in doubt; corrected, the up looks for nothing (K12)", async () => {
        let asked = 0;
        const pages = await serve((_request, response) => {
            asked++;
            response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
        });
        const stack = await testbed.stack("");
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        await stack.program(video("film") + stream("stage"));
        stack.env.VIDEOGRAPH_BASE_URL = pages.url;
        await fails(stack).finally(() => pages[Symbol.asyncDispose]());
        assert.ok(asked <= 9, `three tries of each of three lists, and not ${asked}`);
        // Now nothing listens there.
        await fails(stack);

        Object.assign(stack.env, testbed.emulator.env, { VIDEOGRAPH_SECRET_KEY: "wrong-secret-key-0815" });
        stack.secrets.push("wrong-secret-key-0815");
        await fails(stack, /401/, /the environment \(.*VIDEOGRAPH_SECRET_KEY\), which overrides the stack/);
        assert.deepEqual(sentBy(testbed.emulator, "POST"), []);
        assert.ok(testbed.emulator.requests.length <= 3, "one try of each list");

        testbed.emulator.clearRequests();
        Object.assign(stack.env, testbed.emulator.env);
        assert.doesNotMatch((await stack.up()).output, /warning|VG3\d{3}/);
        assert.equal(sentBy(testbed.emulator, "GET").filter(({ path }) => path.endsWith("s")).length, 3);
        await holds(testbed, stack, [theOne(testbed, "film"), theOne(testbed, "stage")]);
    });
});
