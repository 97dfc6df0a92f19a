/** Content: the standard set, then what is its own: readiness, failures, sources. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { contentKind } from "./contentKind.ts";
import { standardTests } from "./standard.ts";

standardTests(contentKind);

describe("Content", function () {
    this.timeout(180_000);
    const lab = useLab();
    const trailer = (more: object = {}, options?: string) =>
        declare("Content", "trailer", { title: "Trailer", content: [{ url: lab.media.video() }], ...more }, options);

    it("is playable when up ends, and up tells while it waits (L1)", async () => {
        lab.emulator.inject({ kind: "processing", ms: 3_000 });
        const stack = await lab.stack(`
            const trailer = new videograph.Content("trailer", {
                title: "Trailer",
                content: [{ url: "${lab.media.video()}" }],
            });
            exports.url = trailer.playbackUrl;
            exports.id = trailer.contentId;
            exports.status = trailer.status;`);
        const up = await stack.up();
        assert.match(up.output, /Content trailer .*Preparing/, "Nothing told of the wait");
        const { url, id, status } = await stack.outputs();
        assert.equal(status, "Ready");
        assert.equal(id, lab.emulator.contents()[0]?.contentId);
        assert.equal((await fetch(String(url))).status, 200);
        assert.doesNotMatch(up.output.split("Diagnostics:")[1] ?? "", /Preparing/, "Progress is kept as a diagnostic");
    });

    it("does not wait where it is told not to", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const stack = await lab.stack(trailer({ waitForReady: false }));
        await stack.up();
        assert.equal((await stack.resource("trailer")).outputs?.status, "Preparing");
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        lab.emulator.setContentStatus(await stack.resourceId("trailer"), "Ready");
        await stack.refresh();
        assert.equal((await stack.resource("trailer")).outputs?.status, "Ready");
        assert.deepEqual(await stack.planned(), []);
    });

    it("that Fails ends the update with its id, status and reason; the next up replaces it (L3)", async () => {
        const stack = await lab.stack(trailer());
        const fault = lab.emulator.inject({ kind: "processing", fail: "the codec is not supported" });
        const failed = await stack.upFails(/Failed/, /the codec is not supported/);
        const id = lab.emulator.contents()[0]?.contentId ?? "";
        assert.ok(failed.output.includes(id), "The message does not name the content");
        assert.equal(await stack.resourceId("trailer"), id);

        assert.deepEqual(await stack.planned(), ["replace trailer"], "It is not replaced");
        fault.remove();
        await stack.up();
        assert.equal(lab.emulator.contents().length, 1);
        assert.notEqual(await stack.resourceId("trailer"), id);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
    });

    it("that Fails is still replaced after a refresh, and can be destroyed (L3, L4)", async () => {
        const stack = await lab.stack(trailer({ content: [{ url: lab.media.notVideo }] }));
        await stack.upFails(/Failed/, /Fix the source \(.*\), then run `pulumi up`/);
        await stack.refresh();
        assert.notDeepEqual(await stack.planned(), [], "The refresh made it look finished");
        const again = await stack.fails(["up", "--yes", "--skip-preview", "--refresh"]);
        const told = again.output.slice(again.output.indexOf("Diagnostics:"));
        assert.equal(told.split("has Failed: it will be replaced").length - 1, 1, told);
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
        assert.deepEqual(await stack.resources(), []);
    });

    it("whose wait times out keeps its id, and the next up resumes the wait with GETs alone (L4)", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const stack = await lab.stack(trailer({}, `{ customTimeouts: { create: "2s" } }`));
        const failed = await stack.upFails(/Preparing/);
        const id = await stack.resourceId("trailer");
        assert.ok(failed.output.includes(id), "The message does not name the content");

        // The same once more, with a refresh between, which must not make it look finished.
        await stack.refresh();
        assert.deepEqual(await stack.planned(), ["update trailer"]);
        await stack.program(trailer({}, `{ customTimeouts: { create: "60s", update: "60s" } }`));
        lab.emulator.clearRequests();
        const resumed = stack.start("up", "--yes", "--skip-preview");
        await lab.emulator.waitForRequest(({ method, path }) => method === "GET" && path.endsWith(id), 30_000);
        lab.emulator.setContentStatus(id, "Ready");
        assert.equal((await resumed.result).code, 0);
        assert.deepEqual([...new Set(lab.emulator.requests.map(({ method }) => method))], ["GET"]);
        assert.equal(await stack.resourceId("trailer"), id);
        assert.equal((await stack.resource("trailer")).outputs?.status, "Ready");
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
    });

    it("whose wait times out can be destroyed at once (L4)", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const stack = await lab.stack(trailer({}, `{ customTimeouts: { create: "1s" } }`));
        await stack.upFails();
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });

    it("keeps its id when every answer after the create is an error (L4)", async () => {
        const stack = await lab.stack(trailer({}, `{ customTimeouts: { create: "3s" } }`));
        const fault = lab.emulator.inject({ kind: "status", status: 500, method: "GET" });
        await stack.upFails(/500/);
        assert.equal(await stack.resourceId("trailer"), lab.emulator.contents()[0]?.contentId);
        fault.remove();
        await stack.up();
        assert.equal(sentBy(lab.emulator, "POST").length, 1);
    });

    it("is not replaced by another source URL of the same sourceVersion, and is by another version", async () => {
        const source = (name: string, sourceVersion?: string) =>
            trailer({ content: [{ url: lab.media.video(name) }], sourceVersion });
        const stack = await lab.stack(source("a.mp4"));
        await stack.up();
        const id = await stack.resourceId("trailer");
        for (const [name, version] of [
            ["a.mp4", "1"],
            ["b.mp4", "1"],
            ["c.mp4", "1"],
        ] as const) {
            await stack.program(source(name, version));
            const requests = await requestsOf(lab.emulator, () => stack.up());
            assert.ok(!requests.some((request) => request.startsWith("POST")), `${name} with ${version} replaced it`);
            assert.equal(await stack.resourceId("trailer"), id);
        }
        await stack.program(source("c.mp4", "2"));
        await stack.up();
        assert.notEqual(await stack.resourceId("trailer"), id);
        assert.deepEqual(lab.emulator.contents()[0]?.sourceUrls, [lab.media.video("c.mp4")]);
    });

    it("has a changed timeout alone as no update", async () => {
        const stack = await lab.stack(trailer());
        await stack.up();
        await stack.program(trailer({}, `{ customTimeouts: { create: "2h", delete: "1m" } }`));
        assert.deepEqual(await stack.planned(), []);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
    });

    it("keeps __provider under 100 bytes and little state beyond what was written (C1)", async () => {
        const stack = await lab.stack(trailer());
        await stack.up();
        const { inputs = {}, outputs = {} } = await stack.resource("trailer");
        const handler = String(outputs.__provider);
        assert.equal(inputs.__provider, handler);
        assert.ok(handler.length > 0 && Buffer.byteLength(handler) < 100, handler);
        const written = JSON.stringify({ title: "Trailer", content: [{ url: lab.media.video() }] }).length;
        const kept = JSON.stringify(inputs).length + JSON.stringify(outputs).length;
        // The engine keeps what was written twice: as inputs and as outputs.
        assert.ok(kept - 2 * written <= 1024, `${kept - 2 * written} bytes beyond what was written`);
    });
});

describe("Content in several states", function () {
    this.timeout(180_000);
    const lab = useLab();

    it("goes on with what is left after one of several failed (L4)", async () => {
        const program = (broken: string) =>
            declare("Content", "good", { title: "Good", content: [{ url: lab.media.video() }] }) +
            declare("Content", "bad", { title: "Bad", content: [{ url: broken }] });
        const stack = await lab.stack(program(lab.media.missing));
        await stack.upFails(/bad/);
        await stack.program(program(lab.media.video("mended.mp4")));
        await stack.up();
        assert.deepEqual(
            lab.emulator
                .contents()
                .map(({ title, status }) => `${title} ${status}`)
                .sort(),
            ["Bad Ready", "Good Ready"],
        );
    });
});
