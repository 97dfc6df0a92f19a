/** L4, N1, S1 and S8: an `up` that is interrupted loses nothing, and the next one goes on. `kill -9`: see kills.test.ts. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LoggedRequest } from "videograph-emulator";
import { heldCreates, holds, objects, source, theOne, titled, video } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An up that is interrupted", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    const idOf = (title: string) => testbed.emulator.contents().find((content) => content.title === title)?.contentId;

    // By a second one during a wait: docs/troubleshooting.test.ts.
    it("by one Ctrl-C finishes what is running, and the next up does the rest (S8, L4)", async () => {
        const args = JSON.stringify({ title: "trailer", content: source("a") });
        const stack = await testbed.stack(`
            const trailer = new videograph.Content("trailer", ${args});
            new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }, { dependsOn: trailer });`);
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const up = stack.start("up", "--yes", "--skip-preview");
        const isPoll = ({ method, path }: LoggedRequest) => method === "GET" && path.endsWith(`/${idOf("trailer")}`);
        await testbed.emulator.waitForRequest(isPoll, 300_000);
        up.interrupt();
        await waitFor("the CLI to notice", () => /cancel|interrupt|\^C/i.test(up.output));
        testbed.emulator.setContentStatus(idOf("trailer") ?? "", "Ready");
        const { code, output } = await up.result;
        assert.notEqual(code, 0);
        stack.checkForSecrets(output);
        assert.deepEqual(testbed.emulator.livestreams(), []);
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);
        assert.equal(await stack.resourceId("trailer"), idOf("trailer"));

        await stack.up();
        assert.equal(await stack.resourceId("trailer"), idOf("trailer"));
        assert.equal(sentBy(testbed.emulator, "POST").length, 2);
    });

    it("by two Ctrl-C during a create: the corrected source has the only object, in both faces (K7)", async () => {
        const program = (file: string) => {
            const film = video("film", { content: source(file) });
            return `${film}{ const videograph = native; ${film.replaceAll('"film"', '"native"')} }`;
        };
        const titles = ["film", "native"];
        const stack = await testbed.stack(program("wrong"));
        // The answers come after the second signal: by then the engine discards what the providers say.
        stack.env.TEST_INTERRUPTED = join(stack.folder, "interrupted");
        const release = heldCreates(testbed);
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the creates", () => objects(testbed).length === 2);
        const wrong = titles.map((title) => theOne(testbed, title));
        up.interrupt();
        await waitFor("the CLI to notice", () => /\^C received; cancelling/.test(up.output));
        up.interrupt();
        const noticed = async () =>
            (await readdir(stack.folder)).filter((name) => name.startsWith("interrupted")).length;
        await waitFor("the providers to notice", async () => (await noticed()) >= 2);
        release();
        assert.notEqual((await up.result).code, 0);
        assert.deepEqual(await stack.resources(), []);

        await stack.program(program("right"));
        await stack.up();
        const right = await Promise.all(titles.map((name) => stack.resourceId(name)));
        assert.ok(right.every((id) => !wrong.includes(id)));
        await holds(testbed, stack, right);
    });

    it("by the first Ctrl-C ends every wait of the plugin at once, one for very many contents too, with every id in the state (N1; native)", async () => {
        const others = Array.from({ length: 2_000 }, () => testbed.emulator.addContent({ title: "Other" }));
        const contentIds = others.map(({ contentId }) => contentId);
        for (const id of contentIds) testbed.emulator.setContentStatus(id, "Preparing");
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const films = Array.from({ length: 20 }, (_, index) => video(`film-${index}`, { title: "One" })).join("");
        const readiness = `new videograph.ContentReadiness("readiness", { contentIds: ${JSON.stringify(contentIds)} });`;
        const stack = await testbed.stack(films + readiness, "native");
        const ids = () => titled(testbed, "One").sort();
        const recorded = async () => {
            const { readiness: _, ...films } = await stack.ids();
            return Object.values(films).sort();
        };
        const parallel = ["--parallel", "21"];
        const up = stack.start("up", "--yes", "--skip-preview", ...parallel);
        await waitFor("all contents", () => ids().length === 20);
        await waitFor("the wait for the others", () => up.output.includes("0/2,000 ready"));
        up.interrupt();
        // Its contents are stuck: nothing else ends it.
        const result = await up.result;
        assert.notEqual(result.code, 0);
        stack.checkForSecrets(result.output);
        assert.deepEqual(await recorded(), ids());
        const { outputs = {}, id } = await stack.resource("readiness");
        assert.match(String(id), /^readiness-/);
        assert.deepEqual(outputs.contentIds, contentIds);
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);

        for (const id of ids()) testbed.emulator.setContentStatus(id, "Ready");
        testbed.emulator.clearRequests();
        await stack.program(films);
        await stack.up(...parallel);
        assert.deepEqual([...new Set(testbed.emulator.requests.map(({ method }) => method))], ["GET"]);
        assert.deepEqual(await recorded(), ids());
    });
});
