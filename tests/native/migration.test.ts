/** Stacks of dynamic resources move to the native types: only the program's import changes. */
import assert from "node:assert/strict";
import { unlock } from "../support/law.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("From the dynamic types to the native ones", () => {
    const testbed = useTestbed();

    it("nothing is shown, nothing is sent but for a create that a kill -9 left pending, and the native types go on alone (S1)", async () => {
        const adopted = testbed.emulator.addContent({ title: "Adopted" }).contentId;
        const video = (more: string) => `{ title: "Trailer", content: [{ url: "${testbed.media.video()}" }]${more} }`;
        const declared = (adoption = "") => `
            const shop = new pulumi.ComponentResource("shop:index:Videos", "videos");
            const trailer = new videograph.Content("trailer", ${video(', tags: ["b", "a"], metadata: { season: "2" }')});
            const inner = new videograph.Content("inner", ${video("")}, { parent: shop, customTimeouts: { create: "5m" } });
            const presigned = new videograph.Content("presigned", {
                title: pulumi.secret("quiet title"),
                content: [{ url: "${testbed.media.video("p.mp4")}?signature=quiet" }],
                sourceVersion: "1",
            });
            const stage = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });
            new videograph.Content("adopted", { title: "Adopted"${adoption} });
            new videograph.ContentReadiness("library", { contentIds: [trailer.id, inner.id] });
            const films = new videograph.ContentLibrary("films", { contents: { first: ${video("")} } });
            exports.film = films.contents.apply((contents) => contents.first?.status);\n`;
        const late = `new videograph.Content("late", { title: "Late", content: [{ url: "${testbed.media.video()}" }] });`;
        const stack = await testbed.stack(declared(`, importId: "${adopted}"`));
        stack.secrets.push("quiet title", "signature=quiet");
        await stack.up();
        const before = await stack.ids();

        testbed.emulator.inject({ kind: "processing", stuck: true });
        testbed.emulator.clearRequests();
        await stack.program(declared(`, importId: "${adopted}"`) + late);
        const up = stack.start("up", "--yes", "--skip-preview");
        await testbed.emulator.waitForRequest(
            ({ method, path }) => method === "GET" && /contents\/./.test(path),
            60_000,
        );
        up.kill();
        await up.result;
        await unlock(stack);
        const { contentId = "" } = testbed.emulator.contents().find(({ title }) => title === "Late") ?? {};
        testbed.emulator.setContentStatus(contentId, "Ready");
        testbed.emulator.clearFaults();

        stack.face = "native";
        // Exports by the dynamic classes' names of the ids go on to say them.
        const ids = "exports.ids = [trailer.contentId, stage.streamUUID];";
        await stack.program(declared() + late + ids);
        const preview = async () => assert.deepEqual((await stack.planned()).sort(), ["create late", "update films"]);
        assert.deepEqual(await requestsOf(testbed.emulator, preview), []);
        const requests = await requestsOf(testbed.emulator, () => stack.up());
        assert.ok(requests.includes(`GET /contents/${contentId}`));
        // What is adopted gets a new marker.
        assert.deepEqual(
            requests.filter((request) => !/^GET \/contents(\/[^/]+)?$/.test(request)),
            [`PUT /contents/${contentId}`],
        );
        assert.deepEqual(await stack.ids(), { ...before, late: contentId });
        for (const { type } of await stack.resources()) assert.match(type, /^videograph:index:/);
        const types = (await stack.state()).resources.map(({ type }) => type);
        assert.ok(!types.includes("pulumi:providers:pulumi-nodejs"), "The dynamic provider is still in the state");

        await stack.program(`${declared()}${late}${ids}`.replace("Stage", "Other stage"));
        assert.deepEqual(
            (await requestsOf(testbed.emulator, () => stack.up("--refresh"))).filter(
                (request) => !request.startsWith("GET"),
            ),
            [`PUT /livestreams/${before.stage}`],
        );
        const [stream] = testbed.emulator.livestreams();
        assert.equal(stream?.title, "Other stage");
        const { film, ids: known } = await stack.outputs();
        assert.deepEqual([film, known], ["Ready", [before.trailer, before.stage]]);
    });
});
