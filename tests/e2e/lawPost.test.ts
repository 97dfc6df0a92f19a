/** S6 and S1: before anything is sent that could leave a doubt, one list request is answered. (K12) */
import assert from "node:assert/strict";
import { join } from "node:path";
import { journalOf, settled, stream, theOne, video } from "../support/law.ts";
import { serve } from "../support/media.ts";
import type { RunResult } from "../support/pulumiRun.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A create and the service's address and token (S1, S6)", function () {
    this.timeout(600_000);
    const testbed = useTestbed({ fetchSources: false }, "native");

    /** From when the first of these creates is on the screen until the last has ended. */
    async function creates(stack: TestStack, ended: RegExp): Promise<{ ms: number; result: RunResult }> {
        const up = stack.start("up", "--yes", "--skip-preview", "--continue-on-error");
        await waitFor("the creates", () => /(film|stage) creating/.test(up.output), 150_000);
        const began = performance.now();
        const ends = (name: string) => new RegExp(`${name} ${ended.source}`).test(up.output);
        await waitFor("their ends", () => ends("film") && ends("stage"), 150_000);
        const ms = performance.now() - began;
        const result = await up.result;
        stack.checkForSecrets(result.output);
        return { ms, result };
    }

    /** An `up` whose creates have to fail within 5 s, and leave nothing to be looked for. */
    async function failsAtOnce(stack: TestStack): Promise<void> {
        const { ms, result } = await creates(stack, /\*\*creating failed\*\*/);
        assert.notEqual(result.code, 0);
        assert.ok(ms < 5_000, `It took ${ms} ms:\n${result.output}`);
        assert.deepEqual(await journalOf(stack), []);
        assert.deepEqual(await stack.resources(), []);
    }

    it("a wrong address, page or token fails in seconds with nothing in doubt; corrected, the up is as fast as any (K12)", async () => {
        const pages = await serve((_request, response) => {
            response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
        });
        const stack = await testbed.stack("");
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        await stack.program(video("film") + stream("stage"));
        stack.env.VIDEOGRAPH_BASE_URL = pages.url;
        await failsAtOnce(stack).finally(() => pages[Symbol.asyncDispose]());
        // Now nothing listens there.
        await failsAtOnce(stack);
        Object.assign(stack.env, testbed.emulator.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: "wrong" });
        await failsAtOnce(stack);
        assert.deepEqual(sentBy(testbed.emulator, "POST"), []);

        Object.assign(stack.env, testbed.emulator.env);
        const { ms, result } = await creates(stack, /created/);
        assert.equal(result.code, 0, result.output);
        assert.ok(ms < 5_000, `It took ${ms} ms:\n${result.output}`);
        assert.doesNotMatch(result.output, /warning|VG3\d{3}/);
        await settled(testbed, stack, [theOne(testbed, "film"), theOne(testbed, "stage")]);
    });
});
