/** Stacks of dynamic resources move to the native types: only the program's import changes. */
import assert from "node:assert/strict";
import { unlock } from "../support/law.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("From the dynamic types to the native ones", () => {
    const testbed = useTestbed();

    it("nothing is shown, nothing is sent but for a create that a kill -9 left pending, also of what is renamed or moved in the same change, and the native types go on alone (S1)", async () => {
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
        // Renamed, and moved to another parent, in the same change.
        const moved = {
            dynamic: `
                const hall = new pulumi.ComponentResource("shop:index:Hall", "hall");
                new videograph.Content("named-old", ${video("")});
                new videograph.Content("given", ${video("")});
                new videograph.Content("taken", ${video("")}, { parent: shop });
                new videograph.Content("later-old", ${video("")});
                new videograph.Livestream("addressed-old", { title: "Addressed", region: "us-east-1" });
                new videograph.ContentLibrary("shelf-old", { contents: { first: ${video("")} } });
                new videograph.Content("inside", ${video("")}, { parent: hall });\n`,
            native: `
                const aliased = (alias, more) => ({ aliases: [alias], ...more });
                const hall = new pulumi.ComponentResource("shop:index:Hall", "great hall", {}, aliased({ name: "hall" }));
                new videograph.Content("named", ${video("")}, aliased({ name: "named-old" }));
                new videograph.Content("given", ${video("")}, aliased({ parent: pulumi.rootStackResource }, { parent: shop }));
                new videograph.Content("taken", ${video("")}, aliased({ parent: shop }));
                new videograph.Content("later", ${video("")}, aliased(pulumi.output("later-old").apply((name) => ({ name }))));
                new videograph.Livestream("addressed", { title: "Addressed", region: "us-east-1" },
                    aliased(pulumi.createUrn("addressed-old", "videograph:index:Livestream")));
                new videograph.ContentLibrary("shelf", { contents: { first: ${video("")} } }, aliased({ name: "shelf-old" }));
                new videograph.Content("inside", ${video("")}, { parent: hall });\n`,
        };
        const late = `new videograph.Content("late", { title: "Late", content: [{ url: "${testbed.media.video()}" }] });`;
        const stack = await testbed.stack(declared(`, importId: "${adopted}"`) + moved.dynamic);
        stack.secrets.push("quiet title", "signature=quiet");
        await stack.up();
        const before = await stack.ids();

        testbed.emulator.inject({ kind: "processing", stuck: true });
        testbed.emulator.clearRequests();
        await stack.program(declared(`, importId: "${adopted}"`) + moved.dynamic + late);
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
        await stack.program(declared() + moved.native + late + ids);
        const planned = ["create late", "update films", "update shelf"];
        const preview = async () => assert.deepEqual((await stack.planned()).sort(), planned);
        assert.deepEqual(await requestsOf(testbed.emulator, preview), []);
        const requests = await requestsOf(testbed.emulator, () => stack.up());
        assert.ok(requests.includes(`GET /contents/${contentId}`));
        // What is adopted gets a new marker.
        assert.deepEqual(
            requests.filter((request) => !/^GET \/contents(\/[^/]+)?$/.test(request)),
            [`PUT /contents/${contentId}`],
        );
        const renamed = Object.entries(before).map(([name, id]) => [name.replace(/-old$/, ""), id]);
        assert.deepEqual(await stack.ids(), { ...Object.fromEntries(renamed), late: contentId });
        for (const { type } of await stack.resources()) assert.match(type, /^videograph:index:/);
        const types = (await stack.state()).resources.map(({ type }) => type);
        assert.ok(!types.includes("pulumi:providers:pulumi-nodejs"), "The dynamic provider is still in the state");

        await stack.program(`${declared()}${moved.native}${late}${ids}`.replace("Stage", "Other stage"));
        assert.deepEqual(
            (await requestsOf(testbed.emulator, () => stack.up("--refresh"))).filter(
                (request) => !request.startsWith("GET"),
            ),
            [`PUT /livestreams/${before.stage}`],
        );
        const titles = testbed.emulator.livestreams().map(({ title }) => title);
        assert.deepEqual(titles.toSorted(), ["Addressed", "Other stage"]);
        const { film, ids: known } = await stack.outputs();
        assert.deepEqual([film, known], ["Ready", [before.trailer, before.stage]]);
    });
});
