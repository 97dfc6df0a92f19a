/** Stacks of dynamic resources move to the native types: only the program's import changes. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stateV1Program } from "../fixtures/stateV1Program.ts";
import { useLab } from "../support/lab.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { waitFor } from "../support/waitFor.ts";

describe("From the dynamic types to the native ones", function () {
    this.timeout(300_000);
    const lab = useLab();

    it("nothing is shown, nothing is sent, and the native types go on alone", async () => {
        const adopted = lab.emulator.addContent({ title: "Adopted" }).contentId;
        const video = (more: string) => `{ title: "Trailer", content: [{ url: "${lab.media.video()}" }]${more} }`;
        const declared = (adoption: string, wait = "") => `
            const shop = new pulumi.ComponentResource("shop:index:Videos", "videos");
            const trailer = new videograph.Content("trailer", ${video(', tags: ["b", "a"], metadata: { season: "2" }')});
            const inner = new videograph.Content("inner", ${video("")}, { parent: shop, customTimeouts: { create: "5m" } });
            const presigned = new videograph.Content("presigned", {
                title: pulumi.secret("quiet title"),
                content: [{ url: "${lab.media.video("p.mp4")}?signature=quiet" }],
                sourceVersion: "1",${wait}
            });
            const stage = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });
            new videograph.Content("adopted", { title: "Adopted"${adoption} });
            new videograph.ContentReadiness("library", { contentIds: [trailer.id, inner.id] });
            exports.key = stage.streamKey;`;
        const stack = await lab.stack(declared(`, importId: "${adopted}"`));
        stack.secrets.push("quiet title", "signature=quiet");
        await stack.up();
        const before = new Map((await stack.resources()).map(({ urn, id }) => [urn.split("::").at(-1), id]));

        stack.face = "native";
        await stack.program(declared(""));
        const quiet = async () => {
            await stack.preview("--expect-no-changes");
            await stack.up("--expect-no-changes");
        };
        assert.deepEqual(await requestsOf(lab.emulator, quiet), []);
        const resources = await stack.resources();
        assert.deepEqual(new Map(resources.map(({ urn, id }) => [urn.split("::").at(-1), id])), before);
        for (const { type } of resources) assert.match(type, /^videograph:index:/);
        const types = (await stack.state()).resources.map(({ type }) => type);
        assert.ok(!types.includes("pulumi:providers:pulumi-nodejs"), "The dynamic provider is still in the state");

        await stack.refresh("--expect-no-changes");
        await stack.up("--expect-no-changes");
        await stack.program(declared("").replace("Stage", "Other stage"));
        assert.deepEqual(await stack.planned(), ["update stage"]);
        await stack.up();
        assert.equal(await stack.resourceId("stage"), before.get("stage"));
        const [stream] = lab.emulator.livestreams();
        assert.equal(stream?.title, "Other stage");
        assert.equal((await stack.outputs()).key, stream?.streamKey);
        await stack.destroy();
        assert.deepEqual([...lab.emulator.contents(), ...lab.emulator.livestreams()], []);
    });

    it("the recorded state of older builds is taken up without a request", async () => {
        const stack = await lab.stack("");
        const recording = join(import.meta.dirname, "..", "fixtures", "state-v1.json");
        await stack.import(await readFile(recording, "utf8"));
        stack.face = "native";
        await stack.program(stateV1Program("id"));
        const quiet = async () => {
            await stack.preview("--expect-no-changes");
            await stack.up("--expect-no-changes");
        };
        assert.deepEqual(await requestsOf(lab.emulator, quiet), []);
    });

    it("a create that a kill -9 left pending is taken up by the native type (S1)", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const program = `exports.id = new videograph.Content("trailer", {
            title: "Trailer", content: [{ url: "${lab.media.video()}" }] }).id;`;
        const stack = await lab.stack(program);
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the wait for Ready", () => lab.emulator.requests.some(({ method }) => method === "GET"));
        up.kill();
        await up.result;
        const [content] = lab.emulator.contents();
        assert.ok(content);
        lab.emulator.setContentStatus(content.contentId, "Ready");
        await stack.run("cancel", "--yes");
        stack.face = "native";
        await stack.program(program);
        await stack.up();
        assert.equal(await stack.resourceId("trailer"), content.contentId);
        assert.equal(sentBy(lab.emulator, "POST").length, 1);
        assert.equal(lab.emulator.contents().length, 1);
    });
});
