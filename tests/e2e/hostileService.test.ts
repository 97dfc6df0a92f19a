/**
 * S1, S2 and S4 against a service, and what stands in front of it, at their worst within the contract: a gateway's 404,
 * answers without a single optional field, a PUT that is refused, sources whose URLs are unknown or change.
 */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { addOthers, killed, oneObjectEach, recordedIds } from "../support/oneObjectEach.ts";
import { declare } from "../support/program.ts";
import { requestsOf } from "../support/requests.ts";

describe("A hostile service (S1, S2, S4)", function () {
    this.timeout(300_000);
    const lab = useLab({ fetchSources: false });

    const source = [{ url: "https://media.example.com/a.mp4" }];
    const both = (title: string) =>
        declare("Content", "video", { title, content: source }) +
        declare("Livestream", "stream", { title, region: "us-east-1" });

    for (const scope of ["/*/*", undefined]) {
        it(`a gateway's 404 for ${scope ?? "every path"} deletes nothing and forgets nothing`, async () => {
            const others = addOthers(lab, "One", "Two");
            const stack = await lab.stack(both("One"));
            await stack.up();
            const created = others.ours();
            lab.emulator.inject({ kind: "status", status: 404, body: "html", ...(scope && { path: scope }) });
            await stack.fails(["refresh", "--yes", "--skip-preview"], /404/);
            await stack.fails(["destroy", "--yes", "--skip-preview"], /404/);
            await stack.program(both("Two"));
            await stack.upFails(/404/);
            assert.deepEqual((await recordedIds(stack)).sort(), created);
            lab.emulator.clearFaults();
            await stack.up();
            assert.deepEqual(others.ours(), created);
            await oneObjectEach(lab, others, stack);
        });
    }

    for (const form of ["absent", "null", "object"] as const) {
        it(`objects of which every optional field is ${form === "object" ? "of another type" : form}`, async () => {
            const names = ["description", "tags", "streamKey", "rtmpUrl", "ingestUrl", "rtmpsUrl", "playbackUrl"];
            names.push("createdOn", "created_at", "thumbnailUrl", "duration", "resolution", "statusId");
            lab.emulator.setVariants({ fields: Object.fromEntries(names.map((name) => [name, form])) });
            const others = addOthers(lab, "One");
            const importId = lab.emulator.addLivestream({ title: "Existing" }).streamUUID;
            const stack = await lab.stack(
                both("One") +
                    declare("Livestream", "imported", { title: "Existing", importId }) +
                    `exports.read = videograph.Livestream.get("read", "${importId}").title;\n`,
            );
            await stack.up();
            assert.equal(others.ours().length, 3);
            await stack.up();
            await stack.refresh();
            await stack.up();
            assert.equal(others.ours().length, 3);
            others.untouched();
            // `Livestream.get` reads each time.
            assert.deepEqual(await stack.planned(), ["read read"]);
            await stack.destroy();
            assert.deepEqual(others.ours(), []);
            others.untouched();
            lab.emulator.setVariants({ fields: {} });
        });
    }

    it("a refused PUT for a create that was found again is made up for by the next run", async function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
        const others = addOthers(lab, "One", "Two");
        const stack = await lab.stack(both("One"));
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
        const up = stack.start("up", "--yes", "--skip-preview");
        await lab.emulator.waitForRequest(({ method, accepted }) => method === "POST" && accepted === true, 60_000);
        await killed(stack, up);
        lab.emulator.clearFaults();
        await stack.program(both("Two"));
        lab.emulator.inject({ kind: "status", status: 422, method: "PUT" });
        await stack.upFails(/422/);
        lab.emulator.clearFaults();
        await stack.up();
        const titles = [...lab.emulator.contents(), ...lab.emulator.livestreams()].map(({ title }) => title);
        assert.deepEqual(titles.filter((title) => title === "Two").length, 4);
        assert.equal(others.ours().length, 2);
        await oneObjectEach(lab, others, stack);
    });

    it("with a sourceVersion, URLs that are unknown, changed or removed replace nothing", async () => {
        const others = addOthers(lab, "One");
        const video = (url: string, version?: string) =>
            `new videograph.Content("video", { title: "One", content: [{ url: ${url} }]` +
            `${version === undefined ? "" : `, sourceVersion: "${version}"`} });\n`;
        const signed = (signature: number) => `"https://media.example.com/a.mp4?signature=${signature}"`;
        const stack = await lab.stack(video(signed(1), "1"));
        await stack.up();
        const [id] = others.ours();
        await stack.program(video(signed(2), "1"));
        assert.deepEqual(await stack.planned(), []);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        // Unknown until the livestream exists.
        const stream = `const stream = new videograph.Livestream("stream", { title: "One", region: "us-east-1" });\n`;
        await stack.program(`${stream}${video("stream.playbackUrl", "1")}`);
        assert.deepEqual(await stack.planned(), ["create stream"]);
        await stack.program(video(signed(3), "1"));
        await stack.up();
        await stack.program(video(signed(3)));
        // Only the state changes.
        assert.deepEqual(await stack.planned(), ["update video"]);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up()), []);
        assert.deepEqual(others.ours(), [id]);
        await oneObjectEach(lab, others, stack);
        await stack.program(video(signed(3), "1"));
        await stack.up();
        assert.deepEqual(others.ours(), [id]);
        await stack.program(video(signed(3), "2"));
        assert.deepEqual(await stack.planned(), ["replace video"]);
        await stack.up();
        assert.notDeepEqual(others.ours(), [id]);
        await oneObjectEach(lab, others, stack);
    });
});
