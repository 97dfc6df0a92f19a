/** N1, S1 and S8 through the plugin: an `up` that is interrupted or killed loses nothing, and the next one goes on. */
import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { seededRandom } from "../support/fakeClock.ts";
import { killAll, providersIn } from "../support/processes.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

/** `KILLS=50 npx mocha tests/native/interrupts.test.ts -g "kill -9"` looks further; `KILLS_SEED` repeats a run's moments. */
const kills = Number(process.env.KILLS ?? 3);
/** Contents, and livestreams, that each `up` which will be killed has to create. */
const perKill = 3;

describe("An up through the plugin that is cut short", function () {
    this.timeout(300_000);
    const testbed = useTestbed({}, "native");
    const ids = () =>
        [
            ...testbed.emulator.contents().map(({ contentId }) => contentId),
            ...testbed.emulator.livestreams().map(({ streamUUID }) => streamUUID),
        ].sort();
    const idsInState = async (stack: TestStack) =>
        (await stack.resources())
            .filter(({ type }) => !type.endsWith(":ContentReadiness"))
            .map(({ id }) => String(id))
            .sort();
    /** All of them are alike. */
    const library = (contents: number, livestreams = 0) => `
        for (let index = 0; index < ${contents}; index++)
            new videograph.Content("video-" + index, { title: "One", content: [{ url: "${testbed.media.video()}" }] });
        for (let index = 0; index < ${livestreams}; index++)
            new videograph.Livestream("stream-" + index, { title: "One", region: "us-east-1" });\n`;

    it("by the first Ctrl-C ends every wait at once, one for very many contents too, with every id in the state (N1)", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        testbed.emulator.inject({
            kind: "status",
            status: 503,
            where: ({ path }) => path.includes("/contents/unreadable"),
        });
        const [count, parallel] = [100, ["--parallel", "101"]];
        const contentIds = Array.from({ length: 2_000 }, (_, index) => `unreadable-${index}-${"x".repeat(30)}`);
        const stack = await testbed.stack(
            `${library(count)}new videograph.ContentReadiness("readiness", { contentIds: ${JSON.stringify(contentIds)} });`,
        );
        const up = stack.start("up", "--yes", "--skip-preview", ...parallel);
        await waitFor("100 contents", () => ids().length === count, 120_000);
        await waitFor("the wait for the others", () => testbed.emulator.requests.some(({ status }) => status === 503));
        const interrupted = performance.now();
        up.interrupt();
        const result = await up.result;
        const seconds = (performance.now() - interrupted) / 1000;
        assert.notEqual(result.code, 0);
        stack.checkForSecrets(result.output);
        assert.deepEqual(await idsInState(stack), ids());
        const { outputs = {}, id } = await stack.resource("readiness");
        assert.match(String(id), /^readiness-/);
        assert.deepEqual(outputs.contentIds, contentIds);
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);
        // The bound of the promise is 2 s; what an engine on a busy machine needs to write 100 checkpoints comes on top.
        assert.ok(seconds < 20, `The first Ctrl-C took ${seconds.toFixed(1)} s`);

        for (const id of ids()) testbed.emulator.setContentStatus(id, "Ready");
        testbed.emulator.clearRequests();
        await stack.program(library(count));
        await stack.up(...parallel);
        assert.deepEqual([...new Set(testbed.emulator.requests.map(({ method }) => method))], ["GET"]);
        assert.deepEqual(await idsInState(stack), ids());
    });

    it("leaves a create that no refresh of the engine can import, and that the next up finds (N1)", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const stack = await testbed.stack(library(1));
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor(
            "the wait for Ready",
            () => sentBy(testbed.emulator, "GET").some(({ path }) => /contents\/./.test(path)),
            120_000,
        );
        up.kill();
        await up.result;
        await stack.run("cancel", "--yes");
        const [id = ""] = ids();
        testbed.emulator.setContentStatus(id, "Ready");
        const [{ resource } = assert.fail("No create is pending")] = (await stack.state()).pending_operations ?? [];
        // As the pages say: if a later CLI imports it, they are wrong.
        await stack.run(
            "refresh",
            "--yes",
            "--skip-preview",
            `--import-pending-creates=${resource.urn}`,
            `--import-pending-creates=${id}`,
        );
        assert.deepEqual(await idsInState(stack), []);
        testbed.emulator.clearFaults();
        await stack.up();
        assert.deepEqual([ids(), await idsInState(stack)], [[id], [id]]);
    });

    it(`by kill -9 at ${kills} random moments leaves no process and exactly one object each (S1, S8)`, async function () {
        this.timeout(120_000 + kills * 30_000);
        const seed = Number(process.env.KILLS_SEED ?? Math.floor(Math.random() * 1e6));
        const random = seededRandom(seed);
        console.log(`      KILLS=${kills} KILLS_SEED=${seed}`);
        // Requests take long enough that a kill may hit any of them.
        testbed.emulator.inject({ kind: "latency", ms: 150 });
        const stack = await testbed.stack("");
        const seen = new Set<string>();
        for (let kill = 1; kill <= kills; kill++) {
            await stack.program(library(perKill * kill, perKill * kill));
            testbed.emulator.clearRequests();
            const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "12");
            // From before the first request to after the last one.
            const moment = Math.floor(random() * perKill * 8);
            await waitFor(`request ${moment}`, () => up.ended || testbed.emulator.requests.length >= moment, 120_000);
            up.kill();
            // Every other plugin ends by itself, when its requests are answered.
            if (kill % 2 === 0) killAll(providersIn(stack.folder));
            await up.result;
            await waitFor("the end of the plugin", () => providersIn(stack.folder).length === 0);
            assert.deepEqual(sentBy(testbed.emulator, "DELETE"), [], `kill ${kill} of KILLS_SEED=${seed}`);
            for (const id of seen) assert.ok(ids().includes(id), `${id} was deleted after kill ${kill}`);
            for (const id of ids()) seen.add(id);
            await repairCheckpoint(stack.folder);
            await stack.run("cancel", "--yes");
        }
        testbed.emulator.clearFaults();
        await stack.up();
        assert.equal(ids().length, 2 * perKill * kills, `KILLS_SEED=${seed}`);
        assert.deepEqual(await idsInState(stack), ids());
        assert.deepEqual(sentBy(testbed.emulator, "DELETE"), []);
        assert.deepEqual(await stack.planned(), []);
    });
});

/** The file backend does not write a checkpoint in one step: a kill may leave half of it, and the one before beside it. */
async function repairCheckpoint(folder: string): Promise<void> {
    const checkpoint = join(folder, "state", ".pulumi", "stacks", "e2e", "test.json");
    try {
        JSON.parse(await readFile(checkpoint, "utf8"));
    } catch {
        await copyFile(`${checkpoint}.bak`, checkpoint);
    }
}
